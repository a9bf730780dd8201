import { acquireWriterLock } from '../../src/store/writer-lock.ts';

// Run as a process of its own: takes the lock of the index named, says so, and holds it until it is killed.
const [, , indexPath = ''] = process.argv;
acquireWriterLock(indexPath);
process.stdout.write('held\n');
setInterval(() => undefined, 1000);
