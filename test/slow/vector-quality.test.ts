import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mean, recall } from '../../src/bench/metrics.ts';
import { type Question, readQuestions } from '../../src/bench/questions.ts';
import { isSameSection } from '../../src/bench/score-sections.ts';
import type { Fusion, Tier } from '../../src/core/search.ts';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../src/kb.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const QUESTIONS = sharedPath('qa', 'openvox-docs.dev.jsonl');
const PATHS = [
  'openvox-docs/docs/_openvox_8x',
  'openvox-docs/docs/_openvox-server_8x',
  'openvox-docs/docs/_openvoxdb_8x',
  'openvox-docs/docs/_ecosystem_8x',
  'openvox-docs/docs/_openbolt_5x',
  'openvox-docs/docs/_openfact_5x',
  'openvox-docs/docs/_openvox-containers_latest',
  'openvox-docs/docs/background',
  'puppet-specifications/language',
];

describe.skipIf(!hasShared('qa', 'openvox-docs.dev.jsonl') || !hasShared('corpora', 'openvox-docs'))(
  'hybrid retrieval of real questions, with vectors that know words and spellings only',
  () => {
    const home = temporaryFolder();
    const where = { config: 'docs.yaml', cwd: home, environment: { KB_HOME: home } };
    let server: EmbeddingServer;
    let kb: Kb;
    let questions: Question[];
    beforeAll(async () => {
      server = await EmbeddingServer.start();
      const knowledge = { paths: PATHS, embeddings: { base_url: server.url, model: 'hashed' } };
      writeFileSync(join(home, 'docs.yaml'), JSON.stringify({ harness: { knowledge } }));
      const local = ['openvox-docs', 'puppet-specifications'].map((name): [string, string] => [
        name,
        sharedPath('corpora', name),
      ]);
      await ingestKb({ ...where, local: new Map(local) });
      kb = await openKb(where);
      questions = readQuestions(QUESTIONS).filter((one) => one.relevant.length > 0);
    });
    afterAll(async () => {
      kb.close();
      await server.stop();
    });

    /** Mean recall in the first k of a search for k. */
    async function recallAt(k: number, tier: Tier, kind?: string, fusion: Fusion = 'rrf'): Promise<number> {
      const asked = questions.filter((one) => kind === undefined || one.kind === kind);
      const recalls: number[] = [];
      for (const { question, relevant } of asked) {
        const { hits } = await kb.search({
          text: question,
          topK: k,
          maxTokens: 0,
          tier,
          fusion,
          copies: 'apart',
        });
        const judged = new Map(relevant.map((one) => [`${one.path}:${one.line}`, one.grade]));
        const found = hits.flatMap((hit) => {
          const match = relevant.find((one) => isSameSection(one, hit.path, hit.lines.first));
          return match === undefined ? [] : [`${match.path}:${match.line}`];
        });
        recalls.push(recall(judged, found, k));
      }
      return mean(recalls);
    }

    test('finds at least as much in fifty as the words alone', async () => {
      const figures = {
        lexical: await recallAt(50, 'lexical'),
        vector: await recallAt(50, 'vector'),
        rrf: await recallAt(50, 'hybrid'),
        minmax: await recallAt(50, 'hybrid', undefined, 'minmax'),
      };
      expect(figures.rrf, JSON.stringify(figures)).toBeGreaterThanOrEqual(figures.lexical);
    });

    test('loses no question for an identifier among twenty', async () => {
      const figures = {
        lexical: await recallAt(20, 'lexical', 'identifier'),
        vector: await recallAt(20, 'vector', 'identifier'),
        rrf: await recallAt(20, 'hybrid', 'identifier'),
        minmax: await recallAt(20, 'hybrid', 'identifier', 'minmax'),
      };
      expect(figures.rrf, JSON.stringify(figures)).toBeGreaterThanOrEqual(figures.lexical);
    });
  },
);
