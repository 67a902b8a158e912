/** What a light far away sees: the nearest surface on a square grid around the head. */
import { draw, Projection, Samples } from './raster.ts';
import { cross, unit, type Mesh } from './scene.ts';

/** Half of the side of what is seen, cm; beyond it nothing is in the shadow. */
const REACH = 21;
/** Where the light's grid lies: farther than anything that is seen. */
const FAR = 200;

export class ShadowMap {
  private readonly samples: Samples;
  private readonly seen = new Projection();
  private u: number[] = [1, 0, 0];
  private v: number[] = [0, 1, 0];
  private towards: readonly number[] = [0, 0, 1];
  private readonly scale: number;

  constructor(side: number) {
    this.samples = new Samples(side, side);
    this.scale = side / (2 * REACH);
  }

  /** Draws the triangles for which `casts` as seen from the direction `towards` the light, unit length. */
  draw(mesh: Mesh, towards: readonly number[], casts: Uint8Array): void {
    this.towards = towards;
    this.u = unit(cross(Math.abs(towards[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], towards));
    this.v = cross(towards, this.u);
    const { u, v, seen, samples, scale } = this;
    seen.reserve(mesh.count);
    const p = mesh.position;
    for (let i = 0; i < mesh.count; i++) {
      const x = p[3 * i];
      const y = p[3 * i + 1];
      const z = p[3 * i + 2];
      seen.x[i] = (x * u[0] + y * u[1] + z * u[2] + REACH) * scale;
      seen.y[i] = (x * v[0] + y * v[1] + z * v[2] + REACH) * scale;
      seen.depth[i] = FAR - (x * towards[0] + y * towards[1] + z * towards[2]);
    }
    samples.clear();
    draw(samples, mesh, seen, { wanted: (_, triangle) => casts[triangle] === 1, twoSided: true });
  }

  /**
   * Share of the light that reaches a point, 0..1: mean over a square of 2 * radius + 1 cells, weighted between cells.
   * `bias` in cm keeps a surface from shading itself.
   */
  lit(x: number, y: number, z: number, bias: number, radius: number): number {
    const { u, v, towards, scale } = this;
    const { depth, width: side } = this.samples;
    const fx = (x * u[0] + y * u[1] + z * u[2] + REACH) * scale;
    const fy = (x * v[0] + y * v[1] + z * v[2] + REACH) * scale;
    const d = FAR - (x * towards[0] + y * towards[1] + z * towards[2]) - bias;
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
        if (depth[row + i] >= d) line += i === -radius ? 1 - wx : i === radius + 1 ? wx : 1;
      sum += weight * line;
    }
    const across = 2 * radius + 1;
    return sum / (across * across);
  }
}
