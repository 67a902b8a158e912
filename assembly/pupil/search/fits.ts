// Separate parts of Starburst, for comparison with golden values and plain reference implementations. A fit returns 1,
// or 0 without a result. The result is in the state of the search.
import { Value } from '../../runtime/wasm/value';
import { fitCircle, ransacCircle } from './circle';
import { ellipseThrough, fitEllipse } from './ellipse';
import { castRays } from '../starburst/rays';
import { Search } from './search';

/** Taubin's circle through n points (two lists of f32). */
export function fitCirclePoints(search: usize, xs: usize, ys: usize, n: i32): Value {
  return fitCircle(changetype<Search>(search), xs, ys, n) ? 1 : 0;
}

/** Direct least-squares ellipse of n points. */
export function fitEllipsePoints(search: usize, xs: usize, ys: usize, n: i32): Value {
  return fitEllipse(changetype<Search>(search), xs, ys, n) ? 1 : 0;
}

/** The ellipse through five points. */
export function ellipseThroughPoints(search: usize, xs: usize, ys: usize): Value {
  return ellipseThrough(changetype<Search>(search), xs, ys) ? 1 : 0;
}

/** RANSAC over the border points of the search. */
export function ransacPoints(search: usize): Value {
  return ransacCircle(changetype<Search>(search)) ? 1 : 0;
}

/** Both ray stages from (x, y). Returns the number of border points. */
export function castRaysFrom(search: usize, x: f32, y: f32, reach: i32): Value {
  const s = changetype<Search>(search);
  castRays(s, x, y, reach);
  return s.points;
}
