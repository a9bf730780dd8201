import { KbError } from '../core/errors.ts';

/** Longest delay a Node timer takes, milliseconds. */
const TIMER_MAX = 2_147_483_647;

/**
 * Ends one call when the user wants it ended, or when the server has been silent too long. The limit is on silence, not
 * on the whole call: a slow stream that goes on survives, one without a new event for that many seconds fails, before
 * the first event as between two. Comment lines that only keep a connection open do not count as progress.
 */
export class CallWatch {
  readonly signal: AbortSignal;
  readonly #seconds: number;
  readonly #user: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  #expired = false;

  constructor(seconds: number, user: AbortSignal) {
    const silence = new AbortController();
    this.#seconds = seconds;
    this.#user = user;
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        silence.abort();
      },
      Math.min(seconds * 1000, TIMER_MAX),
    );
    this.signal = AbortSignal.any([user, silence.signal]);
  }

  /** The server did something: the time starts again. */
  progress(): void {
    if (!this.#expired) this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Why the call was ended from this side; undefined when it was not. */
  ended(): KbError<'aborted'> | KbError<'model-timeout'> | undefined {
    if (this.#user.aborted) return new KbError('aborted', 'the call to the model was stopped', {});
    if (!this.#expired) return undefined;
    return new KbError(
      'model-timeout',
      `the model server sent nothing for ${this.#seconds} seconds`,
      { seconds: this.#seconds },
      {
        hint: 'raise llm.budget.call_timeout (a large model needs minutes for a long prompt), or take a smaller model',
      },
    );
  }

  /** Waits; rejects with {@link ended} when the call is ended meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.signal.addEventListener('abort', done, { once: true });
      if (this.signal.aborted) done();
    });
    const ended = this.ended();
    if (ended !== undefined) throw ended;
    this.progress();
  }
}
