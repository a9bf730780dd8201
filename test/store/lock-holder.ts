import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { acquireWriterLock } from '../../src/store/writer-lock.ts';

// Run as a process of its own: takes the lock of the index named, says so, and holds it until it is killed. With `nameless`
// it has not yet written its name; it does so, or leaves, a moment later.
const [, , indexPath = '', manner = '', later = ''] = process.argv;
const lock = acquireWriterLock(indexPath);
const name = `${indexPath}.holder`;
const text = readFileSync(name, 'utf8');
if (manner === 'nameless') {
  rmSync(name);
  setTimeout(() => (later === 'leaves' ? lock.release() : writeFileSync(name, text)), 150);
}
process.stdout.write('held\n');
setInterval(() => undefined, 1000);
