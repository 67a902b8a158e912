// Faces may be rotated in their boxes, and boxes may be inaccurate. After some cascades a face is cut out again,
// upright, centered and with a fixed size, and the landmarks are fitted there from the start.
//
// Doubles at `frames`:
// - 0..5: the patch: its first pixel in the image, the steps along its rows and its columns, x and y of each
// - 6..9: the similarity (a, b, x, y) from the current unit square to the unit square of the box

/**
 * Squares of the minimum and maximum size of a face relative to its box. Anything else is not a face and stays in
 * place.
 */
const SMALLEST: f64 = 0.04;
const LARGEST: f64 = 25;

/**
 * The patch of a box (left, top, and the span of its unit square) transformed by the similarity, or the box itself
 * without a similarity.
 */
export function alignPatch(frames: usize, box: usize, margin: i32, zoom: i32): void {
  const a = load<f64>(frames, 48);
  const b = load<f64>(frames, 56);
  for (let k: usize = 0; k < 16; k += 8) {
    const span = load<f64>(box + k, 16);
    const step = span / <f64>(zoom - 1);
    // The box is upright: one of its edges is horizontal, the other vertical.
    const across = k ? b * step : a * step;
    const down = k ? a * step : -b * step;
    store<f64>(frames + k, load<f64>(box + k) + load<f64>(frames + k, 64) * span - <f64>margin * (across + down));
    store<f64>(frames + k, across, 16);
    store<f64>(frames + k, down, 32);
  }
}

/** Without a similarity: the box unchanged. */
export function stayInBox(frames: usize): void {
  memory.fill(frames + 48, 0, 32);
  store<f64>(frames, 1, 48);
}

/**
 * Sets the similarity from the mean shape, if possible (see similarityMatrix: a, b, then the centers of the mean and of
 * the shape).
 */
export function alignTo(frames: usize, similar: usize): void {
  const a = load<f64>(similar);
  const b = load<f64>(similar, 8);
  const square = a * a + b * b;
  if (!(square > SMALLEST && square < LARGEST)) return;
  store<f64>(frames, a, 48);
  store<f64>(frames, b, 56);
  store<f64>(frames, load<f64>(similar, 32) - (a * load<f64>(similar, 16) - b * load<f64>(similar, 24)), 64);
  store<f64>(frames, load<f64>(similar, 40) - (b * load<f64>(similar, 16) + a * load<f64>(similar, 24)), 72);
}

/** Transforms the shape to the unit square of the box. */
export function shapeInBox(frames: usize, shape: usize, values: i32): void {
  const a = <f32>load<f64>(frames, 48);
  const b = <f32>load<f64>(frames, 56);
  const x = <f32>load<f64>(frames, 64);
  const y = <f32>load<f64>(frames, 72);
  for (const end = shape + ((<usize>values) << 2); shape < end; shape += 8) {
    const u = load<f32>(shape);
    const v = load<f32>(shape, 4);
    store<f32>(shape, a * u - b * v + x);
    store<f32>(shape, b * u + a * v + y, 4);
  }
}

/** Inverse transform: from a shape in the unit square of the box to the aligned cut-out. */
export function boxInShape(frames: usize, shape: usize, values: i32): void {
  const a = load<f64>(frames, 48);
  const b = load<f64>(frames, 56);
  const square = a * a + b * b;
  for (const end = shape + ((<usize>values) << 2); shape < end; shape += 8) {
    const u = <f64>load<f32>(shape) - load<f64>(frames, 64);
    const v = <f64>load<f32>(shape, 4) - load<f64>(frames, 72);
    store<f32>(shape, <f32>((a * u + b * v) / square));
    store<f32>(shape, <f32>((a * v - b * u) / square), 4);
  }
}
