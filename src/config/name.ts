import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const MAX_NAME = 80;

/**
 * Name of a knowledge base (and of its index file) from the path of its YAML file or folder: the base name in lower
 * case with accents removed and anything outside `a-z0-9._-` replaced by `-`. A name with no letter or digit left, or
 * longer than 80 characters, ends in a hash of the original, so that different originals stay different.
 */
export function knowledgeBaseName(path: string): string {
  const original = basename(path).replace(/\.ya?ml$/iu, '');
  const plain = original
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/gu, '');
  if (plain !== '' && plain.length <= MAX_NAME) return plain;
  const hash = createHash('sha256').update(original).digest('hex').slice(0, 8);
  return plain === '' ? `kb-${hash}` : `${plain.slice(0, MAX_NAME - 9)}-${hash}`;
}
