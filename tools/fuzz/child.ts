/** The process that is fuzzed: trial after trial of one target, until it is killed. What it says is where it is and what failed. */
import { randomOf } from './mutation.ts';
import { targets, type Trial } from './targets.ts';

/** `each`: says before every trial which one it is, to find the one that hangs. */
export interface Start {
  target: string;
  seed: number;
  from: number;
  to: number;
  root: string;
  each: boolean;
  milliseconds: number;
}
export type Heard =
  { at: number } | { failed: number; message: string; shown: string; smallest: number } | { done: number };

const REPORT = 250;
/** A trial that takes longer than this has failed, though it came to an end. */
const SLOW = 5000;

/** What is wrong, or null: a result, and an error of ours that names the fault, are both well. */
async function faultOf(trial: Trial): Promise<string | null> {
  const began = performance.now();
  try {
    await trial.run();
  } catch (error) {
    const { name, code, message = String(error) } = error as { name?: string; code?: string; message?: string };
    if (name !== 'FoveolaError' || code === 'internal')
      return `${name ?? 'no error'} ${code ?? ''}: ${message}`.slice(0, 300);
  }
  const took = performance.now() - began;
  return took > SLOW ? `took ${(took / 1000).toFixed(1)} s` : null;
}

/** With as few changes as fail in the same way. */
async function smallest(trial: Trial): Promise<Trial> {
  let least = trial;
  for (let i = least.changes.length - 1; i >= 0; i--) {
    const fewer = least.with(least.changes.filter((_, k) => k !== i));
    if (await faultOf(fewer)) least = fewer;
  }
  return least;
}

async function work({ target, seed, from, to, root, each, milliseconds }: Start): Promise<void> {
  const tell = (heard: Heard) => process.send!(heard);
  const make = await targets[target]!(root);
  const end = performance.now() + milliseconds;
  let last = performance.now();
  let number = from;
  for (; number < to && performance.now() < end; number++) {
    if (each || performance.now() - last > REPORT) {
      tell({ at: number });
      last = performance.now();
      await new Promise((resolve) => setImmediate(resolve)); // until it is sent
    }
    const trial = make(randomOf(seed + 7919 * number));
    const message = await faultOf(trial);
    if (message === null) continue;
    const least = await smallest(trial);
    const shown = least.shown();
    tell({
      ...{ failed: number, message, smallest: least.changes.length },
      shown: typeof shown === 'string' ? shown : Buffer.from(shown).toString('base64'),
    });
  }
  tell({ done: number });
}

process.once('message', (start: Start) => {
  work(start).catch(() => process.exit(1)); // the target itself: its parent says so
});
