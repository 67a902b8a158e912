/** What the benchmarks of vessels run in a page: the photographs of ../shared through the engine, pixels counted here. */
import { createEngine } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';

export interface Photograph {
  image: string;
  truth: string;
  second?: string;
  field?: string;
}

interface Counts {
  accuracy: number;
  sensitivity: number;
  specificity: number;
  dice: number;
}

export interface Scored extends Counts {
  threshold: number;
  precision: number;
  /** Of the manual pixels of vessels at least 7 pixels wide at DRIVE's scale; null where there are none. */
  wide: number | null;
  /** Shares of the mask: on wide and on narrower vessels; what is none, within 3 px of these or of those, and elsewhere. */
  kinds: Kinds;
}

export type Kinds = Record<'onWide' | 'onNarrow' | 'besideWide' | 'besideNarrow' | 'elsewhere', number>;

let engine: Engine | null = null;

export async function pixels(path: string, half: boolean): Promise<{ width: number; height: number; red: Uint8Array }> {
  const blob = await (await fetch(`/shared/data/fundus/${path}`)).blob();
  const whole = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const [width, height] = half ? [whole.width >> 1, whole.height >> 1] : [whole.width, whole.height];
  const context = new OffscreenCanvas(whole.width, whole.height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(whole, 0, 0);
  const { data } = context.getImageData(0, 0, whole.width, whole.height);
  const step = half ? 2 : 1;
  const red = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let j = 0; j < step; j++)
        for (let i = 0; i < step; i++) sum += data[4 * ((y * step + j) * whole.width + x * step + i)]!;
      red[y * width + x] = Math.round(sum / (step * step)); // a half counts, as in the mask
    }
  return { width, height, red };
}

export function halved(data: Uint8Array, width: number, height: number): Uint8Array {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Uint8Array(w * h);
  for (let y = 0, i = 0; y < h; y++)
    for (let x = 0, p = 2 * y * width; x < w; x++, p += 2, i++)
      out[i] = (data[p]! + data[p + 1]! + data[p + width]! + data[p + width + 1]!) / 4 > 127 ? 255 : 0;
  return out;
}

export function count(mask: ArrayLike<number>, truth: Uint8Array, field: Uint8Array): Counts & { precision: number } {
  let [tp, fp, fn, tn] = [0, 0, 0, 0];
  for (let i = 0; i < truth.length; i++) {
    if (field[i]! <= 127) continue;
    if (truth[i]! > 127) mask[i]! > 127 ? tp++ : fn++;
    else mask[i]! > 127 ? fp++ : tn++;
  }
  return {
    accuracy: (tp + tn) / (tp + tn + fp + fn),
    sensitivity: tp / (tp + fn),
    specificity: tn / (tn + fp),
    dice: (2 * tp) / (2 * tp + fp + fn),
    precision: tp / Math.max(1, tp + fp),
  };
}

/** Area under the ROC, by ranks in 65536 steps of the response. */
function area(response: Float32Array, truth: Uint8Array, field: Uint8Array): number {
  let top = 0;
  for (let i = 0; i < truth.length; i++) if (field[i]! > 127) top = Math.max(top, response[i]!);
  const positive = new Float64Array(65536);
  const negative = new Float64Array(65536);
  for (let i = 0; i < truth.length; i++) {
    if (field[i]! <= 127) continue;
    const bin = Math.min(65535, Math.floor((65536 * Math.sqrt(response[i]!)) / Math.sqrt(top || 1)));
    (truth[i]! > 127 ? positive : negative)[bin]!++;
  }
  let [p, n, sum] = [0, 0, 0];
  for (let bin = 65535; bin >= 0; bin--) {
    sum += negative[bin]! * (p + positive[bin]! / 2);
    p += positive[bin]!;
    n += negative[bin]!;
  }
  return sum / (p * n);
}

/** Manual pixels that lie in some disc of the given diameter inside the manual mask. */
export function wideParts(truth: Uint8Array, width: number, height: number, diameter: number): Uint8Array {
  const r = diameter / 2;
  const offsets: [number, number][] = [];
  for (let y = -Math.ceil(r); y <= r; y++)
    for (let x = -Math.ceil(r); x <= r; x++) if (x * x + y * y < r * r) offsets.push([x, y]);
  const out = new Uint8Array(truth.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (truth[y * width + x]! <= 127) continue;
      const fits = offsets.every(([i, j]) => {
        const [u, v] = [x + i, y + j];
        return u < 0 || v < 0 || u >= width || v >= height || truth[v * width + u]! > 127;
      });
      if (!fits) continue;
      for (const [i, j] of offsets) {
        const [u, v] = [x + i, y + j];
        if (u >= 0 && v >= 0 && u < width && v < height) out[v * width + u] = 255;
      }
    }
  return out;
}

/** Share of the wide parts that a mask has. */
export const shareOf = (mask: ArrayLike<number>, wide: Uint8Array, field: Uint8Array): number | null =>
  wide.some((v, i) => v > 127 && field[i]! > 127) ? count(mask, wide, field).sensitivity : null;

/** Where the pixels of a mask lie. */
function kindsOf(
  mask: ArrayLike<number>,
  [truth, wide, field]: readonly [Uint8Array, Uint8Array, Uint8Array],
  width: number,
): Kinds {
  const kinds: Kinds = { onWide: 0, onNarrow: 0, besideWide: 0, besideNarrow: 0, elsewhere: 0 };
  const near = (map: Uint8Array, i: number) => {
    for (let y = -3; y <= 3; y++)
      for (let x = -3; x <= 3; x++) if (x * x + y * y < 9 && map[i + y * width + x]! > 127) return true;
    return false;
  };
  let all = 0;
  for (let i = 0; i < truth.length; i++) {
    if (field[i]! <= 127 || mask[i]! <= 127) continue;
    all++;
    if (wide[i]! > 127) kinds.onWide++;
    else if (truth[i]! > 127) kinds.onNarrow++;
    else if (near(wide, i)) kinds.besideWide++;
    else if (near(truth, i)) kinds.besideNarrow++;
    else kinds.elsewhere++;
  }
  for (const kind of Object.keys(kinds) as (keyof Kinds)[]) kinds[kind] /= Math.max(1, all);
  return kinds;
}

/** Every threshold of the list on one photograph; the first also gives area, confidence, field and second observer. */
export async function score(
  photograph: Photograph,
  scales: 'thick' | 'all',
  thresholds: number[],
  half: boolean,
  variant: 'default' | 'lines' = 'default',
) {
  engine ??= await createEngine({ backend: 'wasm', threads: 1 });
  const blob = await (await fetch(`/shared/data/fundus/${photograph.image}`)).blob();
  const truth = await pixels(photograph.truth, half);
  const given = photograph.field ? await pixels(photograph.field, half) : null;
  const second = photograph.second ? await pixels(photograph.second, half) : null;
  const scored: Scored[] = [];
  let extra = null;
  for (const threshold of thresholds) {
    const result = await engine.vessels(blob, { scales, variant, thresholdFactor: threshold });
    const { width, height } = result.mask;
    const mask = half ? halved(result.mask.data, width, height) : result.mask.data;
    const found = half ? halved(result.fieldOfView.data, width, height) : result.fieldOfView.data;
    const field = given?.red ?? found;
    const diameter = Math.sqrt((4 * found.reduce((s, v) => s + (v > 127 ? 1 : 0), 0)) / Math.PI);
    const wide = wideParts(truth.red, truth.width, truth.height, (7 * diameter) / 540);
    scored.push({
      threshold,
      ...count(mask, truth.red, field),
      wide: shareOf(mask, wide, field),
      kinds: kindsOf(mask, [truth.red, wide, field], truth.width),
    });
    if (extra) continue;
    const scoreOf = (other: Uint8Array) => ({
      ...count(other, truth.red, field),
      wide: shareOf(other, wide, field),
    });
    const response = half
      ? Float32Array.from(
          mask,
          (_, i) => result.response[2 * Math.floor(i / (width >> 1)) * width + 2 * (i % (width >> 1))]!,
        )
      : result.response;
    extra = {
      auc: area(response, truth.red, field),
      confidence: result.confidence,
      warnings: result.warnings,
      field: given ? count(found, given.red, new Uint8Array(found.length).fill(255)).dice : null,
      second: second && scoreOf(second.red),
      // What a person draws who is asked for the wide vessels alone.
      secondWide: second && scoreOf(wideParts(second.red, truth.width, truth.height, (7 * diameter) / 540)),
    };
  }
  return { scored, ...extra! };
}

/** The scale of wide vessels at DRIVE's size, px, and the width of its field of view. */
const [WIDE_SIGMA, DRIVE_WIDTH] = [3.4, 540];

/** The green channel as a gray picture. */
async function greenOf(blob: Blob): Promise<{ width: number; height: number; data: Uint8Array }> {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 1]!) };
}

/**
 * Thick vessels from the eigenvalues themselves, as paper 003: dark lines of one scale above a level. It names no level;
 * here it is the one that marks as many pixels as `engine.vessels` does, inside the field less a border of three sigma.
 */
export async function scoreEigenvalues(photograph: Photograph, factor: number, half: boolean) {
  engine ??= await createEngine({ backend: 'wasm', threads: 1 });
  const blob = await (await fetch(`/shared/data/fundus/${photograph.image}`)).blob();
  const { mask: own, fieldOfView } = await engine.vessels(blob, { scales: 'thick', variant: 'lines' });
  const { mask: paper } = await engine.vessels(blob, { scales: 'thick', variant: 'paper' });
  const { width, height } = own;
  const inside = fieldOfView.data.reduce((sum, v) => sum + (v > 127 ? 1 : 0), 0);
  const sigma = (factor * WIDE_SIGMA * Math.sqrt((4 * inside) / Math.PI)) / DRIVE_WIDTH;
  const maps = await engine.hessianEigenvalues(await greenOf(blob), { sigma, keep: true });
  const { response } = await engine.featureOfEigenvalues(maps.lambda1, maps.lambda2, { sigma, feature: 'dark-line' });
  for (const map of [maps.lambda1, maps.lambda2]) map.dispose();
  const size = Math.min(2 * Math.ceil(3 * sigma) + 1, 63);
  const inner = await engine.morphology(fieldOfView, { operation: 'erode', size });
  const values = response.filter((_, i) => inner.data[i]! > 127).sort();
  const pixelsOfOwn = own.data.reduce((sum, v) => sum + (v > 127 ? 1 : 0), 0);
  const level = values[Math.max(0, values.length - pixelsOfOwn)]!;
  const marked = Uint8Array.from(response, (v, i) => (v > level && inner.data[i]! > 127 ? 255 : 0));
  const truth = await pixels(photograph.truth, half);
  const given = photograph.field ? await pixels(photograph.field, half) : null;
  const asCounted = (data: Uint8Array) => (half ? halved(data, width, height) : data);
  const found = asCounted(fieldOfView.data);
  const field = given?.red ?? found;
  const diameter = Math.sqrt((4 * found.reduce((s, v) => s + (v > 127 ? 1 : 0), 0)) / Math.PI);
  const wide = wideParts(truth.red, truth.width, truth.height, (7 * diameter) / DRIVE_WIDTH);
  const scored = (data: Uint8Array) => {
    const mask = asCounted(data);
    return { ...count(mask, truth.red, field), wide: shareOf(mask, wide, field) };
  };
  return { sigma, eigenvalues: scored(marked), own: scored(own.data), paper: scored(paper.data) };
}

/** Confidence of a picture, or of its green channel alone as a gray one; blurred by so many pixels of one 540 wide. */
export async function judge(url: string, green = false, blur = 0) {
  engine ??= await createEngine({ backend: 'wasm', threads: 1 });
  const blob = await (await fetch(url)).blob();
  let source: Blob | ImageData | { width: number; height: number; data: Uint8Array } = blob;
  if (green || blur) {
    const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    if (blur) context.filter = `blur(${(blur * width) / 580}px)`;
    context.drawImage(bitmap, 0, 0);
    const image = context.getImageData(0, 0, width, height);
    source = green
      ? { width, height, data: Uint8Array.from({ length: width * height }, (_, i) => image.data[4 * i + 1]!) }
      : image;
  }
  const { confidence, warnings } = await engine.vessels(source, { scales: 'all' });
  return { confidence, warnings };
}
