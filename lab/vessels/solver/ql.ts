// Eigenvalues and vectors of a symmetric matrix of n rows in double precision: Householder's reduction to three
// diagonals, then the implicit QL method (Martin, Reinsch and Wilkinson 1968, as tred2 and tql2 of EISPACK, from which
// LAPACK's `syev` comes).

const EPSILON: f64 = 2.220446049250313e-16;

function at(matrix: usize, n: i32, row: i32, column: i32): usize {
  return matrix + ((<usize>(row * n + column)) << 3);
}

function get(list: usize, i: i32): f64 {
  return load<f64>(list + ((<usize>i) << 3));
}

function set(list: usize, i: i32, value: f64): void {
  store<f64>(list + ((<usize>i) << 3), value);
}

function hypotenuse(a: f64, b: f64): f64 {
  return sqrt(a * a + b * b);
}

/** One column of the reduction; `d`: the row, `e`: the elements next to the diagonal. Returns h. */
function reduceColumn(v: usize, n: i32, i: i32, d: usize, e: usize, scale: f64): f64 {
  let h: f64 = 0;
  for (let k = 0; k < i; k++) {
    set(d, k, get(d, k) / scale);
    h += get(d, k) * get(d, k);
  }
  let f = get(d, i - 1);
  let g = sqrt(h);
  if (f > 0) g = -g;
  set(e, i, scale * g);
  h -= f * g;
  set(d, i - 1, f - g);
  for (let j = 0; j < i; j++) set(e, j, 0);
  for (let j = 0; j < i; j++) {
    f = get(d, j);
    store<f64>(at(v, n, j, i), f);
    g = get(e, j) + load<f64>(at(v, n, j, j)) * f;
    for (let k = j + 1; k <= i - 1; k++) {
      g += load<f64>(at(v, n, k, j)) * get(d, k);
      set(e, k, get(e, k) + load<f64>(at(v, n, k, j)) * f);
    }
    set(e, j, g);
  }
  f = 0;
  for (let j = 0; j < i; j++) {
    set(e, j, get(e, j) / h);
    f += get(e, j) * get(d, j);
  }
  const hh = f / (h + h);
  for (let j = 0; j < i; j++) set(e, j, get(e, j) - hh * get(d, j));
  for (let j = 0; j < i; j++) {
    f = get(d, j);
    g = get(e, j);
    for (let k = j; k <= i - 1; k++) {
      const place = at(v, n, k, j);
      store<f64>(place, load<f64>(place) - (f * get(e, k) + g * get(d, k)));
    }
    set(d, j, load<f64>(at(v, n, i - 1, j)));
    store<f64>(at(v, n, i, j), 0);
  }
  return h;
}

/** The reduction, and its rotations multiplied into `v`. */
function reduce(n: i32, v: usize, d: usize, e: usize): void {
  for (let j = 0; j < n; j++) set(d, j, load<f64>(at(v, n, n - 1, j)));
  for (let i = n - 1; i > 0; i--) {
    let scale: f64 = 0;
    let h: f64 = 0;
    for (let k = 0; k < i; k++) scale += abs(get(d, k));
    if (scale == 0) {
      set(e, i, get(d, i - 1));
      for (let j = 0; j < i; j++) {
        set(d, j, load<f64>(at(v, n, i - 1, j)));
        store<f64>(at(v, n, i, j), 0);
        store<f64>(at(v, n, j, i), 0);
      }
    } else h = reduceColumn(v, n, i, d, e, scale);
    set(d, i, h);
  }
  for (let i = 0; i < n - 1; i++) {
    store<f64>(at(v, n, n - 1, i), load<f64>(at(v, n, i, i)));
    store<f64>(at(v, n, i, i), 1);
    const h = get(d, i + 1);
    if (h != 0) {
      for (let k = 0; k <= i; k++) set(d, k, load<f64>(at(v, n, k, i + 1)) / h);
      for (let j = 0; j <= i; j++) {
        let g: f64 = 0;
        for (let k = 0; k <= i; k++) g += load<f64>(at(v, n, k, i + 1)) * load<f64>(at(v, n, k, j));
        for (let k = 0; k <= i; k++) {
          const place = at(v, n, k, j);
          store<f64>(place, load<f64>(place) - g * get(d, k));
        }
      }
    }
    for (let k = 0; k <= i; k++) store<f64>(at(v, n, k, i + 1), 0);
  }
  for (let j = 0; j < n; j++) {
    set(d, j, load<f64>(at(v, n, n - 1, j)));
    store<f64>(at(v, n, n - 1, j), 0);
  }
  store<f64>(at(v, n, n - 1, n - 1), 1);
  set(e, 0, 0);
}

/** One sweep of QL from m to l; returns the shift that it adds. */
function sweep(n: i32, l: i32, m: i32, v: usize, d: usize, e: usize): f64 {
  let g = get(d, l);
  let p = (get(d, l + 1) - g) / (2 * get(e, l));
  let r = hypotenuse(p, 1);
  if (p < 0) r = -r;
  set(d, l, get(e, l) / (p + r));
  set(d, l + 1, get(e, l) * (p + r));
  const next = get(d, l + 1);
  const shift = g - get(d, l);
  for (let i = l + 2; i < n; i++) set(d, i, get(d, i) - shift);
  p = get(d, m);
  let c: f64 = 1;
  let c2 = c;
  let c3 = c;
  const beside = get(e, l + 1);
  let s: f64 = 0;
  let s2: f64 = 0;
  for (let i = m - 1; i >= l; i--) {
    c3 = c2;
    c2 = c;
    s2 = s;
    g = c * get(e, i);
    const h = c * p;
    r = hypotenuse(p, get(e, i));
    set(e, i + 1, s * r);
    s = get(e, i) / r;
    c = p / r;
    p = c * get(d, i) - s * g;
    set(d, i + 1, h + s * (c * g + s * get(d, i)));
    for (let k = 0; k < n; k++) {
      const high = at(v, n, k, i + 1);
      const low = at(v, n, k, i);
      const kept = load<f64>(high);
      store<f64>(high, s * load<f64>(low) + c * kept);
      store<f64>(low, c * load<f64>(low) - s * kept);
    }
  }
  p = (-s * s2 * c3 * beside * get(e, l)) / next;
  set(e, l, s * p);
  set(d, l, c * p);
  return shift;
}

/** Values rising, columns of vectors with them. */
function sort(n: i32, v: usize, d: usize): void {
  for (let i = 0; i < n - 1; i++) {
    let k = i;
    for (let j = i + 1; j < n; j++) if (get(d, j) < get(d, k)) k = j;
    if (k == i) continue;
    const kept = get(d, k);
    set(d, k, get(d, i));
    set(d, i, kept);
    for (let j = 0; j < n; j++) {
      const a = at(v, n, j, i);
      const b = at(v, n, j, k);
      const one = load<f64>(a);
      store<f64>(a, load<f64>(b));
      store<f64>(b, one);
    }
  }
}

/** Values to `d`, rising; vectors to the columns of `v`, which held the matrix. `e`: 8 n bytes. */
export function ql(n: i32, v: usize, d: usize, e: usize): void {
  reduce(n, v, d, e);
  for (let i = 1; i < n; i++) set(e, i - 1, get(e, i));
  set(e, n - 1, 0);
  let shift: f64 = 0;
  let largest: f64 = 0;
  for (let l = 0; l < n; l++) {
    largest = max(largest, abs(get(d, l)) + abs(get(e, l)));
    let m = l;
    while (m < n - 1 && abs(get(e, m)) > EPSILON * largest) m++;
    if (m > l)
      do shift += sweep(n, l, m, v, d, e);
      while (abs(get(e, l)) > EPSILON * largest);
    set(d, l, get(d, l) + shift);
    set(e, l, 0);
  }
  sort(n, v, d);
}
