/** Photographs of vessels that are known exactly: lines drawn by the area that they cover of each pixel. */
import { generator } from '../parity/cases.ts';

export interface DrawnLine {
  /** x, y of its corners; (0, 0) is the middle of the first pixel. */
  points: readonly (readonly [number, number])[];
  width: number;
  /** Ends where its last point lies, or half a width beyond with a round cap. */
  cap?: 'butt' | 'round';
  /** A bright stripe along it, a quarter as wide, of so much of its depth. */
  reflex?: number;
  /** In parts of the background. */
  depth?: number;
  /** The same in the red channel of a photograph; without it red goes with green. */
  redDepth?: number;
}

export interface Scene {
  width: number;
  height: number;
  lines: readonly DrawnLine[];
  /** Gray level of the background. */
  background?: number;
  /** Sigma of the blur in pixels; 0: hard edges. */
  blur?: number;
  /** Standard deviation of the noise in gray levels. */
  noise?: number;
  /** A disc on black that darkens towards its rim, as a photograph of the fundus; else the whole picture. */
  fundus?: boolean;
  /** Where that disc lies, if not in the middle; the picture may cut it. */
  field?: { x: number; y: number; radius: number };
  /** Without parts of pixels: in or out by the pixel's middle. */
  jagged?: boolean;
  seed?: number;
  /** An optic disc, twice as bright in green and a third brighter in red, under the lines. */
  disc?: { x: number; y: number; radius: number };
  /** A dark place, a sixth darker in its middle. */
  fovea?: { x: number; y: number; radius: number };
}

/** How far a place is from the outline of a piece of a line, negative inside. */
function beyond(x: number, y: number, { points, width, cap = 'butt' }: DrawnLine, k: number, half = width / 2): number {
  const [[ax, ay], [bx, by]] = [points[k]!, points[k + 1]!];
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const along = (x - ax) * ux + (y - ay) * uy;
  const across = Math.abs((x - ax) * uy - (y - ay) * ux);
  const over = Math.max(-along, along - length);
  if (over <= 0) return across - half;
  // Inner corners of a line are round in any case.
  const inner = along < 0 ? k > 0 : k < points.length - 2;
  return cap === 'round' || inner ? Math.hypot(over, across) - half : Math.max(across - half, over);
}

const PARTS = 5;

/** Share of each pixel that a line covers, the greatest of all pieces. */
function cover(
  map: Float64Array,
  { width, height, jagged }: Scene,
  line: DrawnLine,
  half: number,
  paint: (old: number, share: number) => number,
): void {
  const shares = new Map<number, number>();
  for (let k = 0; k + 1 < line.points.length; k++) {
    const [[ax, ay], [bx, by]] = [line.points[k]!, line.points[k + 1]!];
    const reach = half + 2;
    for (
      let y = Math.max(0, Math.floor(Math.min(ay, by) - reach));
      y <= Math.min(height - 1, Math.max(ay, by) + reach);
      y++
    )
      for (
        let x = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
        x <= Math.min(width - 1, Math.max(ax, bx) + reach);
        x++
      ) {
        const middle = beyond(x, y, line, k, half);
        let share = middle <= 0 ? 1 : 0;
        if (!jagged && Math.abs(middle) < 0.75) {
          let inside = 0;
          for (let j = 0; j < PARTS * PARTS; j++) {
            const [u, v] = [((j % PARTS) + 0.5) / PARTS - 0.5, (Math.floor(j / PARTS) + 0.5) / PARTS - 0.5];
            if (beyond(x + u, y + v, line, k, half) <= 0) inside++;
          }
          share = inside / PARTS ** 2;
        }
        const i = y * width + x;
        if (share > (shares.get(i) ?? 0)) shares.set(i, share);
      }
  }
  for (const [i, share] of shares) map[i] = paint(map[i]!, share);
}

function blurred(map: Float64Array, width: number, height: number, sigma: number): Float64Array {
  if (!(sigma > 0 && map.some(Boolean))) return map;
  const reach = Math.ceil(4 * sigma);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)));
  const whole = weights.reduce((a, b) => a + b, 0);
  const pass = (from: Float64Array, side: number, step: number) => {
    const to = new Float64Array(from.length);
    for (let i = 0; i < from.length; i++) {
      const at = Math.floor(i / step) % side;
      let sum = 0;
      for (let k = -reach; k <= reach; k++)
        sum += weights[k + reach]! * from[i + step * (Math.min(side - 1, Math.max(0, at + k)) - at)]!;
      to[i] = sum / whole;
    }
    return to;
  };
  return pass(pass(map, width, 1), height, width);
}

/** Factor of the brightness that disc and fovea give; `more`: what the disc adds. */
function landmarks({ width, disc, fovea }: Scene, i: number, more: number): number {
  if (!disc && !fovea) return 1;
  const [x, y] = [i % width, Math.floor(i / width)];
  let factor = 1;
  // A soft border, two pixels wide.
  if (disc) factor += more / (1 + Math.exp(2 * (Math.hypot(x - disc.x, y - disc.y) - disc.radius)));
  if (fovea) factor *= 1 - Math.exp(-((x - fovea.x) ** 2 + (y - fovea.y) ** 2) / (2 * fovea.radius ** 2)) / 6;
  return factor;
}

/** Green of the photograph, in gray levels. */
function greenOf(scene: Scene): { levels: Float64Array; light: (i: number) => number } {
  const { width, height, lines, background = 120, blur = 1, fundus = false } = scene;
  const { field = { x: width / 2, y: height / 2, radius: 0.48 * Math.min(width, height) } } = scene;
  const depths = new Float64Array(width * height);
  for (const line of lines)
    cover(depths, scene, line, line.width / 2, (old, share) => Math.max(old, share * (line.depth ?? 0.3)));
  for (const line of lines)
    if (line.reflex) cover(depths, scene, line, line.width / 8, (old, share) => old * (1 - share * line.reflex!));
  const soft = blurred(depths, width, height, blur);
  const light = (i: number) => {
    if (!fundus) return landmarks(scene, i, 1);
    const u = (i % width) - field.x;
    const v = Math.floor(i / width) - field.y;
    const r = Math.hypot(u, v) / field.radius;
    return (r > 1 ? 0 : 1 - 0.35 * r * r + 0.1 * (u / field.radius)) * landmarks(scene, i, 1);
  };
  return { levels: soft.map((depth, i) => background * light(i) * (1 - depth)), light };
}

export function drawnGray(scene: Scene): { width: number; height: number; data: Uint8Array } {
  const { width, height, noise = 0, seed = 1 } = scene;
  const random = generator(seed);
  const { levels } = greenOf(scene);
  // Twelve even numbers add up to a normal one.
  const normal = () => {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += random();
    return sum;
  };
  const data = Uint8Array.from(levels, (v) =>
    Math.max(0, Math.min(255, Math.round(v + (noise ? noise * normal() : 0)))),
  );
  return { width, height, data };
}

/** In the colors of a retina; the green channel is that of `drawnGray`. */
export function drawnPhotograph(scene: Scene): { width: number; height: number; data: Uint8ClampedArray } {
  const { width, height, data: green } = drawnGray(scene);
  const { light } = greenOf({ ...scene, lines: [] });
  const data = new Uint8ClampedArray(4 * width * height);
  for (let i = 0; i < green.length; i++) {
    data[4 * i] = light(i) && 90 + 0.8 * green[i]!;
    data[4 * i + 1] = green[i]!;
    data[4 * i + 2] = 0.45 * green[i]!;
    data[4 * i + 3] = 255;
  }
  if (!scene.lines.some(({ redDepth }) => redDepth !== undefined)) return { width, height, data };
  // Red of its own: brighter, less dark in the vessels, a third brighter in the disc.
  const lines = scene.lines.map((line) => ({ ...line, depth: line.redDepth ?? line.depth ?? 0.3 }));
  const { levels } = greenOf({ ...scene, lines, disc: undefined, background: 1.25 * (scene.background ?? 120) });
  for (let i = 0; i < levels.length; i++)
    data[4 * i] = levels[i]! * landmarks({ ...scene, fovea: undefined }, i, 1 / 3);
  return { width, height, data };
}
