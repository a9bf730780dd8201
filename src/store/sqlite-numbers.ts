/** SQLite's numbers of varying length: seven bits a byte, the highest first, the last byte without its top bit. */
export class Numbers {
  readonly #bytes: Uint8Array;
  /** Where the next number begins. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The next number; 0 at the end. Exact below 2^53, which no id or count of ours reaches. */
  next(): number {
    let value = 0;
    for (;;) {
      const byte = this.#bytes[this.at] ?? 0;
      this.at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }

  skip(count: number): void {
    for (let left = count; left > 0; left -= 1) this.next();
  }

  /** All numbers up to the end. */
  rest(): number[] {
    const numbers: number[] = [];
    while (this.at < this.#bytes.length) numbers.push(this.next());
    return numbers;
  }
}

/** The bytes of numbers, one after the other. */
export function writeNumbers(numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap(writeNumber));
}

function writeNumber(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128);
  }
  return bytes;
}
