/** Light from all around, with what the head itself keeps off, and lamps with their shadows. */
import type { Light } from './light-settings.ts';
import type { Mesh } from './scene.ts';
import { ShadowMap } from './shadow.ts';

const DIRECTIONS = 14;
const [SKY_SIDE, LAMP_SIDE] = [112, 256];

/** Spread evenly over the sphere, on a spiral. */
const directions = Array.from({ length: DIRECTIONS }, (_, i) => {
  const y = 1 - (2 * i + 1) / DIRECTIONS;
  const r = Math.sqrt(1 - y * y);
  const turn = i * Math.PI * (3 - Math.sqrt(5));
  return [r * Math.cos(turn), y, r * Math.sin(turn)];
});

/** What comes from a direction: the six sides, weighted by the squares of its coordinates. */
export function skyAt({ sky }: Light, [x, y, z]: readonly number[], out: Float64Array): void {
  const [a, b, c] = [x > 0 ? sky.right : sky.left, y > 0 ? sky.up : sky.down, z > 0 ? sky.front : sky.back];
  for (let k = 0; k < 3; k++) out[k] = x * x * a[k] + y * y * b[k] + z * z * c[k];
}

export class Lighting {
  /** Light of the surroundings that reaches each vertex: red, green, blue. */
  sky = new Float32Array(0);
  readonly lamps: ShadowMap[] = [];
  private readonly map = new ShadowMap(SKY_SIDE);
  private readonly spare: ShadowMap[] = [];

  /** `casts` says which triangles keep light off. */
  prepare(mesh: Mesh, light: Light, casts: Uint8Array): void {
    this.gather(mesh, light, casts);
    this.lamps.length = 0;
    light.lamps.forEach(({ towards }, i) => {
      const map = (this.spare[i] ??= new ShadowMap(LAMP_SIDE));
      map.draw(mesh, towards, casts);
      this.lamps.push(map);
    });
  }

  private gather(mesh: Mesh, light: Light, casts: Uint8Array): void {
    const { count, position, normal } = mesh;
    if (this.sky.length < 3 * count) this.sky = new Float32Array(4 * count);
    const { sky, map } = this;
    sky.fill(0, 0, 3 * count);
    const color = new Float64Array(3);
    for (const towards of directions) {
      skyAt(light, towards, color);
      map.draw(mesh, towards, casts);
      const [x, y, z] = towards;
      for (let i = 0; i < 3 * count; i += 3) {
        const facing = normal[i] * x + normal[i + 1] * y + normal[i + 2] * z;
        if (facing <= 0) continue;
        const share = (4 / DIRECTIONS) * facing;
        const lit = share * map.lit(position[i], position[i + 1], position[i + 2], 0.35 + 0.35 * (1 - facing), 0);
        sky[i] += lit * color[0];
        sky[i + 1] += lit * color[1];
        sky[i + 2] += lit * color[2];
      }
    }
  }
}
