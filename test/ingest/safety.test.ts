import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { putDocument } from '../../src/store/documents.ts';
import { openForWriting } from '../../src/store/index-file.ts';
import { acquireWriterLock } from '../../src/store/writer-lock.ts';
import { document } from '../store/support.ts';
import { writeTree } from '../support/folders.ts';
import { kbErrorOf, statuses, TestBase } from '../support/knowledge-base.ts';
import { PAGE, paths, soundness } from './support.ts';

describe('what is gone is only believed where it could be seen', () => {
  test('a folder that lost all its documents is refused without --force', async () => {
    const base = new TestBase({ 'a.md': PAGE('a') });
    await base.ingest();
    rmSync(join(base.docs, 'a.md'));
    const error = await kbErrorOf(() => base.ingest());
    expect(error.code).toBe('removal-refused');
    expect(error.details).toMatchObject({ documents: 1 });
    expect(error.hint).toMatch(/--force/u);
    expect(await paths(base)).toEqual(['a.md']);
    expect((await base.ingest({ force: true })).totals).toMatchObject({ removed: 1, seen: 0 });
    expect(await paths(base)).toEqual([]);
  });

  test('a folder that is gone is an error and nothing is deleted', async () => {
    const base = new TestBase({ 'a.md': PAGE('a') });
    await base.ingest();
    renameSync(base.docs, `${base.docs}-away`);
    for (const options of [{}, { force: true }]) {
      const error = await kbErrorOf(() => base.ingest({ ...options, kb: 'docs' }));
      expect(error.code).toBe('root-unreadable');
      expect(error.hint).toMatch(/nothing was changed/u);
    }
    expect(await paths(base)).toEqual(['a.md']);
  });

  test('one configured path of several that is gone is an error too, and --force drops its documents', async () => {
    const base = new TestBase({ 'one/a.md': PAGE('a'), 'two/b.md': PAGE('b') });
    const config = join(base.home, 'agent.yaml');
    writeFileSync(config, 'harness:\n  knowledge:\n    paths: [docs/one, docs/two, docs/never]\n');
    const first = await base.ingest({ kb: undefined, config });
    expect(first.missingPaths).toEqual(['docs/never']);
    rmSync(join(base.docs, 'two'), { recursive: true });
    const error = await kbErrorOf(() => base.ingest({ kb: undefined, config }));
    expect(error.code).toBe('root-unreadable');
    expect(await paths(base)).toEqual(['docs/one/a.md', 'docs/two/b.md']);
    const forced = await base.ingest({ kb: undefined, config, force: true });
    expect(forced.totals.removed).toBe(1);
    expect(await paths(base)).toEqual(['docs/one/a.md']);
  });

  test('a path that is no longer configured is dropped', async () => {
    const base = new TestBase({ 'one/a.md': PAGE('a'), 'two/b.md': PAGE('b') });
    const config = join(base.home, 'agent.yaml');
    writeFileSync(config, 'harness:\n  knowledge:\n    paths: [docs/one, docs/two]\n');
    await base.ingest({ kb: undefined, config });
    writeFileSync(config, 'harness:\n  knowledge:\n    paths: [docs/one]\n');
    expect(statuses(await base.ingest({ kb: undefined, config }))).toEqual({
      'docs/one/a.md': 'unchanged',
      'docs/two/b.md': 'removed',
    });
  });
});

describe('an index', () => {
  test('of another knowledge base of the same name is not overwritten without --force', async () => {
    const [mine, other] = [new TestBase({ 'a.md': PAGE('mine') }), new TestBase({ 'b.md': PAGE('other') })];
    await mine.ingest();
    const takeOver = (options: object) => other.ingest({ environment: mine.environment, ...options });
    const error = await kbErrorOf(() => takeOver({}));
    expect(error.code).toBe('index-foreign');
    expect(error.hint).toMatch(/--name/u);
    expect(await paths(mine)).toEqual(['a.md']);
    expect((await takeOver({ name: 'Second one' })).knowledgeBase).toBe('second-one');
    const named = await mine.use((kb) => [kb.located.name, kb.located.others]);
    expect(named).toEqual(['second-one', ['docs']]);
    await takeOver({ force: true });
    rmSync(join(mine.home, 'indexes/second-one.db'));
    expect(await paths(mine)).toEqual(['b.md']);
  });

  test('goes on with a knowledge base that was moved', async () => {
    const base = new TestBase({ 'a.md': PAGE('a') });
    await base.ingest();
    mkdirSync(join(base.home, 'elsewhere'));
    renameSync(base.docs, join(base.home, 'elsewhere/docs'));
    const report = await base.ingest({ kb: join(base.home, 'elsewhere/docs') });
    expect(statuses(report)).toEqual({ 'a.md': 'unchanged' });
  });

  test('held by another writer is left alone, and the error says by whom', async () => {
    const base = new TestBase({ 'a.md': PAGE('a') });
    await base.ingest();
    const lock = acquireWriterLock(base.indexPath);
    const error = await kbErrorOf(() => base.ingest());
    expect(error.code).toBe('index-locked');
    expect(error.message).toContain(`process ${process.pid} `);
    lock.release();
    await base.ingest();
  });

  test('keeps its state when an ingest is interrupted, before it starts or in the middle', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`${n}.md`, PAGE(`word${n}`).repeat(20)]),
    );
    const base = new TestBase({ 'a.md': PAGE('old') });
    await base.ingest();
    base.write({ ...many, 'a.md': PAGE('new') });
    const before = AbortSignal.abort();
    expect((await kbErrorOf(() => base.ingest({ signal: before }))).code).toBe('aborted');
    const middle = new AbortController();
    const error = await kbErrorOf(() =>
      base.ingest({
        signal: middle.signal,
        onProgress: (step) => {
          if (step.phase === 'files' && step.done > 10) middle.abort();
        },
      }),
    );
    expect([error.code, error.message]).toEqual(['aborted', 'interrupted; the index is as it was before']);
    expect(await paths(base)).toEqual(['a.md']);
    expect((await base.use((kb) => kb.search({ text: 'old' }))).hits).not.toEqual([]);
    expect(soundness(base)).toEqual([]);
    expect((await base.ingest()).totals).toMatchObject({ indexed: 301 });
  });

  test('keeps its state when the disk refuses a write in the middle', async () => {
    const base = new TestBase({ 'a.md': PAGE('old') });
    await base.ingest();
    const index = openForWriting(base.indexPath);
    // As a full disk: no page may be added.
    const pages = Number(index.database.pragma('page_count', { simple: true }));
    index.database.pragma(`max_page_count = ${pages + 2}`);
    const error = await kbErrorOf(() =>
      index.transactionAsync(async () => {
        for (let n = 0; n < 200; n += 1)
          putDocument(index, document(`${n}.md`, [['A', 'filler '.repeat(900)]]));
        return true;
      }),
    );
    expect(error.code).toBe('index-unwritable');
    expect(error.message).toMatch(/full/u);
    index.close();
    expect(await paths(base)).toEqual(['a.md']);
    expect(soundness(base)).toEqual([]);
  });

  test('of links in the path of the source is the same index', async () => {
    const base = new TestBase({ 'a.md': PAGE('a') });
    symlinkSync(base.docs, join(base.home, 'alias'));
    const report = await base.ingest({ kb: join(base.home, 'alias') });
    expect(statuses(report)).toEqual({ 'a.md': 'indexed' });
    const hit = (await base.use((kb) => kb.search({ text: 'about' }))).hits[0];
    expect(hit?.freshness).toBe('fresh');
  });

  test("of a source behind a link knows what stands above its folders: ignore files and the site's configuration", async () => {
    const base = new TestBase({ 'note.md': PAGE('note') });
    const files = {
      'site/.gitignore': 'drafts/\n',
      'site/_config.yml': 'markdown: kramdown\n',
      'site/_docs/a.md': '# A\n\n## Über uns\n\ntext\n',
      'site/_docs/drafts/b.md': PAGE('b'),
    };
    writeTree(base.home, files);
    symlinkSync(join(base.home, 'site'), join(base.home, 'alias'));
    const yaml =
      'identity: S\nharness:\n  knowledge:\n    sources: { s: { git: https://example.org/s } }\n    paths: [s/_docs]\n';
    writeTree(base.home, { 'corpora/s.yaml': yaml });
    const local = (name: string) => new Map([['s', join(base.home, name)]]);
    const direct = await base.ingest({ kb: 's', local: local('site') });
    const linked = await base.ingest({ kb: 's', local: local('alias') });
    expect(direct.anchorRule).toEqual(linked.anchorRule);
    expect(JSON.stringify(linked.anchorRule)).toContain('kramdown');
    expect(Object.keys(statuses(linked))).toEqual(Object.keys(statuses(direct)));
    expect(statuses(linked)).not.toHaveProperty('s/_docs/drafts/b.md');
  });
});
