/**
 * A pupil that looks past the camera appears narrower. Its major axis stays nearly as it is; measures by area or by a circle
 * shrink with the angle. By the cornea, which bends the light, the ratio of the axes falls more slowly than the cosine: as
 * 0.992 cos(angle / 1.121), from the gaze at which the pupil is roundest, which lies some 5 degrees to the temple (Mathur,
 * Gehrmann and Atchison, J Vis 13(6), 2013). That gaze is found by cameraDirection, so the offset of the eye is in it.
 */
import type { Ellipse } from '../results/types.ts';
import { bad } from './samples.ts';

export interface Frontal {
  /** What the pupil measures when it looks at the camera, in pixels: by its area and the angle. */
  diameter: number;
  /** Radians between gaze and camera axis that were used. */
  angle: number;
  /** minor / major that the angle lets expect, and that the ellipse has. Where they differ much the ellipse is wrong. */
  expectedRatio: number;
  ratio: number;
}

const ROUNDEST = 0.992;
const SLOWER = 1.121;
const ratioAt = (angle: number) => ROUNDEST * Math.cos(angle / SLOWER);
/** Beyond this the pupil is too narrow to be measured, radians. */
const STEEPEST = (60 * Math.PI) / 180;

/**
 * The diameter without foreshortening, from gaze and camera in degrees on the same axes (a calibration in degrees gives the
 * gaze, cameraDirection the camera). Null where the angle is over 60 degrees or gaze is not known.
 * Throws 'invalid-argument' for an ellipse without size or a camera that is no place.
 */
export function frontalDiameter(
  ellipse: Pick<Ellipse, 'major' | 'minor'>,
  gaze: { x: number; y: number },
  camera: { x: number; y: number },
): Frontal | null {
  const { major, minor } = ellipse;
  if (!(major > 0 && minor > 0 && major >= minor && major < Infinity))
    throw bad('frontalDiameter', 'ellipse must have full axes above 0, with major not below minor.');
  if (!Number.isFinite(camera.x + camera.y))
    throw bad('frontalDiameter', 'camera must be { x, y } in degrees, on the axes of the gaze.');
  const angle = angleBetween(gaze, camera);
  if (!(angle <= STEEPEST)) return null;
  const expectedRatio = ratioAt(angle);
  return {
    diameter: Math.sqrt((major * minor) / expectedRatio),
    angle,
    expectedRatio,
    ratio: minor / major,
  };
}

/** Radians between two directions that are given by degrees to the side and down. */
function angleBetween(a: { x: number; y: number }, b: { x: number; y: number }): number {
  const direction = ({ x, y }: { x: number; y: number }) => {
    const [u, v] = [Math.tan((x * Math.PI) / 180), Math.tan((y * Math.PI) / 180)];
    const length = Math.hypot(u, v, 1);
    return [u / length, v / length, 1 / length] as const;
  };
  const [p, q] = [direction(a), direction(b)];
  const across = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
  return Math.atan2(across, p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);
}

/** Frames that a calibration of the camera's place needs. */
const ENOUGH = 5;

/**
 * Where the camera lies, in degrees on the axes of the gaze: the place from which the ratios of the axes fall as they should,
 * by least squares over frames of a calibration. `residual`: root mean square of what is left of the ratios.
 * Throws 'invalid-argument': fewer than five frames, or gazes that lie in one place or on a line.
 */
export function cameraDirection(
  frames: readonly { ellipse: Pick<Ellipse, 'major' | 'minor'>; gaze: { x: number; y: number } }[],
): { x: number; y: number; residual: number } {
  const where = 'cameraDirection';
  if (!Array.isArray(frames) || frames.length < ENOUGH)
    throw bad(where, `frames must be at least ${ENOUGH} of { ellipse, gaze }, from the calibration.`);
  const known = frames.filter(({ ellipse, gaze }) => ellipse.minor > 0 && Number.isFinite(gaze.x + gaze.y));
  const rest = (x: number, y: number) =>
    Math.sqrt(
      known.reduce(
        (sum, { ellipse, gaze }) =>
          sum + (ellipse.minor / ellipse.major - ratioAt(angleBetween(gaze, { x, y }))) ** 2 / known.length,
        0,
      ),
    );
  if (known.length < ENOUGH || !spread(known.map(({ gaze }) => gaze)))
    throw bad(where, 'the gazes must spread over the screen, not be at one point or on a line.');
  // A coarse search, then finer ones: the error has one valley within the reach of a camera.
  let best = { x: 0, y: 0, residual: rest(0, 0) };
  for (let step = 5, reach = 40; step > 0.01; reach = 2 * step, step /= 4) {
    const { x: middleX, y: middleY } = best;
    for (let x = middleX - reach; x <= middleX + reach; x += step)
      for (let y = middleY - reach; y <= middleY + reach; y += step) {
        const residual = rest(x, y);
        if (residual < best.residual) best = { x, y, residual };
      }
  }
  return best;
}

/** Whether places differ along two axes, by a degree at least. */
function spread(places: readonly { x: number; y: number }[]): boolean {
  const n = places.length;
  const [mx, my] = [places.reduce((s, p) => s + p.x, 0) / n, places.reduce((s, p) => s + p.y, 0) / n];
  const [xx, yy, xy] = places.reduce(
    ([a, b, c], p) => [a + (p.x - mx) ** 2 / n, b + (p.y - my) ** 2 / n, c + ((p.x - mx) * (p.y - my)) / n],
    [0, 0, 0] as [number, number, number],
  );
  const smaller = (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy);
  return smaller > 1;
}
