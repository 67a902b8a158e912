/** Renders one face. */
import { addBody, addWorn } from './worn.ts';
import { labelsOf } from './labels.ts';
import { Lighting } from './lighting.ts';
import { addPerson, Atlas } from './person.ts';
import { draw, Projection, Samples } from './raster.ts';
import type { FaceModel } from './model.ts';
import { Mesh, Part, turning } from './scene.ts';
import { photograph, shrink } from './sensor.ts';
import { drawSettings, type FaceSettings } from './settings.ts';
import { paintBackdrop } from './backdrop.ts';
import { paintSamples } from './surface.ts';
import { castersOf, keepHair, paintLenses, paintThings, wornNames } from './worn-draw.ts';
import { Random } from '../../eyes/random.ts';

/** The point of the head that it turns about and that `distance` is measured to. */
const PIVOT = [0, 0.5, 6];
/** Samples of a pixel on each side. */
const PART = 2;

export interface Rendered {
  width: number;
  height: number;
  /** RGBA. */
  data: Uint8ClampedArray<ArrayBuffer>;
  /** x, y of 68 points, pixels, whole numbers at the centers of pixels. */
  points: Float32Array;
  /** The tight box of the points. */
  box: { x: number; y: number; width: number; height: number };
  record: FaceRecord;
}

export interface FaceRecord {
  seed: number;
  tone: number;
  yaw: number;
  pitch: number;
  roll: number;
  distance: number;
  blink: [number, number];
  gaze: [number, number];
  worn: string[];
}

export interface Framing {
  width: number;
  height: number;
  /** Half of the sum of the sides of the tight box of the points. */
  side: number;
  /** Of the box's middle, pixels. */
  x: number;
  y: number;
}

/** Box of 90 to 110 pixels near the middle of a square picture of 200, and in proportion for others. */
export function drawFraming(seed: number, size = 200): Framing {
  const random = new Random(seed, 10);
  const scale = size / 200;
  return {
    width: size,
    height: size,
    side: scale * random.uniform(90, 110),
    x: (size - 1) / 2 + scale * random.uniform(-8, 8),
    y: (size - 1) / 2 + scale * random.uniform(-8, 8),
  };
}

/** Keeps its buffers from face to face. */
export class Renderer {
  private readonly atlas: Atlas;
  private readonly mesh = new Mesh();
  private readonly lighting = new Lighting();
  private readonly seen = new Projection();
  private samples = new Samples(0, 0);

  constructor(readonly model: FaceModel) {
    this.atlas = new Atlas(model);
  }

  /**
   * @param given a seed, or settings: drawSettings(seed), changed at will
   * @param framing where in the picture; by default that of the seed, 200 px
   */
  render(given: number | FaceSettings, framing?: Framing): Rendered {
    const settings = typeof given === 'number' ? drawSettings(given) : given;
    const { width, height, side, x, y } = framing ?? drawFraming(settings.seed);
    const { atlas, mesh, seen, lighting } = this;
    const { yaw, pitch, roll, distance, seed } = settings;
    addPerson(mesh, this.model, settings);
    addWorn(mesh, settings, this.model);
    mesh.place(0, turning(yaw, pitch, roll), PIVOT, [0, 0, 0]);
    addBody(mesh, settings, PIVOT);
    mesh.findNormals();

    // A first look with a focal length of 1 says how far to zoom and where to point.
    const raw = labelsOf(atlas, mesh, settings, (px, py, pz) => [px / (distance - pz), -py / (distance - pz)]);
    const plain = boxOf(raw);
    const focal = (2 * side) / (plain.width + plain.height);
    const left = x - focal * (plain.x + plain.width / 2);
    const top = y - focal * (plain.y + plain.height / 2);
    const points = Float32Array.from(raw, (v, i) => focal * v + (i % 2 ? top : left));

    if (this.samples.width !== PART * width || this.samples.height !== PART * height)
      this.samples = new Samples(PART * width, PART * height);
    const { samples } = this;
    samples.clear();
    const sampled = (v: number) => PART * (v + 0.5) - 0.5;
    seen.project(mesh, distance, PART * focal, sampled(left), sampled(top));
    draw(samples, mesh, seen, { wanted: (part) => part < Part.lash });
    draw(samples, mesh, seen, { wanted: (part) => part > Part.hat && part < Part.lens, twoSided: true });
    draw(samples, mesh, seen, {
      wanted: (part) => part === Part.hair || part === Part.lash || part === Part.hat,
      twoSided: true,
      keep: keepHair(mesh, settings),
    });
    lighting.prepare(mesh, settings.light, castersOf(mesh));

    const scale = Math.min(width, height) / 200;
    const planes = paintBackdrop(PART * width, PART * height, PART * scale, settings.light);
    const angle = (roll * Math.PI) / 180;
    paintSamples(planes, samples, mesh, atlas, settings, lighting, distance, {
      up: [-Math.sin(angle), -Math.cos(angle)],
      scale: (PART * focal) / distance,
    });
    const level = this.faceLevel(planes);
    paintLenses(planes, samples, mesh, seen, settings);
    paintThings(planes, PART * width, PART * height, points, PART, level, settings);
    const small = planes.map((plane) => shrink(plane, width, height, PART));
    // Cameras expose for the face, though not fully.
    const gain = settings.camera.exposure / (Math.pow(level, 0.8) * Math.pow(0.2, 0.2));
    const data = photograph(small, width, height, scale, gain, settings.camera, seed);
    return {
      width,
      height,
      data,
      points,
      box: boxOf(points),
      record: {
        seed,
        tone: settings.look.tone,
        yaw,
        pitch,
        roll,
        distance,
        blink: settings.blink,
        gaze: settings.gaze,
        worn: wornNames(settings),
      },
    };
  }

  /** Mean light that the face sends out. */
  private faceLevel(planes: readonly Float32Array[]): number {
    const { triangle } = this.samples;
    let [sum, count] = [0, 0];
    for (let i = 0; i < triangle.length; i++)
      if (triangle[i] >= 0 && this.mesh.part[triangle[i]] === Part.face) {
        sum += 0.3 * planes[0][i] + 0.59 * planes[1][i] + 0.11 * planes[2][i];
        count++;
      }
    return Math.max(0.002, count ? sum / count : 0.2);
  }
}

function boxOf(points: ArrayLike<number>): Rendered['box'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]);
    right = Math.max(right, points[i]);
    top = Math.min(top, points[i + 1]);
    bottom = Math.max(bottom, points[i + 1]);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The gray levels that foveola makes of RGBA (src/image/gray.ts: BT.601 with 14 bits). */
export function grayOf(data: Uint8ClampedArray): Uint8Array {
  const out = new Uint8Array(data.length / 4);
  for (let i = 0; i < out.length; i++)
    out[i] = (4899 * data[4 * i] + 9617 * data[4 * i + 1] + 1868 * data[4 * i + 2] + 8192) >> 14;
  return out;
}
