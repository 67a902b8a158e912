// Jacobi's method for a symmetric matrix of n rows in single precision, with vectors: rotations of the largest element
// off the diagonal, whose places per row and column are kept, as in OpenCV's `eigen`.

function hypotenuse(a: f32, b: f32): f32 {
  a = abs<f32>(a);
  b = abs<f32>(b);
  if (a > b) {
    b /= a;
    return a * sqrt<f32>(1 + b * b);
  }
  if (b > 0) {
    a /= b;
    return b * sqrt<f32>(1 + a * a);
  }
  return 0;
}

function at(matrix: usize, n: i32, row: i32, column: i32): usize {
  return matrix + ((<usize>(row * n + column)) << 2);
}

/** Rotates two elements. */
function rotate(a: usize, b: usize, c: f32, s: f32): void {
  const u = load<f32>(a);
  const v = load<f32>(b);
  store<f32>(a, u * c - v * s);
  store<f32>(b, u * s + v * c);
}

/** Column of the largest element of a row, right of the diagonal. */
function largestInRow(matrix: usize, n: i32, row: i32): i32 {
  let best = row + 1;
  for (let i = row + 2; i < n; i++)
    if (abs<f32>(load<f32>(at(matrix, n, row, i))) > abs<f32>(load<f32>(at(matrix, n, row, best)))) best = i;
  return best;
}

/** Sorts the values falling, and the rows of vectors with them. */
function sort(n: i32, values: usize, vectors: usize): void {
  for (let k = 0; k < n - 1; k++) {
    let m = k;
    for (let i = k + 1; i < n; i++)
      if (load<f32>(values + ((<usize>i) << 2)) > load<f32>(values + ((<usize>m) << 2))) m = i;
    if (m == k) continue;
    swap(values + ((<usize>k) << 2), values + ((<usize>m) << 2));
    for (let i = 0; i < n; i++) swap(at(vectors, n, k, i), at(vectors, n, m, i));
  }
}

function swap(a: usize, b: usize): void {
  const kept = load<f32>(a);
  store<f32>(a, load<f32>(b));
  store<f32>(b, kept);
}

/** Values to `values`, falling; vectors to the rows of `vectors`. `matrix` is destroyed. `places`: 4 n bytes. */
export function jacobi(n: i32, matrix: usize, values: usize, vectors: usize, places: usize): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) store<f32>(at(vectors, n, i, j), i == j ? 1 : 0);
    store<f32>(values + ((<usize>i) << 2), load<f32>(at(matrix, n, i, i)));
    if (i < n - 1) store<i32>(places + ((<usize>i) << 2), largestInRow(matrix, n, i));
  }
  for (let turn = 0, most = 30 * n * n; turn < most && n > 1; turn++) {
    let k = 0;
    for (let i = 1; i < n - 1; i++) {
      const here = abs<f32>(load<f32>(at(matrix, n, i, load<i32>(places + ((<usize>i) << 2)))));
      if (here > abs<f32>(load<f32>(at(matrix, n, k, load<i32>(places + ((<usize>k) << 2)))))) k = i;
    }
    const l = load<i32>(places + ((<usize>k) << 2));
    const p = load<f32>(at(matrix, n, k, l));
    if (abs<f32>(p) <= f32.EPSILON * 1e-6) break;
    turnOnce(n, matrix, values, vectors, k, l, p);
    for (let i = 0; i < n - 1; i++) {
      const place = places + ((<usize>i) << 2);
      if (n > 2) store<i32>(place, largestInRow(matrix, n, i));
    }
  }
  sort(n, values, vectors);
}

/** One rotation that takes element (k, l) to zero. */
function turnOnce(n: i32, matrix: usize, values: usize, vectors: usize, k: i32, l: i32, p: f32): void {
  const atK = values + ((<usize>k) << 2);
  const atL = values + ((<usize>l) << 2);
  const y = (load<f32>(atL) - load<f32>(atK)) * 0.5;
  let t = abs<f32>(y) + hypotenuse(p, y);
  let s = hypotenuse(p, t);
  const c = t / s;
  s = p / s;
  t = (p / t) * p;
  if (y < 0) {
    s = -s;
    t = -t;
  }
  store<f32>(at(matrix, n, k, l), 0);
  store<f32>(atK, load<f32>(atK) - t);
  store<f32>(atL, load<f32>(atL) + t);
  for (let i = 0; i < k; i++) rotate(at(matrix, n, i, k), at(matrix, n, i, l), c, s);
  for (let i = k + 1; i < l; i++) rotate(at(matrix, n, k, i), at(matrix, n, i, l), c, s);
  for (let i = l + 1; i < n; i++) rotate(at(matrix, n, k, i), at(matrix, n, l, i), c, s);
  for (let i = 0; i < n; i++) rotate(at(vectors, n, k, i), at(vectors, n, l, i), c, s);
}
