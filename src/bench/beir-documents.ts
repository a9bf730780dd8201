import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KbError } from '../core/errors.ts';
import type { BeirDocument } from './beir.ts';
import { makeFolder } from './files.ts';

/** How the texts of a collection are meant: Markdown with headings that cut sections, or words only. */
export type TextFormat = 'markdown' | 'text';

const PUNCTUATION = /[!-/:-@[-`{-~]/gu;
/** Characters that would make a file binary, or a YAML header invalid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu;
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu;

/**
 * Writes each document as one Markdown file, so that it is ingested as any other. Those of an earlier state of the
 * collection are deleted; `usage-invalid` where the folder holds anything else, and nothing is touched then. Gives the
 * document's id by its path: file names are made of letters only, since an id may be anything and is a title where a
 * document has none.
 */
export function writeDocuments(
  documents: readonly BeirDocument[],
  folder: string,
  format: TextFormat,
): Map<string, string> {
  makeFolder(folder);
  deleteDocuments(folder);
  const ids = new Map<string, string>();
  for (const document of documents) {
    const path = `${nameOf(document.id)}.md`;
    writeFileSync(join(folder, path), asMarkdown(document, format));
    ids.set(path, document.id);
  }
  return ids;
}

/** Somebody may have named a folder of their own. */
function deleteDocuments(folder: string): void {
  const names = readdirSync(folder);
  const foreign = names.find((name) => !OWN_NAME.test(name));
  if (foreign !== undefined) {
    throw new KbError(
      'usage-invalid',
      `${folder} holds ${foreign}, which kb bench did not write`,
      { argument: '--work' },
      { hint: 'name a folder that holds nothing else: --work FOLDER' },
    );
  }
  for (const name of names) rmSync(join(folder, name));
}

/** The source of a page that shows the title and the text. */
export function asMarkdown({ title, text }: Omit<BeirDocument, 'id'>, format: TextFormat): string {
  const clean = text.replace(CONTROLS, ' ');
  const body = format === 'markdown' ? clean : escapeText(clean);
  const name = title.replace(CONTROLS, ' ').trim();
  return name === '' ? `${body}\n` : `---\ntitle: ${quote(name)}\n---\n\n${body}\n`;
}

/** Any punctuation may be escaped in Markdown, and with none left nothing is markup; indented lines would be code. */
function escapeText(text: string): string {
  return text
    .split(/\r\n?|\n/u)
    .map((line) => line.trim().replace(PUNCTUATION, '\\$&'))
    .join('\n');
}

/** A JSON string is a YAML string, apart from a few characters that YAML wants escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const LETTERS = 16;
const OWN_NAME = new RegExp(`^[a-z]{${LETTERS}}\\.md$`, 'u');

/** 16 letters, the same for the same id: 75 bits of its SHA-256. */
function nameOf(id: string): string {
  const digest = createHash('sha256').update(id).digest();
  return [...digest.subarray(0, LETTERS)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
}
