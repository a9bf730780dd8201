import { KbError } from '../../core/errors.ts';
import { locateKb } from '../../kb/locate.ts';
import { deleteIndex, removeFromIndex } from '../../kb/remove.ts';
import { type CommonOptions, type Context, printJson, whereOf } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';

export async function rmCommand(context: Context, path: string, options: CommonOptions): Promise<ExitCode> {
  const removed = removeFromIndex(builtIndex(context, options).indexPath, path);
  if (options.json === true) printJson(context, { removed });
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
  const { name, indexPath } = builtIndex(context, options);
  if (options.force !== true) {
    throw new KbError(
      'usage-invalid',
      `reset deletes the index of "${name}" (${indexPath})`,
      { argument: '--force' },
      {
        hint: `kb reset -k ${name} --force`,
      },
    );
  }
  deleteIndex(indexPath);
  if (options.json === true) printJson(context, { knowledge_base: name, deleted: indexPath });
  else context.print(`deleted ${indexPath}; kb ingest ${name} builds it anew`);
  return EXIT.answered;
}

/** Works on a damaged index too: it is only located, not opened. */
function builtIndex(context: Context, options: CommonOptions): { name: string; indexPath: string } {
  const { name, indexPath, workspace } = locateKb(whereOf(context, options));
  if (name !== undefined && indexPath !== undefined) return { name, indexPath };
  throw new KbError(
    'index-missing',
    'nothing has been ingested yet',
    { path: workspace.indexesDir },
    {
      hint: 'kb ingest ./FOLDER',
    },
  );
}
