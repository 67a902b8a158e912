// Median flow (Kalal, Mikolajczyk, Matas 2010): points of the box are tracked forward and back. Those with the larger
// forward-backward error and the smaller correlation are dropped. The median of the others moves the box, and the
// median change of their distances scales it.
import { Box } from './boxes';
import { ObjectFrame } from './frame';
import { pointCorrelations } from './median-flow-correlations';
import { medianOf } from './median-flow-select';

/** Distance of the points from the box's edges. */
const MARGIN: f64 = 5;
/** Minimum number of points. */
const LEAST_POINTS: i32 = 4;
/** Minimum width and height of a box, and of its part inside the frame, pixels. */
const LEAST_SIDE: f64 = 4;
const LEAST_INSIDE: f64 = 2;
/** Scratch bytes of `pointCorrelations`. */
const CORRELATION_SCRATCH: usize = 208;

/** A box and its motion. Begins as a Box, the one in the next frame. */
@unmanaged
export class BoxMotion {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  residual: f64; // median distance of the points' motion from the median motion, pixels
  error: f64; // median forward-backward error, pixels
  found: i32; // 0: the flow failed, and the box has no meaning
  kept: i32; // number of points used for the motion
  // The points: x, y each in both frames, f32. Whether they were found, u8. Distance from the start after tracking
  // back, and correlation of the surroundings, f32.
  count: i32;
  points: usize;
  moved: usize;
  valid: usize;
  errors: usize;
  correlations: usize;
}

/** A grid of across x across points inside a box, alternating x and y as f32. */
export function gridPoints(box: usize, across: i32, points: usize): i32 {
  const b = changetype<Box>(box);
  const marginX = min(MARGIN, b.width / 4);
  const marginY = min(MARGIN, b.height / 4);
  for (let j = 0; j < across; j++)
    for (let i = 0; i < across; i++, points += 8) {
      store<f32>(points, <f32>(b.x + marginX + (<f64>i * (b.width - 1 - 2 * marginX)) / <f64>(across - 1)));
      store<f32>(points, <f32>(b.y + marginY + (<f64>j * (b.height - 1 - 2 * marginY)) / <f64>(across - 1)), 4);
    }
  return 0;
}

function x(points: usize, i: i32): f64 {
  return load<f32>(points + ((<usize>i) << 3));
}

function y(points: usize, i: i32): f64 {
  return load<f32>(points + ((<usize>i) << 3), 4);
}

function length(dx: f64, dy: f64): f64 {
  const most = max(abs(dx), abs(dy));
  if (most == 0) return 0;
  const a = dx / most;
  const b = dy / most;
  return sqrt(a * a + b * b) * most;
}

/** The values of the points that were found, as f64, infinite without a value. Returns their number. */
function gather(list: usize, valid: usize, count: i32, values: usize): i32 {
  let n = 0;
  for (let i = 0; i < count; i++) {
    if (!load<u8>(valid + <usize>i)) continue;
    const value = <f64>load<f32>(list + ((<usize>i) << 2));
    store<f64>(values + ((<usize>n) << 3), value == value ? value : Infinity);
    n++;
  }
  return n;
}

export function medianFlowScratch(motion: usize): i32 {
  const count = changetype<BoxMotion>(motion).count;
  return 4 * count + 8 * max(count, (count * (count - 1)) / 2) + 16;
}

/** Moves a box by its points. Not found if fewer than 4 of them remain. */
export function medianFlow(box: usize, motion: usize, scratch: usize): i32 {
  const b = changetype<Box>(box);
  const m = changetype<BoxMotion>(motion);
  const kept = scratch;
  const values = (scratch + 4 * <usize>m.count + 7) & ~7;
  const all = gather(m.errors, m.valid, m.count, values);
  m.error = medianOf(values, all);
  // Most points could not be tracked back.
  if (m.error == Infinity) m.error = NaN;
  gather(m.correlations, m.valid, m.count, values);
  const correlation = medianOf(values, all);
  let n = 0;
  for (let i = 0; i < m.count; i++) {
    const at = (<usize>i) << 2;
    if (!load<u8>(m.valid + <usize>i)) continue;
    if (!(load<f32>(m.errors + at) <= m.error && load<f32>(m.correlations + at) >= correlation)) continue;
    store<i32>(kept + ((<usize>n) << 2), i);
    n++;
  }
  m.kept = n;
  m.found = 0;
  if (n < LEAST_POINTS) return 0;
  for (let a = 0; a < n; a++) {
    const i = load<i32>(kept + ((<usize>a) << 2));
    store<f64>(values + ((<usize>a) << 3), x(m.moved, i) - x(m.points, i));
  }
  const dx = medianOf(values, n);
  for (let a = 0; a < n; a++) {
    const i = load<i32>(kept + ((<usize>a) << 2));
    store<f64>(values + ((<usize>a) << 3), y(m.moved, i) - y(m.points, i));
  }
  const dy = medianOf(values, n);
  let r = 0;
  for (let a = 1; a < n; a++) {
    const i = load<i32>(kept + ((<usize>a) << 2));
    for (let c = 0; c < a; c++, r++) {
      const j = load<i32>(kept + ((<usize>c) << 2));
      const now = length(x(m.moved, i) - x(m.moved, j), y(m.moved, i) - y(m.moved, j));
      const before = length(x(m.points, i) - x(m.points, j), y(m.points, i) - y(m.points, j));
      store<f64>(values + ((<usize>r) << 3), now / before);
    }
  }
  const scale = medianOf(values, r);
  for (let a = 0; a < n; a++) {
    const i = load<i32>(kept + ((<usize>a) << 2));
    const away = length(x(m.moved, i) - x(m.points, i) - dx, y(m.moved, i) - y(m.points, i) - dy);
    store<f64>(values + ((<usize>a) << 3), away);
  }
  m.residual = medianOf(values, n);
  // The box in the paper consists of corner pixels at a distance of width - 1.
  const growX = (scale - 1) * (b.width - 1);
  const growY = (scale - 1) * (b.height - 1);
  m.x = b.x + dx - growX / 2;
  m.y = b.y + dy - growY / 2;
  m.width = b.width + growX;
  m.height = b.height + growY;
  m.found = 1;
  return 0;
}

export function moveBoxScratch(motion: usize): i32 {
  return max(<i32>CORRELATION_SCRATCH, medianFlowScratch(motion));
}

/**
 * Motion of a box from its tracked points. Not found if their motion differs by more than `mostResidual` pixels, if the
 * box has left the frame, or if it is no longer valid.
 */
export function moveBox(
  previous: usize,
  next: usize,
  box: usize,
  motion: usize,
  mostResidual: f64,
  scratch: usize,
): i32 {
  const before = changetype<ObjectFrame>(previous);
  const after = changetype<ObjectFrame>(next);
  const m = changetype<BoxMotion>(motion);
  const width = before.width;
  const height = before.height;
  pointCorrelations(
    before.gray,
    after.gray,
    before.grayStride,
    width,
    height,
    m.points,
    m.moved,
    m.count,
    m.correlations,
    scratch,
  );
  medianFlow(box, motion, scratch);
  const inside =
    m.width >= LEAST_SIDE &&
    m.height >= LEAST_SIDE &&
    m.x + m.width >= LEAST_INSIDE &&
    m.y + m.height >= LEAST_INSIDE &&
    m.x <= <f64>width - LEAST_INSIDE &&
    m.y <= <f64>height - LEAST_INSIDE;
  if (!(m.residual <= mostResidual) || !inside) m.found = 0;
  return 0;
}
