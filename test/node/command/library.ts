/** What the tests of the command use of it, and an engine that finds the sum of a picture. */
import { analyseWith, type Runner } from '../../../src/command/analyse.ts';
import { runJob } from '../../../src/command/job.ts';
import { parsed } from '../../../src/command/plan.ts';
import { analysisOptions } from '../../../src/command/usage.ts';
import type { Engine, GrayImage } from '../../../src/node/index.ts';
import { tiffFile } from '../../support/tiff-writer.ts';

export { entryFromText } from '../../../src/command/entry.ts';
export { inputFiles } from '../../../src/command/inputs.ts';
export { runJob } from '../../../src/command/job.ts';
export { keyOf } from '../../../src/command/job-key.ts';
export { Manifest } from '../../../src/command/manifest.ts';
export { addressParts, nameFault } from '../../../src/command/entry.ts';
export { patternOf } from '../../../src/command/walk.ts';
export { allowing } from '../../../src/command/queue/check-job.ts';
export { checkedJob, mendedData, nameOf, newerVersion } from '../../../src/command/queue/check-job.ts';
export { hashOf, localInput } from '../../../src/command/queue/locations.ts';
export { readRows } from '../../../src/command/rows.ts';
export { lines as plotsOf, report } from '../../../src/command/report.ts';
export { scorePupils } from '../../../src/command/score/pupils.ts';
export { annotations } from '../../../src/command/score/index.ts';
export { printable } from '../../../src/command/progress.ts';
export { clearParts, WholeFiles } from '../../../src/command/whole-files.ts';
export { createEngine, FoveolaError, version } from '../../../src/node/index.ts';

const WIDTH = 4;
const samples = (seed: number) => Array.from({ length: WIDTH * WIDTH }, (_, k) => (k * 7 + seed * 31) % 251);

/** A picture of some hundred bytes, of one size for every seed. */
export const picture = (seed: number) => tiffFile([{ width: WIDTH, height: WIDTH, data: samples(seed) }]);

export const engine = {
  capabilities: { threads: 1 },
  houghLines: async ({ data }: GrayImage) => [{ rho: data[0], theta: 0, votes: 1 }],
} as unknown as Engine;

/** What a result has of the picture that it was made of. */
export const found = (seed: number) => `${samples(seed)[0]},0,1,`;

const here: Runner = async function* (jobs) {
  for (const job of jobs) yield [await runJob(job, engine)];
};

/** `foveola edges --operation lines WORDS`, in this process: its exit code and what it prints. */
export async function lines(words: readonly string[], runner: Runner = here) {
  let text = '';
  const stream = { isTTY: false, write: (piece: string) => ((text += piece), true) } as unknown as NodeJS.WriteStream;
  const { values, positionals } = parsed(['--operation', 'lines', ...words], analysisOptions);
  try {
    return { code: await analyseWith(runner, 'edges', values, positionals, stream), text };
  } catch (error) {
    return { code: 1, text: `${text}foveola: ${(error as Error).message}\n` };
  }
}
