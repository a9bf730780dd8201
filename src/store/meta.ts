import type { IndexFile } from './index-file.ts';

/** Small facts about the index as a whole: how it was built, from where, when. */
export function readMeta(index: IndexFile, key: string): string | undefined {
  return index.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

export function writeMeta(index: IndexFile, key: string, value: string): void {
  index.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
