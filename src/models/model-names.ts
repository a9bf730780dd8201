/** Servers add to a model's name or take from it: folders, a tag, the file's ending, what kind of model it is. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[/\\]/u, '')
    .replace(/:latest$|\.gguf$/gu, '')
    .replace(/^text-embedding-/u, '')
    .replace(/[_\s]/gu, '-');
}

/** Whether two names can be of one model. */
export function isSameModel(one: string, other: string): boolean {
  const [left, right] = [bare(one), bare(other)];
  return left === right || left.startsWith(right) || right.startsWith(left);
}

/** Up to `count` names that have most in common with `name`, nearest first: letters in threes, since names differ by parts. */
export function nearestModels(name: string, names: readonly string[], count: number): readonly string[] {
  const wanted = threes(bare(name));
  return names
    .map((candidate) => ({ candidate, likeness: likeness(wanted, threes(bare(candidate))) }))
    .filter((found) => found.likeness > 0.2)
    .sort((left, right) => right.likeness - left.likeness)
    .slice(0, count)
    .map((found) => found.candidate);
}

function threes(text: string): ReadonlySet<string> {
  const padded = ` ${text} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3)));
}

/** Dice's coefficient: 0 to 1. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((three) => right.has(three)).length;
  return (2 * shared) / (left.size + right.size);
}
