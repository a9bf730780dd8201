import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findWorkspace,
  indexFile,
  listKnowledgeBases,
  resolveKnowledgeBase,
} from '../../src/config/workspace.ts';
import { isKbError, type KbError } from '../../src/core/errors.ts';
import { temporaryFolder } from './support.ts';

const top = temporaryFolder();
const project = join(top, 'project');
const deep = join(project, 'a', 'b');
mkdirSync(join(project, 'corpora', 'cloned'), { recursive: true });
mkdirSync(join(project, 'indexes'));
mkdirSync(join(deep, 'docs'), { recursive: true });
mkdirSync(join(deep, 'handbook'));
mkdirSync(join(top, 'elsewhere', 'corpora'), { recursive: true });
for (const file of ['handbook.yaml', 'notes.yml', '.hidden.yaml', 'README.md']) {
  writeFileSync(join(project, 'corpora', file), 'x');
}
writeFileSync(join(project, 'indexes', 'my-docs.db'), 'x');
writeFileSync(join(deep, 'own.yaml'), 'x');
const workspace = findWorkspace(deep, {});

describe('the workspace', () => {
  test('is the nearest folder upwards that holds knowledge bases', () => {
    expect(workspace).toEqual({
      start: deep,
      root: project,
      corporaDir: join(project, 'corpora'),
      indexesDir: join(project, 'indexes'),
    });
  });

  test('is the folder itself where nothing is found, a corpora folder without YAML included', () => {
    const elsewhere = join(top, 'elsewhere');
    expect(findWorkspace(elsewhere, {}).root).toBe(elsewhere);
    expect(findWorkspace(join(top, 'not-there'), {}).root).toBe(join(top, 'not-there'));
  });

  test('is KB_HOME when that is set', () => {
    expect(findWorkspace(deep, { KB_HOME: '../home' }).indexesDir).toBe(
      join(project, 'a', 'home', 'indexes'),
    );
    expect(findWorkspace(deep, { KB_HOME: '' }).root).toBe(project);
  });

  test('lists what can be ingested or asked', () => {
    expect(listKnowledgeBases(workspace)).toEqual(['handbook', 'my-docs', 'notes']);
    expect(listKnowledgeBases(findWorkspace(join(top, 'elsewhere'), {}))).toEqual([]);
  });

  test('keeps one index per name', () => {
    expect(indexFile(workspace, 'notes')).toBe(join(project, 'indexes', 'notes.db'));
  });
});

describe('a word', () => {
  test.each([
    ['handbook', { kind: 'config', file: join(project, 'corpora', 'handbook.yaml') }],
    ['notes', { kind: 'config', file: join(project, 'corpora', 'notes.yml') }],
    ['handbook.yaml', { kind: 'config', file: join(project, 'corpora', 'handbook.yaml') }],
    ['own.yaml', { kind: 'config', file: join(deep, 'own.yaml') }],
    ['./own.yaml', { kind: 'config', file: join(deep, 'own.yaml') }],
    ['./handbook', { kind: 'folder', folder: join(deep, 'handbook') }],
    ['docs', { kind: 'folder', folder: join(deep, 'docs') }],
    ['.', { kind: 'folder', folder: deep }],
    ['..', { kind: 'folder', folder: join(project, 'a') }],
    ['my-docs', { kind: 'index', name: 'my-docs', file: join(project, 'indexes', 'my-docs.db') }],
    ['My Docs', { kind: 'index', name: 'my-docs', file: join(project, 'indexes', 'my-docs.db') }],
  ])('%s is found', (word, found) => {
    expect(resolveKnowledgeBase(word, workspace)).toEqual(found);
  });

  function failure(word: string): KbError<'knowledge-base-unknown'> {
    try {
      resolveKnowledgeBase(word, workspace);
    } catch (error) {
      if (isKbError(error, 'knowledge-base-unknown')) return error;
      throw error;
    }
    throw new Error('the word was found');
  }

  test('that is nearly a name is answered with the name', () => {
    const error = failure('handbok');
    expect(error.message).toContain('did you mean handbook?');
    expect(error.hint).toBe('kb ingest handbook; with other commands: -k handbook');
    expect(error.details.known).toEqual(['handbook', 'my-docs', 'notes']);
  });

  test.each(['zzzzzz', '', ' ', './nowhere', '../corpora/handbook', 'README.md', '\0', 'my-docs/'])(
    '%j is unknown',
    (word) => {
      expect(failure(word).hint).toContain('kb ingest');
    },
  );

  test('that names a YAML file which is not there says so', () => {
    expect(() => resolveKnowledgeBase('./gone.yaml', workspace)).toThrowError(
      expect.objectContaining({ code: 'config-missing' }),
    );
  });
});
