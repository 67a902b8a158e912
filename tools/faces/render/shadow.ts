/** What a light far away sees: the nearest surface on a square grid around the head. */
import { cross, unit, type Mesh } from './scene.ts';

/** Half of the side of what is seen, cm; beyond it nothing is in the shadow. */
const REACH = 21;

export class ShadowMap {
  private readonly nearest: Float32Array;
  private u: number[] = [1, 0, 0];
  private v: number[] = [0, 1, 0];
  private towards: number[] = [0, 0, 1];
  private readonly scale: number;
  private px = new Float32Array(0);
  private py = new Float32Array(0);
  private pd = new Float32Array(0);

  constructor(readonly side: number) {
    this.nearest = new Float32Array(side * side);
    this.scale = side / (2 * REACH);
  }

  /** Draws the triangles for which `casts` as seen from the direction `towards` the light, unit length. */
  draw(mesh: Mesh, towards: readonly number[], casts: Uint8Array): void {
    this.towards = [...towards];
    this.u = unit(cross(Math.abs(towards[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], towards));
    this.v = cross(towards, this.u);
    if (this.px.length < mesh.count)
      [this.px, this.py, this.pd] = [0, 1, 2].map(() => new Float32Array(2 * mesh.count));
    const { u, v, px, py, pd, side, scale, nearest } = this;
    const p = mesh.position;
    for (let i = 0; i < mesh.count; i++) {
      const x = p[3 * i];
      const y = p[3 * i + 1];
      const z = p[3 * i + 2];
      px[i] = (x * u[0] + y * u[1] + z * u[2] + REACH) * scale;
      py[i] = (x * v[0] + y * v[1] + z * v[2] + REACH) * scale;
      pd[i] = x * towards[0] + y * towards[1] + z * towards[2];
    }
    nearest.fill(-1e9);
    const { triangles } = mesh;
    for (let t = 0; t < mesh.triangleCount; t++) {
      if (!casts[t]) continue;
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
      if (area === 0) continue;
      const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx)));
      const right = Math.min(side - 1, Math.floor(ax + Math.max(0, bx, cx)));
      const top = Math.max(0, Math.ceil(ay + Math.min(0, by, cy)));
      const bottom = Math.min(side - 1, Math.floor(ay + Math.max(0, by, cy)));
      const da = pd[a];
      const db = pd[b] - da;
      const dc = pd[c] - da;
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) {
          const ex = x - ax;
          const ey = y - ay;
          const second = (ex * cy - cx * ey) / area;
          const third = (bx * ey - ex * by) / area;
          if (second < 0 || third < 0 || second + third > 1) continue;
          const d = da + second * db + third * dc;
          if (d > nearest[y * side + x]) nearest[y * side + x] = d;
        }
    }
  }

  /**
   * Share of the light that reaches a point, 0..1: mean over a square of 2 * radius + 1 cells, weighted between cells.
   * `bias` in cm keeps a surface from shading itself.
   */
  lit(x: number, y: number, z: number, bias: number, radius: number): number {
    const { u, v, towards, side, scale, nearest } = this;
    const fx = (x * u[0] + y * u[1] + z * u[2] + REACH) * scale;
    const fy = (x * v[0] + y * v[1] + z * v[2] + REACH) * scale;
    const d = x * towards[0] + y * towards[1] + z * towards[2] + bias;
    const x0 = Math.floor(fx);
    const y0 = Math.floor(fy);
    if (x0 < radius || y0 < radius || x0 + radius + 1 >= side || y0 + radius + 1 >= side) return 1;
    const wx = fx - x0;
    const wy = fy - y0;
    let sum = 0;
    for (let j = -radius; j <= radius + 1; j++) {
      const row = (y0 + j) * side + x0;
      const weight = j === -radius ? 1 - wy : j === radius + 1 ? wy : 1;
      let line = 0;
      for (let i = -radius; i <= radius + 1; i++)
        if (nearest[row + i] <= d) line += i === -radius ? 1 - wx : i === radius + 1 ? wx : 1;
      sum += weight * line;
    }
    const across = 2 * radius + 1;
    return sum / (across * across);
  }
}
