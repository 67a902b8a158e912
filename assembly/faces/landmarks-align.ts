// Faces are turned in their boxes, and boxes are off. After some cascades a face is cut out once more as it was found, upright,
// of one size and in the middle, and the points are found there from the beginning.
//
// Doubles at `frames`:
//   0..5    the patch: its first pixel in the image, the steps along its rows and its columns, x and y of each
//   6..9    the similarity (a, b, x, y) from the unit square in use to that of the box

/** Squares of how much smaller and larger than its box a face can be: what is beyond is no face, and stays where it was. */
const SMALLEST: f64 = 0.04;
const LARGEST: f64 = 25;

/**
 * The patch of what lies in a box (left, top, and what its unit square spans) by the similarity: of the box itself when that is
 * none.
 */
export function alignPatch(frames: usize, box: usize, margin: i32, zoom: i32): void {
  const a = load<f64>(frames, 48);
  const b = load<f64>(frames, 56);
  for (let k: usize = 0; k < 16; k += 8) {
    const span = load<f64>(box + k, 16);
    const step = span / <f64>(zoom - 1);
    // The box is upright: of its two sides one is across, the other down.
    const across = k ? b * step : a * step;
    const down = k ? a * step : -b * step;
    store<f64>(frames + k, load<f64>(box + k) + load<f64>(frames + k, 64) * span - <f64>margin * (across + down));
    store<f64>(frames + k, across, 16);
    store<f64>(frames + k, down, 32);
  }
}

/** No similarity: the box as it is. */
export function stayInBox(frames: usize): void {
  memory.fill(frames + 48, 0, 32);
  store<f64>(frames, 1, 48);
}

/** The similarity from the mean shape (see similarityMatrix: a, b, then the middles of the mean and of the shape), if it can be. */
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

/** The shape as it lies in the unit square of the box. */
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

/** The reverse: a shape of the box's unit square in the one that the face was cut out to. */
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
