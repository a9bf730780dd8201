/**
 * While an answer is checked, a citation that holds stands in its text as a mark: an index between two
 * private-use characters, which no answer can write because they are taken out of it first.
 */
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = /\ue000(\d+)\ue001/gu;

export function removePrivateUse(text: string): string {
  return text.replace(/[\ue000-\uf8ff]/gu, '');
}

export function mark(index: number): string {
  return `${OPEN}${index}${CLOSE}`;
}

/** Indexes of the marks in a text, in order. */
export function marksIn(text: string): readonly number[] {
  return [...text.matchAll(MARK)].map((found) => Number(found[1]));
}

export function replaceMarks(text: string, replacement: (index: number) => string): string {
  return text.replace(MARK, (_, index: string) => replacement(Number(index)));
}

export function isMarkStart(text: string, position: number): boolean {
  return text[position] === OPEN;
}

/** Position after the mark that starts at `position`. */
export function markEnd(text: string, position: number): number {
  const end = text.indexOf(CLOSE, position);
  return end === -1 ? position + 1 : end + 1;
}
