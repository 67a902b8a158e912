import { arcTangent, cosine, sine } from './arithmetic.ts';
import type { Ellipse } from './scene.ts';

/** Rows of the matrix that takes offsets from the center to the unit disc. */
export function axes(e: Ellipse): { ux: number; uy: number; vx: number; vy: number } {
  const c = cosine(e.angle);
  const s = sine(e.angle);
  const a = 2 / e.major;
  const b = 2 / e.minor;
  return { ux: c * a, uy: s * a, vx: -s * b, vy: c * b };
}

/** Point on the border (radius 1) or inside (below 1) at the ellipse's own angle t. */
export function pointAt(e: Ellipse, t: number, radius = 1): { x: number; y: number } {
  const c = cosine(e.angle);
  const s = sine(e.angle);
  const a = 0.5 * e.major * radius * cosine(t);
  const b = 0.5 * e.minor * radius * sine(t);
  return { x: e.x + c * a - s * b, y: e.y + s * a + c * b };
}

/** Area of the unit square on the inner side of a line at signed distance d (positive: center inside), normal n. */
export function halfPlaneCover(d: number, nx: number, ny: number): number {
  const ax = Math.abs(nx);
  const ay = Math.abs(ny);
  const large = Math.max(ax, ay);
  const small = Math.min(ax, ay);
  const outer = 0.5 * (large + small);
  if (d >= outer) return 1;
  if (d <= -outer) return 0;
  const size = Math.abs(d);
  if (size <= 0.5 * (large - small)) return 0.5 + d / large;
  const corner = ((outer - size) * (outer - size)) / (2 * large * small);
  return d > 0 ? 1 - corner : corner;
}

/** Unit vector of gaze in camera coordinates (z towards the camera) from yaw (right) and pitch (down). */
export function gazeVector(yaw: number, pitch: number): { x: number; y: number; z: number } {
  const c = cosine(pitch);
  return { x: sine(yaw) * c, y: sine(pitch), z: cosine(yaw) * c };
}

/**
 * Image of a disc of the given radius that faces along `gaze`, under parallel projection: the axis along the tilt is
 * shortened by the cosine of the angle between gaze and camera.
 */
export function discImage(x: number, y: number, radius: number, gaze: { x: number; y: number; z: number }): Ellipse {
  const tilt = arcTangent(gaze.y, gaze.x) + Math.PI / 2;
  let angle = gaze.x === 0 && gaze.y === 0 ? 0 : tilt;
  while (angle >= Math.PI) angle -= Math.PI;
  while (angle < 0) angle += Math.PI;
  return { x, y, major: 2 * radius, minor: 2 * radius * gaze.z, angle };
}

/** Yaw and pitch of a line of sight `angle` off the camera axis, in the image direction `towards`. */
export function gazeFrom(angle: number, towards: number): { yaw: number; pitch: number } {
  // unit vector (sin a cos t, sin a sin t, cos a) back to angles by its definition in gazeVector
  const vx = sine(angle) * cosine(towards);
  const vy = sine(angle) * sine(towards);
  const pitch = arcSine(vy);
  return { yaw: arcSine(vx / Math.sqrt(1 - vy * vy)), pitch };
}

function arcSine(v: number): number {
  return arcTangent(v, Math.sqrt(Math.max(0, 1 - v * v)));
}
