// Eigenvalues of the Hessian's matrices alone, from three planes to two: as paper 003's algorithms 1 and 2, four pixels
// at a time, and by two general solvers of symmetric matrices, with vectors as the libraries compute them. For
// `npm run lab -- solvers vessels`. Planes: f32.
import { jacobi } from './jacobi';
import { ql } from './ql';

/** Algorithm 1: the root once for each eigenvalue. */
export function twice(across: usize, down: usize, diagonal: usize, low: usize, high: usize, count: i32): void {
  for (let i: usize = 0, end = (<usize>count) << 2; i < end; i += 4) {
    const h = load<f32>(across + i);
    const v = load<f32>(down + i);
    const d = load<f32>(diagonal + i);
    store<f32>(low + i, (v + h - sqrt<f32>((h - v) * (h - v) + 4 * d * d)) * 0.5);
    store<f32>(high + i, (v + h + sqrt<f32>((h - v) * (h - v) + 4 * d * d)) * 0.5);
  }
}

/** Algorithm 2: the root once for both. */
export function once(across: usize, down: usize, diagonal: usize, low: usize, high: usize, count: i32): void {
  for (let i: usize = 0, end = (<usize>count) << 2; i < end; i += 4) {
    const h = load<f32>(across + i);
    const v = load<f32>(down + i);
    const d = load<f32>(diagonal + i);
    const root = sqrt<f32>((h - v) * (h - v) + 4 * d * d);
    store<f32>(low + i, (v + h - root) * 0.5);
    store<f32>(high + i, (v + h + root) * 0.5);
  }
}

/** Algorithm 2 on four pixels at a time. The planes have room for a multiple of four. */
export function four(across: usize, down: usize, diagonal: usize, low: usize, high: usize, count: i32): void {
  const half = f32x4.splat(0.5);
  const quad = f32x4.splat(4);
  for (let i: usize = 0, end = (<usize>count) << 2; i < end; i += 16) {
    const h = v128.load(across + i);
    const v = v128.load(down + i);
    const d = v128.load(diagonal + i);
    const sum = f32x4.add(v, h);
    const apart = f32x4.sub(h, v);
    const root = f32x4.sqrt(f32x4.add(f32x4.mul(apart, apart), f32x4.mul(f32x4.mul(quad, d), d)));
    v128.store(low + i, f32x4.mul(f32x4.sub(sum, root), half));
    v128.store(high + i, f32x4.mul(f32x4.add(sum, root), half));
  }
}

/** Jacobi's method, as OpenCV's `eigen`: single precision. `work`: 128 bytes. */
export function byJacobi(
  across: usize,
  down: usize,
  diagonal: usize,
  low: usize,
  high: usize,
  count: i32,
  work: usize,
): void {
  for (let i: usize = 0, end = (<usize>count) << 2; i < end; i += 4) {
    const d = load<f32>(diagonal + i);
    store<f32>(work, load<f32>(across + i));
    store<f32>(work, d, 4);
    store<f32>(work, d, 8);
    store<f32>(work, load<f32>(down + i), 12);
    jacobi(2, work, work + 16, work + 24, work + 40);
    store<f32>(high + i, load<f32>(work + 16));
    store<f32>(low + i, load<f32>(work + 20));
  }
}

/** Householder and implicit QL, as LAPACK's `syev` and `syevd` of small matrices: double precision. `work`: 128 bytes. */
export function byQl(
  across: usize,
  down: usize,
  diagonal: usize,
  low: usize,
  high: usize,
  count: i32,
  work: usize,
): void {
  for (let i: usize = 0, end = (<usize>count) << 2; i < end; i += 4) {
    const d = <f64>load<f32>(diagonal + i);
    store<f64>(work, <f64>load<f32>(across + i));
    store<f64>(work, d, 8);
    store<f64>(work, d, 16);
    store<f64>(work, <f64>load<f32>(down + i), 24);
    ql(2, work, work + 32, work + 48);
    store<f32>(low + i, <f32>load<f64>(work + 32));
    store<f32>(high + i, <f32>load<f64>(work + 40));
  }
}

/** One symmetric matrix of n rows in double precision: eigenvalues to `values`, rising; vectors in the columns of `matrix`. */
export function solveOne(n: i32, matrix: usize, values: usize, work: usize): void {
  ql(n, matrix, values, work);
}

/** The same in single precision: eigenvalues to `values`, falling; vectors in the rows of `vectors`. */
export function solveOneByJacobi(n: i32, matrix: usize, values: usize, vectors: usize, work: usize): void {
  jacobi(n, matrix, values, vectors, work);
}
