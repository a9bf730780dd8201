import { oneLine, type Terminal } from './terminal.ts';
import { cutTo, padTo, widthOf } from './width.ts';

export interface Progress {
  /** Shows this text in place of the one before; texts that come faster than the eye are skipped. */
  update(text: string): void;
  /** Clears the line; later updates show nothing. */
  done(): void;
}

export interface ProgressStream {
  write(text: string): unknown;
}

/** At most ten lines a second. */
const INTERVAL_MS = 100;

/** One line on a terminal, overwritten with blanks instead of escapes; does nothing where there is no terminal. */
export function createProgress(stream: ProgressStream, terminal: Terminal): Progress {
  let shown = 0;
  let last = Number.NEGATIVE_INFINITY;
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  let finished = !terminal.isTty;

  function show(): void {
    clearTimeout(timer);
    timer = undefined;
    // The last column stays free: writing there makes some terminals start a new line.
    const text = cutTo(oneLine(pending), terminal.columns - 1);
    stream.write(`\r${padTo(text, shown)}`);
    shown = widthOf(text);
    last = performance.now();
  }

  return {
    update(text) {
      if (finished) return;
      pending = text;
      const wait = last + INTERVAL_MS - performance.now();
      if (wait <= 0) show();
      // The text that stays while a long step runs must be the newest one; the timer keeps no process alive.
      else timer ??= setTimeout(show, wait).unref();
    },
    done() {
      clearTimeout(timer);
      if (!finished && shown > 0) stream.write(`\r${' '.repeat(shown)}\r`);
      finished = true;
    },
  };
}
