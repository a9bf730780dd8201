// Runs in a thread of its own (dist/build-helper.cjs): builds batches of documents for the thread that writes the index.
import { parentPort } from 'node:worker_threads';
import { type BuildJob, buildDocument } from './build-document.ts';

parentPort?.on('message', (batch: readonly BuildJob[]) => parentPort?.postMessage(batch.map(buildDocument)));
