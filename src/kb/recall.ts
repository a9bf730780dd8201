import { openForReading } from '../store/index-file.ts';
import { type Origin, readOrigin } from '../store/origin.ts';

/** What every schema has held from the first on: how the index was built, and from where. */
const FIRST_SCHEMA = 1;

/**
 * What an index remembers of how it was built, an older one too: an ingest that lifts it must know. Undefined for one that
 * was never completed. Throws `index-*` for a file that cannot be read.
 */
export function recallOrigin(indexPath: string): Origin | undefined {
  const index = openForReading(indexPath, FIRST_SCHEMA);
  try {
    return readOrigin(index);
  } finally {
    index.close();
  }
}
