// Constants by which a vessel's ends are found, by the lengths of drawn lines.
import { prepare as drawn } from './widths.mjs';
import { at } from './lines.mjs';

/** An error that counts as much as no length, px. */
const MISSING = 6;
/** Other pictures than those of `constants widths`. */
const MORE = 4000;

export const about = (pictures) =>
  `${pictures.length} drawn pictures as those of \`constants widths\`, others; the lines of every second direction end round (and are as long as to the middle of that circle). Worth: less the mean error of the ` +
  `lengths, px, no error more than ${MISSING} and ${MISSING} where there is none. Groups: directions.`;

export const constants = at('src/vessels/segment', [
  ['ends.ts', 'BESIDE = 0.35', 0.28, 0.42],
  ['ends.ts', 'CORNERS = [0.35', 0.28, 0.39],
  ['ends.ts', 'CORNERS = [0.35, 0.4', 0.37, 0.5],
  ['ends.ts', 'STEP = 0.25', 0.18, 0.35],
  ['ends.ts', 'DEPTH = 4', 3, 6],
  ['ends.ts', 'far = 2.5', 2, 3.2],
  ['ends.ts', 'border = 0.9', 0.75, 1.1],
]);

export const prepare = (given) =>
  drawn({ ...given, more: MORE + (given.more ?? 0), cap: (direction) => (direction % 2 ? 'round' : 'butt') });

/** By direction: lines, the sum of the errors of their lengths, and those that have none. */
export async function measure({ importTs }, pictures) {
  const { createEngine } = await importTs('src/index.ts');
  const { lengthOfLine, segmentOn } = await importTs('test/vessels/scenes.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { group, lines, image } of pictures) {
    const counts = (groups[group] ??= { lines: 0, error: 0, missing: 0 });
    const { segments } = await engine.vessels(image, { scales: 'all', measures: true });
    for (const line of lines) {
      const length = segmentOn(line, segments)?.length;
      counts.lines++;
      if (length === undefined) counts.missing++;
      counts.error += length === undefined ? MISSING : Math.min(MISSING, Math.abs(length - lengthOfLine(line)));
    }
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ lines, error }) => -error / lines;
export const figures = ({ lines, error, missing }) =>
  `mean error ${(error / lines).toFixed(3)} px, ${missing} of ${lines} lines without a length`;
