import type { Workspace } from '../../config/workspace.ts';
import { INGEST, resetCommand as resetThis } from '../../core/advice.ts';
import { KbError } from '../../core/errors.ts';
import { locateKb } from '../../kb/locate.ts';
import { deleteIndex, rebuildOf, removeFromIndex } from '../../kb/remove.ts';
import { type CommonOptions, type Context, printJson, whereOf } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';

export async function rmCommand(context: Context, path: string, options: CommonOptions): Promise<ExitCode> {
  const { name, indexPath } = builtIndex(context, options);
  const removed = removeFromIndex(indexPath, path);
  if (options.json === true) printJson(context, { knowledge_base: name, removed });
  else {
    context.print(removed.map((one) => `removed ${one}`).join('\n'));
    context.say(
      'kb: the files themselves stay; to keep them out of the next ingest, list them under exclude',
    );
  }
  return EXIT.answered;
}

export interface ResetOptions extends CommonOptions {
  readonly force?: boolean;
}

export async function resetCommand(context: Context, options: ResetOptions): Promise<ExitCode> {
  const { name, indexPath, workspace } = builtIndex(context, options);
  if (options.force !== true) {
    throw new KbError(
      'usage-invalid',
      `reset deletes the index of "${name}" (${indexPath})`,
      { argument: '--force' },
      {
        hint: resetThis(indexPath),
      },
    );
  }
  const rebuild = rebuildOf(indexPath, workspace);
  deleteIndex(indexPath);
  if (options.json === true) printJson(context, { knowledge_base: name, deleted: indexPath, rebuild });
  else context.print(`deleted ${indexPath}\nto build it anew: ${rebuild}`);
  return EXIT.answered;
}

/** Works on a damaged index too: it is only located, not opened. */
function builtIndex(
  context: Context,
  options: CommonOptions,
): { name: string; indexPath: string; workspace: Workspace } {
  const { name, indexPath, workspace } = locateKb(whereOf(context, options));
  if (name !== undefined && indexPath !== undefined) return { name, indexPath, workspace };
  throw new KbError(
    'index-missing',
    'nothing has been ingested yet',
    { path: workspace.indexesDir },
    { hint: INGEST },
  );
}
