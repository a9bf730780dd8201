import type { ParsedHeading } from './parsed.ts';
import type { Slugger } from './slug-rules.ts';

/** A heading and those above it, from the second level down, whose ids may still change. */
type Line = readonly { id: string[] }[];

/**
 * The Ruby on Rails guides: a repeated id takes its parent's in front, and so does the first one that had it, once the
 * second comes. Ids are therefore lists that are filled in until the page ends.
 */
export function railsSlugger(): Slugger {
  const lines = new Map<string, Line>();
  let open: { level: number; id: string[] }[] = [];
  return {
    anchors: ({ text, level }: ParsedHeading) => {
      const node = { level, id: [] as string[] };
      // The guides' title (level 1) is not part of the body.
      if (level === 1) return node.id;
      open = [...open.filter((above) => above.level < level), node];
      node.id[0] = uniqueId(railsId(text), open, lines);
      return node.id;
    },
    reserve: () => undefined,
  };
}

function uniqueId(wanted: string, line: Line, lines: Map<string, Line>): string {
  let id = wanted;
  const before = lines.get(id);
  if (before !== undefined) {
    if (before.length > 1) {
      lines.delete(id);
      renameLast(before, lines);
    }
    const parent = line.at(-2)?.id[0];
    if (parent !== undefined) id = `${parent}-${id}`;
  }
  lines.set(id, line);
  return id;
}

function renameLast(line: Line, lines: Map<string, Line>): void {
  const last = line.at(-1)?.id;
  const parent = line.at(-2)?.id[0];
  if (last?.[0] === undefined || parent === undefined) return;
  last[0] = `${parent}-${last[0]}`;
  lines.set(last[0], line);
}

function railsId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('?', '-questionmark')
    .replaceAll('!', '-bang')
    .replace(/[\\/`*_{}[\]()#+\-.:,;|&<>^~='"]+/gu, ' ')
    .trim()
    .replace(/\s+/gu, '-');
}
