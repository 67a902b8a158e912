// Constants of the measures of vessels, by drawn lines of known width.
import { at } from './lines.mjs';

const WIDTHS = [1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20];
const BLURS = [0.5, 1, 1.5, 2];
const DIRECTIONS = 8;
const SIDE = 900;
/** What a line without a width counts as, px, and no error counts more. */
const MISSING = 1;

export const about = (pictures) =>
  `${pictures.length} drawn pictures, ${WIDTHS.length} widths from 1.5 to 20 px in ${DIRECTIONS} directions, blur 0.5 to 2 px, noise 1 to 3 ` +
  `gray levels, other directions and seeds than those of \`widths vessels\`. Worth: less the mean error of the widths, px, no error ` +
  `more than ${MISSING} and ${MISSING} where there is none. Groups: directions.`;

export const constants = [
  ...at('src/vessels/segment', [
    ['measures.ts', 'SMOOTH = { widths: 0.5', 0.35, 0.7],
    ['measures.ts', 'SMOOTH = { widths: 0.5, least: 2', 1.5, 3],
    ['measures.ts', 'SHARE = 0.4', 0.3, 0.5],
    ['measures.ts', 'NARROW = 1.25', 1, 1.5],
    ['measures.ts', 'BLUR = 0.7', 0.5, 1],
    ['profile-lines.ts', 'MISFIT = 0.35', 0.26, 0.46],
    ['profile-lines.ts', 'ALONG = { widths: 1.5', 1.1, 2],
    ['profile-lines.ts', 'ALONG = { widths: 1.5, least: 3', 2, 4],
    ['profile-lines.ts', '=> 1.1', 0.95, 1.3],
    ['profile-lines.ts', '=> 1.1 * width + 3', 2.4, 3.8],
    ['profile-lines.ts', 'ENOUGH = 200', 140, 280],
    ['profile-lines.ts', 'UNSURE = 0.03', 0.02, 0.045],
    ['profile-lines.ts', 'WIDE = 3', 2.3, 3.9],
    ['prune.ts', 'LEAST_LENGTH = 1', 0.75, 1.3],
    ['prune.ts', 'LEAST_BRANCH = 0.25', 0.18, 0.34],
  ]),
  ...at('assembly/vessels/segment', [
    ['profile-fit.ts', 'SPRING = 0.001', 0.0005, 0.002],
    ['profile-fit.ts', 'LOOSE = 0.0003', 0.00015, 0.0006],
    ['profile-fit.ts', 'LEAST = 0.3', 0.22, 0.4],
    ['profile-fit.ts', 's * s + 0.007', 0.005, 0.01],
    ['profile-fit.ts', 'iteration ? 0.0625', 0.045, 0.085],
  ]),
];

/** `cap`: how lines of a direction end. */
export async function prepare({ importTs, more = 0, cap }) {
  const { drawnPhotograph } = await importTs('test/vessels/drawn.ts');
  const { parallels, scene } = await importTs('test/vessels/scenes.ts');
  const pictures = [];
  for (let k = 0; k < DIRECTIONS; k++)
    for (const part of [0, 1]) {
      const widths = WIDTHS.filter((_, i) => i % 2 === part);
      const lines = parallels(SIDE, 0.09 + more / 1e5 + (Math.PI * k) / DIRECTIONS, widths).map((line) => ({
        ...line,
        ...(line.width >= 10 && { reflex: 0.4 }),
        ...(cap && { cap: cap(k) }),
      }));
      const look = {
        blur: BLURS[(k + part) % BLURS.length],
        noise: 1 + (k % 3),
        fundus: true,
        seed: 501 + more + 2 * k + part,
      };
      pictures.push({ group: `direction ${k}`, lines, image: drawnPhotograph(scene(SIDE, lines, look)) });
    }
  return pictures;
}

/** By direction: lines, the sum of their errors, and those that have no width. */
export async function measure({ importTs }, pictures) {
  const { createEngine } = await importTs('src/index.ts');
  const { segmentOn } = await importTs('test/vessels/scenes.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { group, lines, image } of pictures) {
    const counts = (groups[group] ??= { lines: 0, error: 0, missing: 0 });
    const { segments } = await engine.vessels(image, { scales: 'all', measures: true });
    for (const line of lines) {
      const width = segmentOn(line, segments)?.width;
      counts.lines++;
      if (width === undefined) counts.missing++;
      counts.error += width === undefined ? MISSING : Math.min(MISSING, Math.abs(width - line.width));
    }
  }
  await engine.dispose();
  return groups;
}

export const worth = ({ lines, error }) => -error / lines;
export const figures = ({ lines, error, missing }) =>
  `mean error ${(error / lines).toFixed(4)} px, ${missing} of ${lines} lines without a width`;
