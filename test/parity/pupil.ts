/** Drawn pupils for the searches: a dark disc about the middle, or nothing where there is no room for one. */
import type { MakeInput, Params } from './cases.ts';

const GROUND = 140;
const LEVEL = 14;
/** The short side from which a pupil is drawn. */
const ROOM = 60;

const eye: MakeInput = (width, height, i, random) => {
  const data = new Uint8Array(width * height).fill(GROUND);
  const short = Math.min(width, height);
  // No pupil is smaller than a share of the diagonal.
  const r = Math.max((0.19 + 0.05 * random()) * short, 0.04 * Math.hypot(width, height));
  const x = (width - 1) / 2 + 0.06 * short * (random() - 0.5);
  const y = (height - 1) / 2 + 0.06 * short * (random() - 0.5);
  if (short >= ROOM && r < 0.27 * short && i % 5 !== 4)
    for (let k = 0; k < data.length; k++) {
      const inside = r + 0.5 - Math.hypot((k % width) - x, Math.floor(k / width) - y);
      data[k] = Math.round(GROUND + (LEVEL - GROUND) * Math.min(1, Math.max(0, inside)));
    }
  return { width, height, format: 'u8', data };
};

/** No last pupil, or one that was near. */
const last: MakeInput = (width, height, i) => {
  const short = Math.min(width, height);
  return i % 2 ? Float32Array.of((width - 1) / 2, (height - 1) / 2, 0.2 * short, 120, LEVEL) : new Float32Array(0);
};

/** Mirror images of lamps on a ground with noise: some too large, some of two samples. */
const spots: MakeInput = (width, height, i, random) => {
  const data = Uint8Array.from({ length: width * height }, () => 90 + 20 * random());
  // The limits of textures are no matter of a window.
  for (let n = 0; n < (Math.max(width, height) > 4200 ? 0 : 1 + (i % 6)); n++) {
    const [x, y, r] = [random() * width, random() * height, 0.6 + random() * (n % 3 ? 3 : 12)];
    for (let k = 0; k < data.length; k++)
      if (Math.hypot((k % width) - x, Math.floor(k / width) - y) < r) data[k] = 200 + 55 * random();
  }
  return { width, height, format: 'u8', data };
};

/** A pupil about the middle, sometimes beside the image. */
const pupil: MakeInput = (width, height, i, random) =>
  Float32Array.of(width * (i % 4 === 3 ? 1.2 : random()), height * random(), 2 + random() * (i % 5 === 4 ? 90 : 16));

export const pupilMakers: Readonly<Record<string, MakeInput>> = {
  ...Object.fromEntries(
    ['robust', 'starburst', 'threshold', 'hough'].flatMap((name) => [
      [`pupil/${name} 0`, eye],
      [`pupil/${name} 1`, last],
    ]),
  ),
  'pupil/glints 0': spots,
  'pupil/glints 1': pupil,
};

/** The paper's circle ends at the first step of the blurred border, pixels inside of it: no reference says how far. */
export const settlePupil: Readonly<Record<string, (params: Params) => Params>> = {
  'pupil/starburst': (params) => ({ ...params, variant: 'default' }),
};
