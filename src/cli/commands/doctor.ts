import { KbError } from '../../core/errors.ts';
import type { Check } from '../../kb/doctor.ts';
import { locateKb } from '../../kb/locate.ts';
import { type CommonOptions, type Context, printJson, whereOf } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { stylesOf, type Terminal } from '../render/terminal.ts';
import { withKb } from '../with-kb.ts';

export async function doctorCommand(context: Context, options: CommonOptions): Promise<ExitCode> {
  const { name, checks } = await examine(context, options);
  if (options.json === true)
    printJson(context, { knowledge_base: name ?? null, ok: !checks.some(isFailed), checks });
  else context.print(checks.map((check) => format(check, context.stdout)).join('\n'));
  return checks.some(isFailed) ? EXIT.index : EXIT.answered;
}

/** An index that does not open is what doctor is for: a finding, not a crash. */
async function examine(
  context: Context,
  options: CommonOptions,
): Promise<{ readonly name: string | undefined; readonly checks: readonly Check[] }> {
  try {
    return await withKb(context, options, async (kb) => ({
      name: kb.located.name,
      checks: await kb.doctor(context.signal),
    }));
  } catch (error) {
    if (!(error instanceof KbError) || !error.code.startsWith('index-')) throw error;
    const { checkOfError } = await import('../../kb/doctor.ts');
    return { name: locateKb(whereOf(context, options)).name, checks: [checkOfError(error)] };
  }
}

function isFailed(check: Check): boolean {
  return check.status === 'fail';
}

function format(check: Check, terminal: Terminal): string {
  const styles = stylesOf(terminal);
  const mark = { ok: styles.green('ok  '), warn: styles.yellow('warn'), fail: styles.red('FAIL') }[
    check.status
  ];
  const hint = check.hint === undefined ? '' : `\n      try: ${check.hint}`;
  return `${mark}  ${check.name}: ${check.text}${hint}`;
}
