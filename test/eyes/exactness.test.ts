import { expect } from 'chai';
import { arcTangent, cosine, exponential, normalQuantile, sine } from '../../lab/eyes/arithmetic.ts';
import { discImage, gazeVector, pointAt } from '../../lab/eyes/ellipse.ts';
import { makeScene, makeSubject, PUPIL_DEPTH } from '../../lab/eyes/eye.ts';
import { Random } from '../../lab/eyes/random.ts';
import { render } from '../../lab/eyes/render.ts';
import type { Ellipse, Scene } from '../../lab/eyes/scene.ts';

const IRIS = 200;
const PUPIL = 20;

/** An eye of flat surfaces: no texture, lashes, lamps, shadow, defocus or noise. */
function flatScene(yaw: number, pitch: number, radius: number, dx: number, dy: number): Scene {
  const subject = makeSubject(new Random(5), { skin: 150, sclera: IRIS, iris: IRIS, pupil: PUPIL });
  Object.assign(subject, { irisAmplitude: 0, skinAmplitude: 0, lidShadow: 0, lashes: [], upperLid: 9, lowerLid: 9 });
  const gaze = gazeVector(yaw, pitch);
  const pose = {
    width: 320,
    height: 240,
    pxPerMm: 14,
    x: 160 + dx - PUPIL_DEPTH * 14 * gaze.x,
    y: 120 + dy - PUPIL_DEPTH * 14 * gaze.y,
    yaw,
    pitch,
    restYaw: yaw,
    restPitch: pitch,
    pupilRadiusMm: radius,
    closure: 0,
  };
  return makeScene(subject, pose).scene;
}

const VIEWS: [number, number, number, number, number][] = [
  [0, 0, 2.1, 0.3, 0.7],
  [0.3, 0.1, 3.3, 0.15, 0.45],
  [-0.5, 0.42, 2.6, 0.61, 0.08],
  [0.1, -0.69, 4.1, 0.5, 0.5],
  [0.68, 0, 1.5, 0, 0],
];

/** Weighted by a Gaussian of sigma 1, so that the pixel grid's phase does not show. */
function levelAt(data: Uint8Array, width: number, x: number, y: number): number {
  let sum = 0;
  let weights = 0;
  for (let j = Math.round(y) - 5; j <= Math.round(y) + 5; j++) {
    for (let i = Math.round(x) - 5; i <= Math.round(x) + 5; i++) {
      const weight = Math.exp(-((i - x) * (i - x) + (j - y) * (j - y)) / 2);
      sum += weight * data[j * width + i];
      weights += weight;
    }
  }
  return sum / weights;
}

describe('rendered eyes: exactness', () => {
  it('has the half-level contour on the true ellipse in 72 directions', () => {
    for (const view of VIEWS) {
      const scene = flatScene(...view);
      const data = render(scene);
      for (let i = 0; i < 72; i++) {
        const p = pointAt(scene.pupil, (i * Math.PI) / 36);
        const q = pointAt(scene.pupil, (i * Math.PI) / 36, 1.001);
        // outward normal by the ellipse's equation, through the gradient of its distance-like form
        const n = normalAt(scene, p);
        expect((q.x - p.x) * n.x + (q.y - p.y) * n.y).to.be.above(0);
        let low = -2;
        let high = 2;
        for (let k = 0; k < 30; k++) {
          const middle = (low + high) / 2;
          const value = levelAt(data, scene.width, p.x + middle * n.x, p.y + middle * n.y);
          if (value < (IRIS + PUPIL) / 2) low = middle;
          else high = middle;
        }
        // a border of curvature k moves inwards by k sigma^2 / 2 under the weighting and the pixel's own area
        const { major: a, minor: b } = scene.pupil;
        const t = (i * Math.PI) / 36;
        const speed = (a * a * Math.sin(t) ** 2 + b * b * Math.cos(t) ** 2) / 4;
        const shift = (((a * b) / 4 / speed ** 1.5) * (1 + 1 / 12)) / 2;
        expect(low + shift, `view ${view}, direction ${i}`).to.be.within(-0.03, 0.03);
      }
    }
  });

  it('gives border pixels the area inside the ellipse (against chords of 200 lines a pixel)', () => {
    for (const view of VIEWS) {
      const scene = flatScene(...view);
      const data = render(scene);
      const { pupil, width } = scene;
      const reach = Math.ceil(pupil.major / 2) + 2;
      let worst = 0;
      for (let y = Math.round(pupil.y) - reach; y <= pupil.y + reach; y++) {
        const inside = new Float64Array(width);
        for (let k = 0; k < 200; k++) {
          const chord = chordAt(pupil, y + (k + 0.5) / 200 - 0.5);
          if (!chord) continue;
          for (let x = 0; x < width; x++)
            inside[x] += Math.max(0, Math.min(x + 0.5, chord[1]) - Math.max(x - 0.5, chord[0])) / 200;
        }
        for (let x = Math.round(pupil.x) - reach; x <= pupil.x + reach; x++) {
          if (inside[x] === 0) continue;
          const expected = IRIS + (PUPIL - IRIS) * inside[x];
          worst = Math.max(worst, Math.abs(data[y * width + x] - expected));
        }
      }
      // half a level of rounding, a quarter per cent of area for taking the border as straight within a pixel
      expect(worst, `view ${view}`).to.be.below(1.2);
    }
  });

  it('draws a disc seen off axis: points of the tilted circle in space project onto the ellipse', () => {
    const gaze = gazeVector(0.4, -0.35);
    const ellipse = discImage(10, 20, 30, gaze);
    // two unit vectors across the line of sight
    const h = Math.hypot(gaze.x, gaze.z);
    const e1 = { x: gaze.z / h, y: 0 };
    const e2 = { x: (-gaze.x * gaze.y) / h, y: h };
    const c = Math.cos(ellipse.angle);
    const s = Math.sin(ellipse.angle);
    for (let t = 0; t < 6.28; t += 0.1) {
      const x = 30 * (Math.cos(t) * e1.x + Math.sin(t) * e2.x);
      const y = 30 * (Math.cos(t) * e1.y + Math.sin(t) * e2.y);
      const u = (2 * (c * x + s * y)) / ellipse.major;
      const v = (2 * (c * y - s * x)) / ellipse.minor;
      expect(u * u + v * v).to.be.closeTo(1, 1e-9);
    }
    expect(ellipse.minor / ellipse.major).to.be.closeTo(Math.cos(0.4) * Math.cos(0.35), 1e-12);
    expect(ellipse.angle).to.be.within(0, Math.PI);
  });

  it('keeps its own functions close to those of the engine', () => {
    for (let x = -12; x < 12; x += 0.37) {
      expect(sine(x)).to.be.closeTo(Math.sin(x), 1e-12);
      expect(cosine(x)).to.be.closeTo(Math.cos(x), 1e-12);
      expect(exponential(x) / Math.exp(x)).to.be.closeTo(1, 1e-12);
      for (let y = -3; y < 3; y += 0.71) expect(arcTangent(y, x)).to.be.closeTo(Math.atan2(y, x), 1e-12);
    }
    expect(normalQuantile(0.975)).to.be.closeTo(1.959964, 1e-6);
    expect(normalQuantile(0.001)).to.be.closeTo(-3.090232, 1e-5);
  });
});

/** Ends of the ellipse's part of the line at height y. */
function chordAt(e: Ellipse, y: number): [number, number] | null {
  const c = Math.cos(e.angle);
  const s = Math.sin(e.angle);
  const a2 = 4 / e.major ** 2;
  const b2 = 4 / e.minor ** 2;
  const A = c * c * a2 + s * s * b2;
  const B = c * s * (a2 - b2);
  const C = s * s * a2 + c * c * b2;
  const dy = y - e.y;
  const root = B * B * dy * dy - A * (C * dy * dy - 1);
  if (root <= 0) return null;
  const middle = e.x - (B * dy) / A;
  return [middle - Math.sqrt(root) / A, middle + Math.sqrt(root) / A];
}

function normalAt(scene: Scene, p: { x: number; y: number }): { x: number; y: number } {
  const { pupil } = scene;
  const c = Math.cos(pupil.angle);
  const s = Math.sin(pupil.angle);
  const u = (c * (p.x - pupil.x) + s * (p.y - pupil.y)) / pupil.major ** 2;
  const v = (c * (p.y - pupil.y) - s * (p.x - pupil.x)) / pupil.minor ** 2;
  const length = Math.hypot(u, v);
  return { x: (c * u - s * v) / length, y: (s * u + c * v) / length };
}
