/** Triangles to pixels: which triangle each sample shows and where in it, by a depth buffer. */
import type { Mesh } from './scene.ts';

export class Samples {
  readonly depth: Float32Array;
  /** -1: none. */
  readonly triangle: Int32Array;
  /** Weights of the second and third corner. */
  readonly second: Float32Array;
  readonly third: Float32Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    const size = width * height;
    this.depth = new Float32Array(size);
    this.triangle = new Int32Array(size);
    this.second = new Float32Array(size);
    this.third = new Float32Array(size);
    this.clear();
  }

  clear(): void {
    this.depth.fill(Infinity);
    this.triangle.fill(-1);
  }
}

/** Vertices as the camera sees them: samples to the right and down, distance. */
export class Projection {
  x = new Float32Array(0);
  y = new Float32Array(0);
  depth = new Float32Array(0);

  reserve(count: number): void {
    if (this.x.length < count) [this.x, this.y, this.depth] = [0, 1, 2].map(() => new Float32Array(2 * count));
  }

  /** `focal` in samples; the camera looks along -z from `distance` in front of the origin, which falls on (cx, cy). */
  project(mesh: Mesh, distance: number, focal: number, cx: number, cy: number): void {
    this.reserve(mesh.count);
    const p = mesh.position;
    for (let i = 0; i < mesh.count; i++) {
      const depth = distance - p[3 * i + 2];
      this.depth[i] = depth;
      this.x[i] = cx + (focal * p[3 * i]) / depth;
      this.y[i] = cy - (focal * p[3 * i + 1]) / depth;
    }
  }
}

/** Which triangles are drawn: both sides of them or the front only, and a test of single samples. */
export interface Drawing {
  wanted: (part: number, triangle: number) => boolean;
  twoSided?: boolean;
  /** Whether the surface is there at this sample; for hair and lashes. */
  keep?: (triangle: number, second: number, third: number, x: number, y: number) => boolean;
}

/** Nearer than this nothing is drawn: behind the lens, or almost. */
const NEAR = 2;

export function draw(samples: Samples, mesh: Mesh, seen: Projection, { wanted, twoSided, keep }: Drawing): void {
  const { width, height } = samples;
  const { x: px, y: py, depth } = seen;
  const { triangles, part } = mesh;
  for (let t = 0; t < mesh.triangleCount; t++) {
    if (!wanted(part[t], t)) continue;
    const a = triangles[3 * t];
    const b = triangles[3 * t + 1];
    const c = triangles[3 * t + 2];
    const ax = px[a];
    const ay = py[a];
    const bx = px[b] - ax;
    const by = py[b] - ay;
    const cx = px[c] - ax;
    const cy = py[c] - ay;
    const area = bx * cy - cx * by;
    // Rows go down: what turns against the clock in space has a negative area here.
    if (twoSided ? area === 0 : area >= 0) continue;
    if (depth[a] < NEAR || depth[b] < NEAR || depth[c] < NEAR) continue;
    const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx)));
    const right = Math.min(width - 1, Math.floor(ax + Math.max(0, bx, cx)));
    const top = Math.max(0, Math.ceil(ay + Math.min(0, by, cy)));
    const bottom = Math.min(height - 1, Math.floor(ay + Math.max(0, by, cy)));
    if (left > right || top > bottom) continue;
    const da = depth[a];
    const db = depth[b] - da;
    const dc = depth[c] - da;
    const scale = 1 / area;
    for (let y = top; y <= bottom; y++)
      for (let x = left; x <= right; x++) {
        const ex = x - ax;
        const ey = y - ay;
        const second = (ex * cy - cx * ey) * scale;
        const third = (bx * ey - ex * by) * scale;
        if (second < 0 || third < 0 || second + third > 1) continue;
        const at = y * width + x;
        const z = da + second * db + third * dc;
        if (z >= samples.depth[at] || (keep && !keep(t, second, third, x, y))) continue;
        samples.depth[at] = z;
        samples.triangle[at] = t;
        samples.second[at] = second;
        samples.third[at] = third;
      }
  }
}
