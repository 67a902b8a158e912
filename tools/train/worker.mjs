// One thread of the trainer: scores the split candidates that it is given.
import { parentPort } from 'node:worker_threads';
import { bestSplit } from './trees.mjs';

let state = null;
parentPort.on('message', ({ set, members, total, tests, id }) => {
  if (set) state = set;
  else parentPort.postMessage({ id, ...bestSplit({ ...state, members, total, tests }) });
});
