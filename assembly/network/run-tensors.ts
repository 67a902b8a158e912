// Steps of a network between its convolutions, on the tensors of run-convolution.ts.

/** Copies the channels of each pixel. `shift` 1: each source pixel becomes 2x2 pixels. Pitches in floats. */
export function copyChannels(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  channels: i32,
  sourcePitch: i32,
  pitch: i32,
  shift: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const bytes = <usize>(channels << 2);
  for (let y = y0; y < y1; y++) {
    const row = source + <usize>((y >> shift) * sourceStride);
    let to = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++, to += <usize>(pitch << 2)) {
      const from = row + <usize>(((x >> shift) * sourcePitch) << 2);
      for (let c: usize = 0; c < bytes; c += 16) v128.store(to + c, v128.load(from + c));
    }
  }
  return 0;
}

/** Sums of two tensors of `width` pixels with `channels` floats, then min(max(v, slope v), ceiling). */
export function addTensors(
  source: usize,
  sourceStride: i32,
  other: usize,
  otherStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  channels: i32,
  slope: f32,
  ceiling: f32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const bytes = <usize>((width * channels) << 2);
  const low = f32x4.splat(slope);
  const high = f32x4.splat(ceiling);
  for (let y = y0; y < y1; y++) {
    const a = source + <usize>(y * sourceStride);
    const b = other + <usize>(y * otherStride);
    const to = target + <usize>(y * targetStride);
    for (let i: usize = 0; i < bytes; i += 16) {
      const sum = f32x4.add(v128.load(a + i), v128.load(b + i));
      v128.store(to + i, f32x4.min(f32x4.max(sum, f32x4.mul(sum, low)), high));
    }
  }
  return 0;
}

/** The maximum (`largest`) or the mean of `across` by `down` pixels. */
export function poolTensor(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  channels: i32,
  across: i32,
  down: i32,
  largest: bool,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  const pixel = <usize>(channels << 2);
  const share = f32x4.splat(<f32>1 / <f32>(across * down));
  for (let y = y0; y < y1; y++) {
    let to = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++, to += pixel)
      for (let c: usize = 0; c < pixel; c += 16) {
        const first = source + <usize>(y * down * sourceStride) + <usize>(x * across) * pixel + c;
        let value = largest ? v128.load(first) : f32x4.splat(0);
        for (let j = 0; j < down; j++) {
          let p = first + <usize>(j * sourceStride);
          for (let i = 0; i < across; i++, p += pixel)
            value = largest ? f32x4.max(value, v128.load(p)) : f32x4.add(value, v128.load(p));
        }
        v128.store(to + c, largest ? value : f32x4.mul(value, share));
      }
  }
  return 0;
}

/**
 * A plane as a tensor of one channel, of `columns` x any number of pixels. Beyond the plane its last samples are
 * repeated.
 */
export function planeToTensor(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  height: i32,
  columns: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    const from = source + <usize>(min(y, height - 1) * sourceStride);
    const to = target + <usize>(y * targetStride);
    memory.copy(to, from, (<usize>width) << 2);
    const last = load<f32>(from + ((<usize>(width - 1)) << 2));
    for (let x = width; x < columns; x++) store<f32>(to + ((<usize>x) << 2), last);
  }
  return 0;
}

/** The first `channels` floats of each pixel of a tensor, tightly packed. */
export function tensorToPlane(
  source: usize,
  sourceStride: i32,
  target: usize,
  targetStride: i32,
  width: i32,
  channels: i32,
  pitch: i32,
  y0: i32,
  y1: i32,
  scratch: usize,
): i32 {
  for (let y = y0; y < y1; y++) {
    let from = source + <usize>(y * sourceStride);
    let to = target + <usize>(y * targetStride);
    for (let x = 0; x < width; x++, from += <usize>(pitch << 2))
      for (let c = 0; c < channels; c++, to += 4) store<f32>(to, load<f32>(from + ((<usize>c) << 2)));
  }
  return 0;
}
