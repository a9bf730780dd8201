/** Every way kb can fail that a caller may want to tell apart, with the facts of each. */
export interface ErrorDetails {
  'usage-invalid': { readonly argument: string };
  'config-invalid': { readonly file: string; readonly problems: readonly string[] };
  'config-missing': { readonly file: string };
  'knowledge-base-unknown': { readonly name: string; readonly known: readonly string[] };
  'source-unavailable': { readonly source: string; readonly reason: string };
  'root-unreadable': { readonly path: string; readonly reason: string };
  'removal-refused': { readonly path: string; readonly documents: number };
  'address-unknown': { readonly address: string; readonly nearest: readonly string[] };
  'index-missing': { readonly path: string };
  /** Written by an older kb; an ingest lifts it. */
  'index-outdated': { readonly path: string; readonly found: number; readonly supported: number };
  'index-locked': { readonly path: string; readonly holder: string };
  'index-too-new': { readonly path: string; readonly found: number; readonly supported: number };
  'index-corrupt': { readonly path: string; readonly reason: string };
  'index-foreign': { readonly path: string; readonly reason: string };
  'index-unwritable': { readonly path: string; readonly reason: string };
  /** The native module that reads indexes cannot be loaded. */
  'sqlite-unavailable': { readonly reason: string };
  'embedder-changed': { readonly indexed: string; readonly configured: string };
  /** No connection, or none any more. */
  'model-unreachable': { readonly url: string };
  /** The server answered with an error status or an error body. */
  'model-rejected': { readonly status: number; readonly body: string };
  /** The prompt is longer than the server's window. Absent numbers: the server did not say. */
  'model-overflow': { readonly window?: number; readonly prompt?: number };
  'model-timeout': { readonly seconds: number };
  'model-no-tools': { readonly model: string };
  'model-malformed': { readonly reason: string };
  /** No connection to the embeddings server, or none any more. */
  'embedder-unreachable': { readonly url: string };
  'embedder-timeout': { readonly seconds: number };
  'embedder-rejected': { readonly status: number; readonly body: string };
  /** What came is no list of vectors, or vectors that cannot be right. */
  'embedder-malformed': { readonly reason: string };
  /** A model or package that embedding in this process needs is not on this machine. */
  'embedder-missing': { readonly what: string };
  aborted: Record<never, never>;
  internal: Record<never, never>;
}
export type ErrorCode = keyof ErrorDetails;

export class KbError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'KbError';
  readonly code: Code;
  readonly details: ErrorDetails[Code];
  /** What to do next, as a command or a setting; shown under the message. */
  readonly hint: string | undefined;

  constructor(
    code: Code,
    message: string,
    details: ErrorDetails[Code],
    extra: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.details = details;
    this.hint = extra.hint;
  }
}

/** Narrows to one code, so that `details` gets its type. */
export function isKbError<Code extends ErrorCode>(error: unknown, code: Code): error is KbError<Code> {
  return error instanceof KbError && error.code === code;
}
