import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { foreign, guarded } from './failure.ts';
import { APPLICATION_ID } from './schema.ts';

/** The header of an SQLite file; the application id stands in it as a big-endian number. */
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const APPLICATION_AT = 68;

/**
 * Throws index-foreign for a file that kb did not write, so that it is never deleted. Damaged pages do no harm: only the
 * first bytes are looked at. An empty file is what a kill at the wrong moment leaves behind.
 */
export function refuseForeign(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size === 0) return;
  const header = guarded(path, () => readHeader(path));
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw foreign(path, 'it is not an SQLite file');
  if (header.readUInt32BE(APPLICATION_AT) !== APPLICATION_ID)
    throw foreign(path, 'it is an SQLite file of another program');
}

function readHeader(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(file, header, 0, HEADER_BYTES, 0);
    return header;
  } finally {
    closeSync(file);
  }
}
