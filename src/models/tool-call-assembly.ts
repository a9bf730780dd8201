import type { ToolCall } from '../core/chat.ts';
import { isRecord, jsonState, parseJson, textOf } from './json.ts';

interface Slot {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  /** JSON text so far. */
  text: string;
}

/** One entry of `tool_calls`, read as far as it can be. */
interface Piece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/**
 * Puts streamed pieces of tool calls together. `index` should say which call a piece belongs to, but servers leave it
 * out or send 0 for every call, change ids from piece to piece, or repeat whole calls; so a new call also begins with a
 * new name, a new id beside a name, or a new JSON object after a whole one.
 */
export class ToolCallAssembly {
  readonly #slots: Slot[] = [];
  readonly #names: ReadonlySet<string>;

  /** @param names the tools the model may call; tells a name cut in pieces from two names */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  get size(): number {
    return this.#slots.length;
  }

  /** Takes the value of a `tool_calls` field, whatever it is. */
  accept(value: unknown): void {
    const entries = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
    for (const entry of entries) {
      if (isRecord(entry)) this.#place(pieceOf(entry));
    }
  }

  /**
   * The calls. `cut` when the arguments of one end before they are whole.
   * @param takenIds ids of earlier calls in the conversation: servers that number calls anew in every reply repeat them
   */
  finish(takenIds: ReadonlySet<string>): { readonly calls: readonly ToolCall[]; readonly cut: boolean } {
    const taken = new Set(takenIds);
    let cut = false;
    const calls = this.#slots.map((slot) => {
      const input = readArguments(slot.text);
      if (typeof input === 'string' && [slot.text, input].some(breaksOff)) cut = true;
      const id = slot.id !== undefined && !taken.has(slot.id) ? slot.id : freeId(taken);
      taken.add(id);
      return { id, name: slot.name === '' ? 'unnamed' : slot.name, input };
    });
    return { calls, cut };
  }

  #place(piece: Piece): void {
    const slot = this.#slotFor(piece);
    if (slot === undefined || this.#beginsNew(slot, piece)) {
      // A whole second object without a name of its own can only be for the tool just called.
      const name =
        piece.name ?? (piece.index === undefined || piece.index === slot?.index ? slot?.name : undefined);
      this.#slots.push({ index: piece.index, id: piece.id, name: name ?? '', text: piece.text });
      return;
    }
    if (piece.name !== undefined && piece.name !== slot.name) slot.name += piece.name;
    slot.id ??= piece.id;
    slot.text = extended(slot.text, piece.text);
  }

  #slotFor(piece: Piece): Slot | undefined {
    if (piece.index === undefined) return this.#slots.at(-1);
    return this.#slots.findLast((slot) => slot.index === piece.index || slot.index === undefined);
  }

  #beginsNew(slot: Slot, piece: Piece): boolean {
    const newId = piece.id !== undefined && slot.id !== undefined && piece.id !== slot.id;
    if (piece.name !== undefined) {
      if (newId) return true;
      if (piece.name !== slot.name && !this.#continuesName(slot, piece.name)) return true;
    }
    return beginsObject(piece.text) && isWhole(slot.text) && (newId || !isRepeat(slot.text, piece.text));
  }

  #continuesName(slot: Slot, more: string): boolean {
    if (slot.text !== '' || this.#names.has(slot.name)) return false;
    const name = slot.name + more;
    return [...this.#names].some((known) => known.startsWith(name));
  }
}

function pieceOf(entry: Readonly<Record<string, unknown>>): Piece {
  const named = isRecord(entry['function']) ? entry['function'] : entry;
  const given = named['arguments'];
  return {
    index: typeof entry['index'] === 'number' ? entry['index'] : undefined,
    id: textOf(entry['id']),
    name: textOf(named['name']),
    text:
      typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given),
  };
}

function beginsObject(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function isWhole(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined;
}

/** `{}` first and the arguments after it, or the same arguments again at the end: one call both times. */
function isRepeat(text: string, more: string): boolean {
  return text.trim() === '{}' || text.trim() === more.trim();
}

function extended(text: string, more: string): string {
  return beginsObject(more) && isWhole(text) && isRepeat(text, more) ? more : text + more;
}

/** Arguments as JSON, JSON in a JSON string, or nothing at all; the text itself when it is none of these. */
export function readArguments(text: string): unknown {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  if (value === undefined) return text;
  if (value === null || value === '') return {};
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}

function breaksOff(text: string): boolean {
  return jsonState(text) === 'open';
}

/** An id no earlier call has. Nine letters and digits: the strictest server (Mistral) takes no other. */
export function freeId(taken: ReadonlySet<string>): string {
  for (let number = taken.size + 1; ; number += 1) {
    const id = `call${String(number).padStart(5, '0')}`;
    if (!taken.has(id)) return id;
  }
}
