import { KbError } from '../../core/errors.ts';
import type { OpenedSection } from '../../core/knowledge.ts';
import { stripControls } from '../../core/text.ts';
import type { Kb } from '../../kb.ts';
import { type CommonOptions, type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { headingPathOf, locationOf } from '../render/place.ts';
import { link } from '../render/terminal.ts';
import { withKb } from '../with-kb.ts';

export interface ReadOptions extends CommonOptions {
  readonly render?: boolean;
}

export async function readCommand(
  context: Context,
  address: string,
  options: ReadOptions,
): Promise<ExitCode> {
  return withKb(context, options, async (kb) => {
    const sections = openOrThrow(kb, address);
    if (options.json === true)
      printJson(context, { knowledge_base: kb.located.name ?? null, sections: sections.map(toJson) });
    else await printSections(context, sections, options.render === true);
    return EXIT.answered;
  });
}

function openOrThrow(kb: Kb, address: string): readonly OpenedSection[] {
  const lookup = kb.open(address);
  if (lookup.status === 'found') return lookup.sections;
  const name = kb.located.name ?? 'NAME';
  if (lookup.status !== 'unknown') {
    kb.documents(); // says why there is nothing to read
    throw new KbError(
      'index-missing',
      'the index holds no section',
      { path: kb.located.indexPath ?? '' },
      { hint: `put Markdown files into its folder, then kb ingest ${name}` },
    );
  }
  const near = lookup.nearest.length === 0 ? '' : `; near it: ${lookup.nearest.join(', ')}`;
  throw new KbError(
    'address-unknown',
    `no section "${address}"${near}`,
    { address, nearest: lookup.nearest },
    { hint: `see the refs there are: kb list --outline -k ${name}` },
  );
}

async function printSections(
  context: Context,
  sections: readonly OpenedSection[],
  render: boolean,
): Promise<void> {
  const [first] = sections;
  if (first !== undefined && context.stderr.isTty) {
    const { section, url } = first;
    context.say(`${headingPathOf(section)} (#${section.ref})`);
    context.say(`${locationOf(section)}${url === undefined ? '' : `  ${link(context.stderr, url, url)}`}\n`);
  }
  const text = stripControls(sections.map(({ section }) => section.markdown).join('')).replace(/\n+$/u, '');
  if (!render) {
    context.print(text);
    return;
  }
  const { renderMarkdown } = await import('../render/markdown.ts');
  context.print(renderMarkdown(text, context.stdout));
}

function toJson({ section, url, previous, next }: OpenedSection): object {
  return {
    ref: section.ref,
    path: section.path,
    title: section.title,
    headings: section.headings,
    anchor: section.anchors[0] ?? null,
    anchors: section.anchors,
    url: url ?? null,
    lines: section.lines,
    hash: section.hash,
    previous: previous ?? null,
    next: next ?? null,
    markdown: section.markdown,
  };
}
