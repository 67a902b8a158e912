/** The color that each sample of a scene sends to the camera, linear. */
import { smoothStep, clamp } from '../../eyes/arithmetic.ts';
import { noiseTile, TILE } from '../../eyes/texture.ts';
import { Lighting, skyAt } from './lighting.ts';
import { Mark, type Atlas } from './person.ts';
import type { Samples } from './raster.ts';
import { Part, type Mesh } from './scene.ts';
import type { FaceSettings } from './settings.ts';
import { SkinPaint } from './skin.ts';
import { paintWorn } from './worn-paint.ts';

const MASK = TILE - 1;
/** Light that goes past the edge of shadow in skin. */
const WRAP = 0.12;

/** What a surface gives back where it is looked at: set by whoever paints it. */
export interface Surface {
  color: Float64Array;
  /** Strength and exponent of its gloss. */
  gloss: number;
  sharpness: number;
  wrap: number;
}

/**
 * Paints every sample that shows a triangle into three planes of the size of `samples`.
 * `up` is the head's upward direction in the picture, and `scale` the samples of one cm at the face.
 */
export function paintSamples(
  planes: readonly Float32Array[],
  samples: Samples,
  mesh: Mesh,
  atlas: Atlas,
  settings: FaceSettings,
  lighting: Lighting,
  distance: number,
  { up, scale }: { up: readonly [number, number]; scale: number },
): void {
  const { look, worn, light, seed } = settings;
  const scalp = worn.hair ? worn.hair.line + 0.5 : look.age > 0.5 ? Infinity : 11;
  const smile = settings.expression.mouthSmile_L ?? 0;
  const skin = new SkinPaint(look, seed, scalp, smile);
  const eyes = new EyePaint(atlas, settings);
  const surface: Surface = { color: new Float64Array(3), gloss: 0, sharpness: 20, wrap: 0 };
  const { position, rest, normal, triangles, part } = mesh;
  const { marks } = atlas;
  const sky = lighting.sky;
  const fine = noiseTile(1);
  const mirrored = new Float64Array(3);
  const M = Mark.count;
  for (let y = 0, at = 0; y < samples.height; y++)
    for (let x = 0; x < samples.width; x++, at++) {
      const t = samples.triangle[at];
      if (t < 0) continue;
      const [a, b, c] = [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
      const wb = samples.second[at];
      const wc = samples.third[at];
      const wa = 1 - wb - wc;
      const of = (array: Float32Array, stride: number, k: number) =>
        wa * array[stride * a + k] + wb * array[stride * b + k] + wc * array[stride * c + k];
      const px = of(position, 3, 0);
      const py = of(position, 3, 1);
      const pz = of(position, 3, 2);
      const u = of(rest, 3, 0);
      const v = of(rest, 3, 1);
      const w = of(rest, 3, 2);
      let nx = of(normal, 3, 0);
      let ny = of(normal, 3, 1);
      let nz = of(normal, 3, 2);
      // towards the camera
      let vx = -px;
      let vy = -py;
      let vz = distance - pz;
      const far = 1 / Math.sqrt(vx * vx + vy * vy + vz * vz);
      vx *= far;
      vy *= far;
      vz *= far;
      const turned = (nx * vx + ny * vy + nz * vz < 0 ? -1 : 1) / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
      nx *= turned;
      ny *= turned;
      nz *= turned;

      const kind = part[t];
      surface.gloss = 0;
      surface.sharpness = 20;
      surface.wrap = 0;
      let bias = 0.25;
      const { color } = surface;
      switch (kind) {
        case Part.face:
        case Part.head:
          skin.face(
            u,
            v,
            w,
            of(marks, M, Mark.lip),
            of(marks, M, Mark.seam),
            of(marks, M, Mark.browAlong),
            of(marks, M, Mark.browAbove),
            of(marks, M, Mark.lid),
            of(marks, M, Mark.fold),
          );
          color.set(skin.color);
          surface.gloss = look.shine * skin.gloss * 0.16;
          surface.sharpness = 6 + 30 * (1 - look.roughness) ** 2;
          surface.wrap = WRAP;
          break;
        case Part.hand:
          skin.plain(u, v, w);
          color.set(skin.color);
          surface.gloss = 0.05 * look.shine;
          surface.wrap = WRAP;
          break;
        case Part.socket:
          color.set([0.09, 0.02, 0.018]);
          break;
        case Part.gums:
          color.set([0.34, 0.11, 0.1]);
          surface.gloss = 0.15;
          break;
        case Part.teeth: {
          const level = look.teeth * (0.9 + 0.1 * smoothStep(0.3, 0, Math.abs(u)));
          color.set([level, 0.92 * level, 0.78 * level]);
          surface.gloss = 0.1;
          break;
        }
        case Part.eye: {
          eyes.paint(u, v, w, surface);
          const lid = lidAbove(samples, part, at, up, 0.42 * scale);
          for (let k = 0; k < 3; k++) color[k] *= 1 - 0.8 * (1 - lid);
          surface.gloss *= lid;
          bias = 0.5;
          break;
        }
        case Part.lash:
          color.set([0.008, 0.006, 0.005]);
          break;
        default:
          paintWorn(kind, u, v, settings, surface, fine, MASK);
      }

      const shine = surface.gloss;
      let red = of(sky, 3, 0) * color[0];
      let green = of(sky, 3, 1) * color[1];
      let blue = of(sky, 3, 2) * color[2];
      const facing = nx * vx + ny * vy + nz * vz;
      if (shine > 0.02) {
        // what the surroundings look like in it, more at the rim
        const rim = (1 - clamp(facing, 0, 1)) ** 4;
        skyAt(light, [2 * facing * nx - vx, 2 * facing * ny - vy, 2 * facing * nz - vz], mirrored);
        const share = Math.min(0.5, shine * (0.25 + rim));
        red += share * mirrored[0];
        green += share * mirrored[1];
        blue += share * mirrored[2];
      }
      for (let i = 0; i < light.lamps.length; i++) {
        const lamp = light.lamps[i];
        const [lx, ly, lz] = lamp.towards;
        const slope = nx * lx + ny * ly + nz * lz;
        const direct = (slope + surface.wrap) / (1 + surface.wrap);
        if (direct <= 0) continue;
        const lit = lighting.lamps[i].lit(px, py, pz, bias + 0.4 * (1 - Math.max(0, slope)), lamp.soft);
        if (lit === 0) continue;
        const half = 1 / Math.sqrt((lx + vx) ** 2 + (ly + vy) ** 2 + (lz + vz) ** 2);
        const middle = Math.max(0, ((lx + vx) * nx + (ly + vy) * ny + (lz + vz) * nz) * half);
        const spark =
          shine > 0
            ? shine * Math.pow(middle, surface.sharpness) * (0.5 + surface.sharpness / 12) * Math.max(0, slope)
            : 0;
        red += lit * lamp.color[0] * (direct * color[0] + spark);
        green += lit * lamp.color[1] * (direct * color[1] + spark);
        blue += lit * lamp.color[2] * (direct * color[2] + spark);
      }
      planes[0][at] = red;
      planes[1][at] = green;
      planes[2][at] = blue;
    }
}

/** 0 right below the upper lid .. 1 a reach away: the lid and its lashes keep light off the eye. */
function lidAbove(
  samples: Samples,
  part: Uint8Array,
  at: number,
  up: readonly [number, number],
  reach: number,
): number {
  const steps = 4;
  for (let k = 1; k <= steps; k++) {
    const far = (k / steps) * reach;
    const to = at + Math.round(up[1] * far) * samples.width + Math.round(up[0] * far);
    const t = samples.triangle[to];
    if (t === undefined || t < 0 || part[t] !== Part.eye) return (k - 1) / steps;
  }
  return 1;
}

/** White of the eye, iris and pupil, by the angle from where the eye looks. */
class EyePaint {
  private readonly look: FaceSettings['look'];
  private readonly axes: number[];
  private readonly fine = noiseTile(2);

  constructor(
    private readonly atlas: Atlas,
    { look, gaze }: FaceSettings,
  ) {
    this.look = look;
    const [a, e] = gaze.map((degrees) => (degrees * Math.PI) / 180);
    this.axes = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)];
  }

  paint(x: number, y: number, z: number, surface: Surface): void {
    const { iris, sclera } = this.look;
    const { eyes } = this.atlas.model;
    const [cx, cy, cz] = x > 0 ? eyes[0] : eyes[1];
    const [dx, dy, dz] = [x - cx, y - cy, z - cz];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const cosine = (dx * this.axes[0] + dy * this.axes[1] + dz * this.axes[2]) / length;
    const angle = Math.acos(clamp(cosine, -1, 1));
    const { color } = surface;
    const white = sclera * (1 - 0.3 * smoothStep(0.6, 1.1, Math.abs(Math.atan2(dx, dz))));
    color[0] = white;
    color[1] = white * 0.9;
    color[2] = white * 0.86;
    surface.gloss = 0.05;
    surface.sharpness = 350;
    if (angle > iris.radius * 1.12) return;
    const spoke = this.fine[((Math.floor(40 * Math.atan2(dy, dx)) & MASK) * TILE + ((25 * angle) & MASK)) | 0];
    const inner = smoothStep(iris.radius * 1.08, iris.radius * 0.93, angle);
    const ring = 1 - 0.55 * smoothStep(iris.radius * 0.75, iris.radius * 0.98, angle);
    const hole = smoothStep(iris.pupil * 1.1, iris.pupil * 0.92, angle);
    for (let k = 0; k < 3; k++) {
      const tissue = iris.color[k] * ring * (1 + 0.25 * spoke);
      color[k] += inner * (tissue * (1 - hole) + 0.004 * hole - color[k]);
    }
    surface.gloss = 0.09;
  }
}
