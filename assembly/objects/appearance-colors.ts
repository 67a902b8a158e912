// Color of the cells of a window: blue, yellow, red and green by the distance of U and V (BT.601) from gray, each minus
// its mean. Strong colors are compressed, so that a single bright spot does not dominate. Color is robust because a
// deformed target keeps its color.
import { centerChannels } from './appearance-brightness';
import { ObjectFrame } from './frame';

const CELLS: i32 = 32;
const PLANE: usize = <usize>(CELLS * CELLS * 4);
export const COLORS: i32 = 4;
/** Weight relative to the histograms, and distance from gray in levels where compression of a color starts. */
const WEIGHT: f32 = 1;
const STRONG: f32 = 30;
/** Maximum number of samples across a cell. */
const MOST: f64 = 4;

/**
 * Channels of a window whose corner is at left, top (pixels of the frame), with cells `cell` pixels wide. Colors have
 * half the frame's resolution. Zero if the frame has no colors.
 */
export function colorChannels(frame: ObjectFrame, left: f64, top: f64, cell: f64, out: usize): void {
  if (!frame.colors) {
    memory.fill(out, 0, PLANE * <usize>COLORS);
    return;
  }
  const right = max(0, (frame.width >> 1) - 1);
  const bottom = max(0, (frame.height >> 1) - 1);
  const size = cell / 2;
  const count = <i32>min(MOST, max<f64>(1, ceil(size)));
  const step = size / <f64>count;
  const share: f32 = 1 / (STRONG * <f32>(count * count));
  const gray = 128 * count * count;
  let to = out;
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < CELLS; x++, to += 4) {
      const cellLeft = left / 2 + <f64>x * size;
      const cellTop = top / 2 + <f64>y * size;
      let sumU = -gray;
      let sumV = -gray;
      for (let j = 0; j < count; j++) {
        const py = min(bottom, max(0, <i32>(cellTop + (<f64>j + 0.5) * step)));
        const row = frame.colors + <usize>(py * frame.colorStride);
        for (let i = 0; i < count; i++) {
          const px = min(right, max(0, <i32>(cellLeft + (<f64>i + 0.5) * step)));
          const both = <i32>load<u16>(row + ((<usize>px) << 1));
          sumU += both & 255;
          sumV += both >> 8;
        }
      }
      const u = share * <f32>sumU;
      const v = share * <f32>sumV;
      const less: f32 = 1 / sqrt<f32>(1 + u * u + v * v);
      store<f32>(to, max<f32>(0, u) * less);
      store<f32>(to, max<f32>(0, -u) * less, PLANE);
      store<f32>(to, max<f32>(0, v) * less, 2 * PLANE);
      store<f32>(to, max<f32>(0, -v) * less, 3 * PLANE);
    }
  centerChannels(out, COLORS, WEIGHT);
}
