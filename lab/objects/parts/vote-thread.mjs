// A thread of the false sharing measurement (lab/objects/windows.mjs): sums ten posteriors of each window of its chunk.
import { parentPort, workerData } from 'node:worker_threads';

const { codes, posteriors, places, confidences, own, from, to, state, calls } = workerData;
const FERNS = 10;
const [START, DONE] = [0, 1];

function vote(window) {
  let sum = 0;
  for (let fern = 0; fern < FERNS; fern++) sum += posteriors[codes[window * FERNS + fern]];
  return sum / FERNS;
}

parentPort.postMessage('ready');
for (let call = 1; call <= calls; call++) {
  for (let now = Atomics.load(state, START); now < call; now = Atomics.load(state, START))
    Atomics.wait(state, START, now);
  if (own) for (let i = from; i < to; i++) own[i - from] = vote(i);
  else for (let i = from; i < to; i++) confidences[places[i]] = vote(i);
  Atomics.add(state, DONE, 1);
  Atomics.notify(state, DONE);
}
