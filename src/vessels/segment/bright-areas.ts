/**
 * Bright areas outlined by the mask. A line filter responds on the dark side of any bright edge, so a white lesion may
 * get a ring of false vessels. Real vessels cross the surroundings of a bright area but rarely encircle it. Areas are
 * detected in samples of the contrast plane, about one pixel of DRIVE's scale apart.
 */
import type { Plane } from '../../runtime/plane.ts';
import type { Scope } from '../../runtime/scope.ts';

// Set by hand with lesions drawn into photographs of DRIVE, and with 27 photographs of the four sets and of
// ../shared/data/hrf.

/** Contrast in percent above which a sample is bright, as a mean over 3 x 3 samples. The plane is clipped at 10. */
const BRIGHT = 8;
/** Minimum area in pixels at DRIVE's scale. */
const AREA = 50;
/** Reach of the surroundings at DRIVE's scale, and minimum in samples. */
const REACH = 4;
const LEAST_REACH = 2;
/** An area is outlined if the mask covers this share of its surroundings. Between vessels of the disc it is up to 0.92. */
const OUTLINED = 0.95;

/** Samples of a plane, `step` pixels apart. */
interface Grid {
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

/** Bright areas: the samples of each. */
export interface BrightAreas {
  readonly grid: Grid;
  /** How far the surroundings of an area reach, in samples. */
  readonly reach: number;
  readonly areas: readonly Int32Array[];
}

function brightSamples(scope: Scope, contrast: Plane, inside: Plane, { width, height, step }: Grid): Uint8Array {
  const { f32, u8 } = scope.arena;
  const [first, row] = [contrast.address >> 2, contrast.stride >> 2];
  const bright = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      if (!u8[inside.address + y * step * inside.stride + x * step]) continue;
      let sum = 0;
      for (let j = -1; j <= 1; j++)
        for (let i = -1; i <= 1; i++) sum += f32[first + (y + j) * step * row + (x + i) * step]!;
      if (sum >= 9 * BRIGHT) bright[y * width + x] = 1;
    }
  return bright;
}

/** Bright areas of the contrast plane under the mask. `unit`: working pixels per pixel at DRIVE's scale. */
export function brightAreas(
  scope: Scope,
  { contrast, inside }: { readonly contrast: Plane; readonly inside: Plane },
  unit: number,
): BrightAreas {
  const step = Math.max(1, Math.round(unit));
  const grid = { width: Math.ceil(contrast.width / step), height: Math.ceil(contrast.height / step), step };
  const bright = brightSamples(scope, contrast, inside, grid);
  const perSample = step / unit;
  const areas: Int32Array[] = [];
  // Bright samples are never on the border of the grid.
  for (let start = 0; start < bright.length; start++) {
    if (!bright[start]) continue;
    const samples = [start];
    bright[start] = 0;
    for (const p of samples)
      for (const q of [p - 1, p + 1, p - grid.width, p + grid.width])
        if (bright[q]) {
          bright[q] = 0;
          samples.push(q);
        }
    if (samples.length * perSample ** 2 >= AREA) areas.push(Int32Array.from(samples));
  }
  return { grid, reach: Math.max(LEAST_REACH, Math.round(REACH / perSample)), areas };
}

/** Marks the samples around an area with its number and returns them. */
function around(area: Int32Array, { grid, reach }: BrightAreas, marks: Int32Array, number: number): number[] {
  const { width, height } = grid;
  for (const p of area) marks[p] = number;
  const ring: number[] = [];
  for (const p of area) {
    if ([p - 1, p + 1, p - width, p + width].every((q) => marks[q] === number)) continue; // inside, or already marked
    const [x, y] = [p % width, Math.floor(p / width)];
    for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++)
      for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) {
        const q = v * width + u;
        if (marks[q] === number || (u - x) ** 2 + (v - y) ** 2 > reach ** 2) continue;
        marks[q] = number;
        ring.push(q);
      }
  }
  return ring;
}

/** Number of areas that the mask (the response above `level`) outlines, and the share of the mask around them. */
export function outlinedAreas(
  scope: Scope,
  bright: BrightAreas,
  response: Plane,
  level: number,
): { count: number; share: number } {
  const { grid, areas } = bright;
  const { f32 } = scope.arena;
  const at = (p: number) =>
    f32[
      (response.address >> 2) +
        Math.floor(p / grid.width) * grid.step * (response.stride >> 2) +
        (p % grid.width) * grid.step
    ]! > level;
  const marks = new Int32Array(grid.width * grid.height);
  const outlines = new Set<number>();
  let count = 0;
  areas.forEach((area, k) => {
    const ring = around(area, bright, marks, k + 1);
    const covered = ring.filter(at);
    if (covered.length < OUTLINED * ring.length) return;
    count++;
    for (const p of covered) outlines.add(p);
  });
  if (!count) return { count, share: 0 };
  let total = 0;
  for (let p = 0; p < marks.length; p++) if (at(p)) total++;
  return { count, share: outlines.size / total };
}
