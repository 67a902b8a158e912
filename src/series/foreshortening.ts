/**
 * Corrects foreshortening: a pupil that looks past the camera appears narrower. Its major axis hardly changes, but
 * measures by area or by a circle shrink with the angle. The cornea refracts the light, so the ratio of the axes falls
 * more slowly than the cosine: as 0.992 cos(angle / 1.121). The angle is measured from the gaze that shows the roundest
 * pupil, about 5 degrees to the temple (Mathur, Gehrmann and Atchison, J Vis 13(6), 2013). cameraDirection finds that
 * gaze, so it includes the offset of the eye.
 */
import type { Ellipse } from '../results/types.ts';
import { bad } from './samples.ts';

export interface Frontal {
  /** Diameter of the pupil when it looks at the camera, in pixels, from its area and the angle. */
  diameter: number;
  /** Angle between gaze and camera axis, radians. */
  angle: number;
  /** minor / major expected from the angle, and measured in the ellipse. If they differ much, the ellipse is wrong. */
  expectedRatio: number;
  ratio: number;
}

const ROUNDEST = 0.992;
const SLOWER = 1.121;
const ratioAt = (angle: number) => ROUNDEST * Math.cos(angle / SLOWER);
/** Maximum angle, radians. Beyond it the pupil is too narrow to be measured. */
const STEEPEST = (60 * Math.PI) / 180;

/**
 * Returns the diameter without foreshortening. Gaze and camera are in degrees on equal axes (a calibration in degrees
 * returns the gaze, cameraDirection the camera). Null if the angle is over 60 degrees or the gaze is not known. Throws
 * 'invalid-argument' for an ellipse without size or a camera without a valid position.
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

/** Angle in radians between two directions, which are passed as degrees to the right and down. */
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

/** Minimum number of frames for a calibration of the camera direction. */
const ENOUGH = 5;

/**
 * Direction of the camera, in degrees on the axes of the gaze. It is the position that explains the ratios of the axes
 * best, by least squares over frames of a calibration. `residual`: root mean square of the remaining error of the
 * ratios. Throws 'invalid-argument': fewer than five frames, or gazes that are all at one point or on a line.
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
  // A coarse search, then finer ones. The error has a single minimum within the possible positions of a camera.
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

/** Whether places differ by at least one degree along two axes. */
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
