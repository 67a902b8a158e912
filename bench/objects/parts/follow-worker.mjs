// A thread of `tune objects`: follows one sequence with one setting for each message, and answers with its score.
import { parentPort, workerData } from 'node:worker_threads';
import { root } from '../../../tools/setup.mjs';
import { importTs } from '../../../tools/import-ts.mjs';
import { follow, openParts, score } from './follow.mjs';
import { openSequence } from './sequences.mjs';

const parts = await openParts({ root, importTs });
let open = { name: null, sequence: null };
parentPort.on('message', async ({ key, name, seed, rule, look, way }) => {
  // The longest take 2 GB: one at a time.
  if (open.name !== name) {
    open = { name, sequence: null };
    open.sequence = openSequence(workerData.shared, name, undefined, { color: true });
  }
  parentPort.postMessage({ key, result: score(await follow(parts, open.sequence, { seed, rule, look, way })) });
});
parentPort.postMessage({ key: null });
