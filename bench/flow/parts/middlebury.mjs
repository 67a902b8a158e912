// Middlebury pairs of ../shared/data/flow and how far a flow is from their truth.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

export const names = ['RubberWhale', 'Dimetrodon', 'Venus', 'Grove2'];

/** Color frames as RGBA, and the true flow: u, v interleaved, above 1e9 where it is not known. */
export async function readPairs(shared) {
  const { decodePng } = await import(pathToFileURL(path.join(shared, 'golden/load.mjs')).href);
  return names.map((name) => {
    const folder = path.join(shared, 'data/flow', name);
    const files = [10, 11].map((k) => path.join(folder, `frame${k}.png`));
    const [previous, next] = files.map((file) => rgba(decodePng(readFileSync(file))));
    const flo = readFileSync(path.join(folder, 'flow10.flo'));
    const truth = new Float32Array(flo.buffer.slice(flo.byteOffset + 12, flo.byteOffset + flo.length));
    return { name, previous, next, truth, files };
  });
}

function rgba({ width, height, channels, data }) {
  const out = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) out[4 * i + c] = data[channels * i + (channels < 3 ? 0 : c)];
  return { width, height, data: out };
}

/**
 * Mean endpoint error in px over all pixels with known truth and over the valid ones, their share, and the mean angle in
 * degrees between (u, v, 1) and its truth (Barron, Fleet, Beauchemin 1994).
 */
export function score(u, v, valid, truth) {
  const sum = { all: 0, known: 0, good: 0, share: 0, angle: 0 };
  for (let i = 0; i < u.length; i++) {
    const [a, b] = [truth[2 * i], truth[2 * i + 1]];
    if (Math.abs(a) > 1e9 || Math.abs(b) > 1e9) continue;
    const error = Math.hypot(u[i] - a, v[i] - b);
    sum.all += error;
    sum.known++;
    const cosine = (u[i] * a + v[i] * b + 1) / Math.sqrt((u[i] ** 2 + v[i] ** 2 + 1) * (a * a + b * b + 1));
    sum.angle += Math.acos(Math.min(1, cosine));
    if (!valid[i]) continue;
    sum.good += error;
    sum.share++;
  }
  return {
    all: sum.all / sum.known,
    valid: sum.good / sum.share,
    share: sum.share / sum.known,
    angle: ((180 / Math.PI) * sum.angle) / sum.known,
  };
}
