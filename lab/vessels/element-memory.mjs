// Vessels: what the element takes for a photograph of 24 megapixels, in a page of the built script.
import { fixed, Report } from '../../bench/parts/report.mjs';
import { elementMemory } from './parts/element-memory.mjs';

/** 24 megapixels, the most that an element shows. */
const LARGEST = [6000, 4000];
/** Of an element beside all else on its page, MiB. */
const WANTED = 512;
/** Each starts with a browser of its own. */
const ROUNDS = 3;

export default async function memory(given) {
  const report = new Report(given);
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push(await elementMemory(given, LARGEST));
  const row = (what, name, digits, wanted = '') => {
    const values = rounds.map((one) => one[name]).sort((a, b) => a - b);
    return [what, fixed(values[ROUNDS >> 1], digits), fixed(values.at(-1), digits), wanted];
  };
  report.heading(`\`<foveola-vessels>\` in a page of the built script, JPEG of ${LARGEST.join('x')}`);
  report.table([
    ['at its peak', `median of ${ROUNDS}`, 'most', 'wanted'],
    row('arena, MiB', 'arena', 0),
    row('arena, bytes a pixel', 'bytesAPixel', 2),
    row('renderer, resident, MiB above idle', 'renderer', 0, `at most ${WANTED}`),
    row('all processes of the browser, proportional, MiB above idle', 'all', 0, `at most ${WANTED}`),
    row('time to the result, s', 'seconds', 1),
  ]);
  report.finish('lab/results/performance.md', 'element-memory vessels', 'element-memory vessels');
}
