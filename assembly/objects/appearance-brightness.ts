// Brightness of the cells of a window, as four channels from dark to bright. Each cell is shared by two channels. The
// mean is subtracted, so that the overall brightness of the window has no effect. It distinguishes dark from bright
// objects, which gradients do not.
import { ObjectFrame } from './frame';

const CELLS: i32 = 32;
const PLANE: usize = <usize>(CELLS * CELLS * 4);
export const BRIGHTNESSES: i32 = 4;
/** Weight relative to the histograms. */
const WEIGHT: f32 = 0.3;
/** Maximum number of samples across a cell. */
const MOST: f64 = 4;

/** Mean gray value of a cell, 0 to 1. */
function cellMean(frame: ObjectFrame, left: f64, top: f64, step: f64, count: i32): f32 {
  const right = frame.width - 1;
  const bottom = frame.height - 1;
  let sum: i32 = 0;
  for (let j = 0; j < count; j++) {
    const y = min(bottom, max(0, <i32>(top + (<f64>j + 0.5) * step)));
    const row = frame.gray + <usize>(y * frame.grayStride);
    for (let i = 0; i < count; i++) {
      const x = min(right, max(0, <i32>(left + (<f64>i + 0.5) * step)));
      sum += <i32>load<u8>(row + <usize>x);
    }
  }
  return <f32>sum / (255 * <f32>(count * count));
}

/** Channels of a window whose corner is at left, top, with cells `cell` pixels wide. */
export function brightnessChannels(frame: ObjectFrame, left: f64, top: f64, cell: f64, out: usize): void {
  const count = <i32>min(MOST, max<f64>(1, ceil(cell)));
  const step = cell / <f64>count;
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < CELLS; x++) {
      const light: f32 = 3 * cellMean(frame, left + <f64>x * cell, top + <f64>y * cell, step, count);
      const at = out + <usize>((y * CELLS + x) << 2);
      for (let k = 0; k < BRIGHTNESSES; k++)
        store<f32>(at + <usize>k * PLANE, max<f32>(0, 1 - abs<f32>(light - <f32>k)));
    }
  centerChannels(out, BRIGHTNESSES, WEIGHT);
}

/** Subtracts its mean from each channel, and applies the weight. */
export function centerChannels(out: usize, count: i32, weight: f32): void {
  for (let k = 0; k < count; k++, out += PLANE) {
    let sum = f32x4.splat(0);
    for (let i: usize = 0; i < PLANE; i += 16) sum = f32x4.add(sum, v128.load(out + i));
    const total =
      f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
    const mean = f32x4.splat(total / <f32>(CELLS * CELLS));
    const scale = f32x4.splat(weight);
    for (let i: usize = 0; i < PLANE; i += 16)
      v128.store(out + i, f32x4.mul(scale, f32x4.sub(v128.load(out + i), mean)));
  }
}
