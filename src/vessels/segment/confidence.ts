/** Confidence that the image is a fundus photograph and that its vessels were found, and the evidence against it. */
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { ImageQuality } from '../../results/types.ts';
import type { Extent, ResponseLevels } from './binarize.ts';
import type { WorkingPlane } from './working-plane.ts';

// Features that distinguish a fundus photograph from other images: the shape of its field, and lines that are dark.

// Chosen by hand with the fifteen photographs and the other images of `npm run bench -- accuracy vessels`.

/** Number of samples along the width or height of the plane. */
const SAMPLES = 96;
/** Distance for second differences, at DRIVE's scale: from a thick vessel to its surroundings. */
const REACH = 6;
/** Quantile of the samples that counts as the strength of lines. */
const STRENGTH = 0.98;

export interface Contrasts {
  /** How much stronger dark lines are than bright ones, by second differences in four directions. */
  readonly darkness: number;
  /** Median of the absolute contrast, in percent of the background. */
  readonly spread: number;
  /**
   * Strength of dark lines divided by the strength of dark lines twice as wide. Without blur both are equal in the
   * retina.
   */
  readonly sharpness: number;
}

/** Quantile of the first `count` values. Sorts them. */
function quantile(values: Float32Array, count: number, share: number): number {
  const sorted = values.subarray(0, count).sort();
  return sorted[Math.floor(share * (count - 1))] ?? 0;
}

/** Contrasts of the contrast plane under the mask. `unit`: working pixels per pixel at DRIVE's scale. */
export function contrastsOf(
  scope: Scope,
  { contrast, inside, width, height }: { contrast: Plane; inside: Plane; width: number; height: number },
  unit: number,
): Contrasts {
  const { f32, u8 } = scope.arena;
  const reach = Math.max(1, Math.round(REACH * unit));
  const diagonal = Math.max(1, Math.round((REACH * unit) / Math.SQRT2));
  const step = Math.max(1, Math.floor(Math.max(width, height) / SAMPLES));
  const row = contrast.stride >> 2;
  const offsets = [reach, reach * row, diagonal * (row + 1), diagonal * (row - 1)];
  const [dark, bright, sizes, wide] = Array.from(
    { length: 4 },
    () => new Float32Array(Math.ceil(width / step) * Math.ceil(height / step)),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  let count = 0;
  for (let y = reach; y < height - reach; y += step)
    for (let x = reach; x < width - reach; x += step) {
      if (!u8[inside.address + y * inside.stride + x]) continue;
      const p = (contrast.address >> 2) + y * row + x;
      const center = f32[p]!;
      let [most, least] = [0, 0];
      for (const o of offsets) {
        const second = f32[p + o]! + f32[p - o]! - 2 * center;
        most = Math.max(most, second);
        least = Math.min(least, second);
      }
      dark[count] = most;
      bright[count] = -least;
      sizes[count++] = Math.abs(center);
    }
  let far = 0;
  for (let y = 2 * reach; y < height - 2 * reach; y += 2 * step)
    for (let x = 2 * reach; x < width - 2 * reach; x += 2 * step) {
      if (!u8[inside.address + y * inside.stride + x]) continue;
      const p = (contrast.address >> 2) + y * row + x;
      let most = 0;
      for (const o of offsets) most = Math.max(most, f32[p + 2 * o]! + f32[p - 2 * o]! - 2 * f32[p]!);
      wide[far++] = most;
    }
  const [strong, weakest] = [quantile(dark, count, STRENGTH), quantile(bright, count, STRENGTH)];
  const widest = quantile(wide, far, STRENGTH);
  return {
    darkness: weakest > 0 ? strong / weakest : 0,
    spread: quantile(sizes, count, 0.5),
    sharpness: widest > 0 ? strong / widest : 1,
  };
}

/** Share of its convex hull that a mask fills: 1 for circles, cut circles and rectangles. */
export function solidity(mask: Float32Array, width: number, height: number): number {
  let area = 0;
  const points: [number, number][] = [];
  for (let y = 0; y < height; y++) {
    let [first, last] = [-1, -1];
    for (let x = 0; x < width; x++)
      if (mask[y * width + x]) {
        area++;
        if (first < 0) first = x;
        last = x;
      }
    // Uses the corners of the cells, so that hull and cells measure equal areas.
    if (first >= 0) for (const v of [y, y + 1]) points.push([first, v], [last + 1, v]);
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: [number, number][]) => {
    const hull: [number, number][] = [];
    for (const p of list) {
      while (hull.length > 1) {
        const [a, b] = [hull.at(-2)!, hull.at(-1)!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        hull.pop();
      }
      hull.push(p);
    }
    return hull.slice(0, -1);
  };
  const hull = [...chain(points), ...chain(points.reverse())];
  let twice = 0;
  hull.forEach(([x, y], i) => {
    const [u, v] = hull[(i + 1) % hull.length]!;
    twice += x * v - u * y;
  });
  return twice ? Math.min(1, (2 * area) / Math.abs(twice)) : 0;
}

export interface Evidence {
  readonly plane: Pick<WorkingPlane, 'field' | 'fieldSize' | 'diameter' | 'block'>;
  /** Mean of red, green and blue inside the field. Null for a gray image. */
  readonly color: readonly [number, number, number] | null;
  readonly contrasts: Contrasts;
  readonly levels: ResponseLevels;
  readonly components: readonly Extent[];
  /** Bright areas that the mask outlines, and the share of the mask around them. */
  readonly outlined: { readonly count: number; readonly share: number };
  /** Share of the field that the mask covers. */
  readonly fraction: number;
  readonly quality: ImageQuality | undefined;
}

// The limits below were chosen by hand with the fifteen photographs, their blurred copies and the other images of `npm
// run bench -- accuracy vessels`.

/** 0 below `low`, 1 above `high`, linear in between. */
const ramp = (v: number, low: number, high: number) => Math.min(1, Math.max(0, (v - low) / (high - low)));

/** Each term is about 1 for fundus photographs. Their product is the confidence. */
export function judge({ plane, color, contrasts, levels, components, outlined, fraction, quality }: Evidence): {
  confidence: number;
  warnings: string[];
} {
  const warnings: string[] = [];
  const { field, fieldSize, diameter, block } = plane;
  if (!(levels.level > 0)) {
    return { confidence: 0, warnings: ['The image has no structure that could contain vessels.'] };
  }
  let confidence = 1;
  let doubts = 0;
  const against = (term: number, least: number, text: string) => {
    confidence *= least + (1 - least) * term;
    if (term >= 0.5) return;
    doubts++;
    warnings.push(text);
  };
  against(field.found ? 1 : 0, 0.5, 'No dark border was found. The whole image is used as the field of view.');
  against(
    field.found ? ramp(field.area, 0.2, 0.4) : 1,
    0.3,
    'The field of view is a small part of the image. Is this a fundus photograph?',
  );
  if (field.found)
    against(
      ramp(solidity(field.mask, fieldSize.width, fieldSize.height), 0.82, 0.93),
      0.1,
      'The bright area does not have the shape of an aperture. Is this a fundus photograph?',
    );
  against(
    1 - ramp(contrasts.spread, 8, 12),
    0.15,
    'The brightness varies more than on a retina. Is this a fundus photograph?',
  );
  against(
    ramp(contrasts.darkness, 1.03, 1.18),
    0.3,
    'Its dark lines are not stronger than its bright lines. Is this a fundus photograph?',
  );
  against(ramp(contrasts.sharpness, 0.56, 0.68), 0.2, 'The image is too blurred. Vessels merge.');
  against(ramp(diameter * block, 100, 300), 0.2, 'The field of view is too small for thin vessels.');
  if (color) {
    const [red, green, blue] = color;
    const warm = ramp((red - green) / (red + 1), 0.02, 0.15) * ramp((green - blue) / (green + 1), -0.3, 0);
    against(warm, 0.1, 'The colors do not match a retina. Is this a fundus photograph?');
  } else warnings.push('The image is gray and is used as a green channel (red-free).');
  against(
    ramp(Math.sqrt(levels.otsu * levels.tenth) / levels.median, 2, 3),
    0.2,
    'The vessels are barely stronger than the noise.',
  );
  against(
    ramp(fraction, 0.01, 0.03) * (1 - ramp(fraction, 0.2, 0.3)),
    0.2,
    `The mask covers ${(100 * fraction).toFixed(1)} % of the field of view. Retinal vessels cover 5 to 15 %.`,
  );
  if (quality)
    against(
      ramp(quality.agreement, 0.6, 0.8),
      0.2,
      'Many vessels are hardly visible. Take a sharper or brighter photograph, or save it with less compression.',
    );
  const total = components.reduce((s, c) => s + c.area, 0);
  const trees = components.filter((c) => Math.max(c.width, c.height) > diameter / 6).reduce((s, c) => s + c.area, 0);
  against(ramp(total ? trees / total : 0, 0.2, 0.5), 0.2, 'The detected vessels do not form a tree.');
  if (outlined.count) {
    confidence *= 1 - outlined.share;
    doubts++;
    warnings.push(
      `The mask outlines ${outlined.count === 1 ? 'a bright area' : `${outlined.count} bright areas`}. Lesions and reflections are not vessels. Check the mask there.`,
    );
  }
  if (confidence < 0.5 && !doubts) warnings.push('Several weak signs suggest that this is not a fundus photograph.');
  return { confidence, warnings };
}
