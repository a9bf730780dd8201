/** A value that a document's front matter must have; one of a list counts too. */
export interface FieldFilter {
  /** Of the metadata; `a.b` is the key b within a. */
  readonly key: string;
  readonly value: string;
}

/** Which documents are looked at; all of them without either. */
export interface DocumentScope {
  /** At or below this path, at folder boundaries. */
  readonly path?: string;
  /** With all of these values, compared without regard to the case of ASCII letters. */
  readonly where?: readonly FieldFilter[];
}

/** Reads `key=value`; undefined for anything else. */
export function parseFieldFilter(text: string): FieldFilter | undefined {
  const found = /^(?<key>[^=\s"]{1,200})=(?<value>.*)$/su.exec(text.trim())?.groups;
  const value = found?.['value']?.trim() ?? '';
  return found?.['key'] === undefined || value === '' ? undefined : { key: found['key'], value };
}

/** A scope in words, for messages; empty for all documents. */
export function describeScope({ path = '', where = [] }: DocumentScope): string {
  const below = path === '' ? '' : ` at or below "${path}"`;
  const fields = where.map(({ key, value }) => `${key}=${value}`).join(' and ');
  return below + (fields === '' ? '' : ` with ${fields}`);
}

/** The scope alone of a query that has one. */
export function scopeOf({ path, where }: DocumentScope): DocumentScope {
  return { ...(path === undefined ? {} : { path }), ...(where === undefined ? {} : { where }) };
}
