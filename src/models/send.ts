import { type CallContext, failureOf, header } from './failure.ts';

/** Statuses that say "not now": too many requests, loading the model, overloaded. */
const BUSY = new Set([429, 503, 529]);
const PAUSE_DEFAULT_SECONDS = 1;
/** A server that asks for a longer wait is reported instead of waited for. */
const PAUSE_MAX_SECONDS = 20;
/** Waiting does not help against an empty account. */
const NO_CREDIT = /insufficient_quota|billing|credit balance/iu;

/**
 * Sends a request; once more when the server is only busy. Not left to the SDKs: they retry every 500, resend the whole
 * prompt for it, and wait as long as a server asks, deaf to Ctrl-C.
 * @throws KbError for every refusal and connection failure
 */
export async function sendPatiently(send: () => Promise<Response>, context: CallContext): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    const pause = pauseFor(error);
    if (pause === undefined || context.watch.ended() !== undefined) throw failureOf(error, context);
    await context.watch.pause(pause * 1000);
  }
  try {
    return await send();
  } catch (error) {
    throw failureOf(error, context);
  }
}

/** Seconds to wait before a second attempt; undefined when there should be none. */
function pauseFor(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (!BUSY.has(error.status)) return undefined;
  if ('error' in error && NO_CREDIT.test(JSON.stringify(error.error) ?? '')) return undefined;
  const asked = header(error, 'retry-after');
  if (asked === undefined) return PAUSE_DEFAULT_SECONDS;
  const seconds = Number(asked);
  const pause = Number.isFinite(seconds) ? seconds : (Date.parse(asked) - Date.now()) / 1000;
  if (!Number.isFinite(pause)) return PAUSE_DEFAULT_SECONDS;
  return pause > PAUSE_MAX_SECONDS ? undefined : Math.max(pause, 0);
}
