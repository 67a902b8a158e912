// Faces are turned in their boxes, and boxes are off. After some cascades a face is cut out once more as it was found, upright,
// of one size and in the middle, and the points are found there from the beginning.
//
// Doubles at `frames`:
//   0..5    the patch: its first pixel in the image, the steps along its rows and its columns, x and y of each
//   6..11   the unit square of the box in the image: its corner, its two sides
//   12..15  the similarity (a, b, x, y) from the unit square in use to that of the box

/** Squares of how much smaller and larger than its box a face can be: what is beyond is no face, and stays where it was. */
const SMALLEST: f64 = 0.04;
const LARGEST: f64 = 25;

/** The patch of a unit square in the image. */
function framePatch(frames: usize, corner: v128, across: v128, down: v128, margin: i32, zoom: i32): void {
  const steps = f64x2.splat(<f64>(zoom - 1));
  const stepAcross = f64x2.div(across, steps);
  const stepDown = f64x2.div(down, steps);
  const room = f64x2.mul(f64x2.splat(<f64>margin), f64x2.add(stepAcross, stepDown));
  v128.store(frames, f64x2.sub(corner, room));
  v128.store(frames, stepAcross, 16);
  v128.store(frames, stepDown, 32);
}

/** The patch of a box: left, top, and what its unit square spans. */
export function patchFrame(frames: usize, box: usize, margin: i32, zoom: i32): void {
  const corner = v128.load(box);
  const across = f64x2(load<f64>(box, 16), 0);
  const down = f64x2(0, load<f64>(box, 24));
  v128.store(frames, corner, 48);
  v128.store(frames, across, 64);
  v128.store(frames, down, 80);
  v128.store(frames, f64x2(1, 0), 96);
  v128.store(frames, f64x2(0, 0), 112);
  framePatch(frames, corner, across, down, margin, zoom);
}

/**
 * The patch of a face that lies by `similar` to the mean shape (see similarityMatrix: a, b, then the middles of the mean and of
 * the shape); that of the box where there can be no such face.
 */
export function align(frames: usize, similar: usize, margin: i32, zoom: i32): void {
  const a = load<f64>(similar);
  const b = load<f64>(similar, 8);
  const square = a * a + b * b;
  if (!(square > SMALLEST && square < LARGEST)) return;
  const x = load<f64>(similar, 32) - (a * load<f64>(similar, 16) - b * load<f64>(similar, 24));
  const y = load<f64>(similar, 40) - (b * load<f64>(similar, 16) + a * load<f64>(similar, 24));
  v128.store(frames, f64x2(a, b), 96);
  v128.store(frames, f64x2(x, y), 112);
  const across = v128.load(frames, 64);
  const down = v128.load(frames, 80);
  const moved = f64x2.add(f64x2.mul(across, f64x2.splat(x)), f64x2.mul(down, f64x2.splat(y)));
  framePatch(
    frames,
    f64x2.add(v128.load(frames, 48), moved),
    f64x2.add(f64x2.mul(across, f64x2.splat(a)), f64x2.mul(down, f64x2.splat(b))),
    f64x2.sub(f64x2.mul(down, f64x2.splat(a)), f64x2.mul(across, f64x2.splat(b))),
    margin,
    zoom,
  );
}

/** The shape as it lies in the unit square of the box. */
export function shapeInBox(frames: usize, shape: usize, values: i32): void {
  const a = load<f64>(frames, 96);
  const b = load<f64>(frames, 104);
  for (let k: usize = 0; k < (<usize>values) << 2; k += 8) {
    const u = <f64>load<f32>(shape + k);
    const v = <f64>load<f32>(shape + k, 4);
    store<f32>(shape + k, <f32>(a * u - b * v + load<f64>(frames, 112)));
    store<f32>(shape + k, <f32>(b * u + a * v + load<f64>(frames, 120)), 4);
  }
}
