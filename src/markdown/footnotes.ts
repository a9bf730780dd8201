import type { Block } from './block-scan.ts';
import type { Unit } from './visible-units.ts';

/** Where a footnote's definition stands: lines from 0 within the body, `end` excluded. */
export interface FootnoteLines {
  readonly label: string;
  readonly first: number;
  readonly end: number;
}

/** A longer note, or one used more often, is shown where it is used first. */
const MAX_LENGTH = 1500;
const MAX_USES = 20;

/** Puts footnotes where they are used: a reader of the section sees them there, not in the page's last section. */
export class Footnotes {
  readonly #notes: readonly (FootnoteLines & { readonly units: Unit[] })[];
  readonly #uses = new Map<string, number[]>();
  #next = 0;

  constructor(lines: readonly FootnoteLines[]) {
    this.#notes = lines.map((note) => ({ ...note, units: [] }));
  }

  /** Where the units of a block go that is part of a note, which is an item of a list; blocks are asked for in order. */
  unitsAt({ first, items }: Block): Unit[] | undefined {
    while ((this.#notes[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= first) this.#next += 1;
    const note = this.#notes[this.#next];
    if (note === undefined || note.first > first) return undefined;
    if (items > 0) return note.units;
    this.#next += 1;
    return undefined;
  }

  use(label: string, line: number): void {
    const uses = this.#uses.get(label);
    if (uses === undefined) this.#uses.set(label, [line]);
    else uses.push(line);
  }

  /** Hands out every note: with the line that uses it, or its own where none does. */
  settle(give: (unit: Unit, line: number) => void): void {
    for (const { label, first, units } of this.#notes) {
      const uses = this.#uses.get(label) ?? [];
      const shown = lengthOf(units) > MAX_LENGTH || uses.length > MAX_USES ? uses.slice(0, 1) : uses;
      const plain = units.map((unit, index) => (index === 0 ? withoutBullet(unit) : unit));
      if (shown.length === 0) for (const unit of plain) give(unit, first);
      for (const line of shown) for (const unit of plain) give(movedTo(unit, line), line);
    }
  }
}

function lengthOf(units: readonly Unit[]): number {
  return units.flatMap(({ lines }) => lines).reduce((sum, { text }) => sum + text.length, 0);
}

function movedTo(unit: Unit, line: number): Unit {
  return { ...unit, lines: unit.lines.map(({ text }) => ({ text, line })) };
}

/** Notes are read as items of a list. */
function withoutBullet(unit: Unit): Unit {
  const lines = unit.lines.map(({ text, line }, index) => ({
    text: index === 0 ? text.replace(/^\s*\* /u, '') : text.trim(),
    line,
  }));
  return { ...unit, lines };
}
