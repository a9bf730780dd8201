import type { OutlineEntry } from '../../core/knowledge.ts';
import { type DocumentScope, describeScope } from '../../core/scope.ts';
import type { Kb } from '../../kb.ts';
import { type CommonOptions, type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { renderRows } from '../render/table.ts';
import { oneLine } from '../render/terminal.ts';
import { parseWhere } from '../values.ts';
import { withKb } from '../with-kb.ts';

export interface ListOptions extends CommonOptions {
  readonly outline?: boolean;
  readonly where?: readonly string[];
}

export async function listCommand(
  context: Context,
  prefix: string | undefined,
  options: ListOptions,
): Promise<ExitCode> {
  const where = options.where === undefined ? {} : { where: parseWhere(options.where) };
  const scope = { path: prefix ?? '', ...where };
  return withKb(context, options, async (kb) => {
    const count =
      options.outline === true
        ? await listOutline(context, kb, scope, options)
        : listDocuments(context, kb, scope, options);
    if (count > 0) return EXIT.answered;
    if (options.json !== true) context.say(`kb: no document${describeScope(scope)}`);
    return EXIT.notFound;
  });
}

function listDocuments(context: Context, kb: Kb, scope: DocumentScope, options: ListOptions): number {
  const documents = kb.documents(scope);
  if (options.json === true) printJson(context, { knowledge_base: kb.located.name ?? null, documents });
  else if (documents.length > 0) {
    const rows = documents.map((document) => [
      document.path,
      document.status === 'indexed' ? document.title : `${document.status}: ${document.note ?? ''}`,
    ]);
    context.print(renderRows(rows, [{}, { shrinkTo: 20 }], context.stdout));
  }
  return documents.length;
}

async function listOutline(
  context: Context,
  kb: Kb,
  scope: DocumentScope,
  options: ListOptions,
): Promise<number> {
  kb.documents(scope); // an index that was never built is an error here, not an empty list
  const { entries } = await kb.outline({ ...scope, limit: Number.MAX_SAFE_INTEGER });
  if (options.json === true)
    printJson(context, { knowledge_base: kb.located.name ?? null, sections: entries.map(toJson) });
  else if (entries.length > 0) context.print(formatOutline(entries));
  return entries.length;
}

/** Documents as they come, headings indented by their depth below. */
function formatOutline(entries: readonly OutlineEntry[]): string {
  const lines: string[] = [];
  let path = '';
  for (const entry of entries) {
    if (entry.path !== path) lines.push(`${oneLine(entry.path)}  ${oneLine(entry.title)}`);
    path = entry.path;
    const indent = '  '.repeat(Math.max(1, entry.headings.length));
    lines.push(`${indent}${entry.ref}  ${oneLine(entry.headings.at(-1) ?? entry.title)}`);
  }
  return lines.join('\n');
}

function toJson(entry: OutlineEntry): object {
  return { ...entry, anchor: entry.anchor ?? null, url: entry.url ?? null };
}
