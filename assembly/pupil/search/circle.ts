// Circle fits. Taubin (1991) minimizes sum F_i^2 / (4 mean z_i) with z = |p - c|^2 of centered points. The solution
// uses Newton's iteration from 0 on the characteristic polynomial A3 e^3 + A2 e^2 + A1 e + A0 (moments: golden group
// 15a). RANSAC (paper 000, section 2.2): 1024 sets of 5 points from a fixed random table, votes within 2 px. Four sets
// are fitted at a time in f32x4. The votes of a set are counted four points at a time.
import { Search } from './search';

/**
 * Taubin's circle through the points of a list (f32 arrays). Writes the result to s.cx, s.cy, s.r. Returns false if
 * collinear.
 */
export function fitCircle(s: Search, xs: usize, ys: usize, n: i32): bool {
  if (n < 3) return false;
  let mx: f64 = 0;
  let my: f64 = 0;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    mx += load<f32>(xs + i);
    my += load<f32>(ys + i);
  }
  mx /= <f64>n;
  my /= <f64>n;
  let xx: f64 = 0;
  let yy: f64 = 0;
  let xy: f64 = 0;
  let xz: f64 = 0;
  let yz: f64 = 0;
  let zz: f64 = 0;
  for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
    const x = <f64>load<f32>(xs + i) - mx;
    const y = <f64>load<f32>(ys + i) - my;
    const z = x * x + y * y;
    xx += x * x;
    yy += y * y;
    xy += x * y;
    xz += x * z;
    yz += y * z;
    zz += z * z;
  }
  const m = 1 / <f64>n;
  xx *= m;
  yy *= m;
  xy *= m;
  xz *= m;
  yz *= m;
  zz *= m;
  const mz = xx + yy;
  const cov = xx * yy - xy * xy;
  const a3 = 4 * mz;
  const a2 = -3 * mz * mz - zz;
  const a1 = zz * mz + 4 * cov * mz - xz * xz - yz * yz - mz * mz * mz;
  const a0 = xz * xz * yy + yz * yz * xx - zz * cov - 2 * xz * yz * xy + mz * mz * cov;
  let e: f64 = 0;
  let value = Infinity;
  for (let i = 0; i < 30; i++) {
    const next = a0 + e * (a1 + e * (a2 + e * a3));
    if (abs(next) >= abs(value)) break; // no further progress in double precision
    value = next;
    const slope = a1 + e * (2 * a2 + e * 3 * a3);
    const step = next / slope;
    if (!(abs(step) < Infinity)) break;
    e -= step;
    if (e < 0) e = 0;
  }
  const det = e * e - e * mz + cov;
  if (!(abs(det) > 1e-12 * mz * mz)) return false;
  const cx = (xz * (yy - e) - yz * xy) / det / 2;
  const cy = (yz * (xx - e) - xz * xy) / det / 2;
  s.cx = <f32>(cx + mx);
  s.cy = <f32>(cy + my);
  s.r = <f32>sqrt(cx * cx + cy * cy + mz);
  return true;
}

/** Bytes of points between checks whether a circle can still win: 32 points. */
const PART: usize = 128;

function sumOf(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/**
 * Number of points that vote for a circle: |distance - r| < d, without a square root: (r-d)^2 < distance^2 < (r+d)^2.
 * Stops early if a circle can no longer exceed `most`. Most circles stop after half of the points.
 */
function countVotes(s: Search, cx: f32, cy: f32, r: f32, n: i32, most: i32): i32 {
  const inner = max<f32>(r - s.voteDistance, 0);
  const lo = f32x4.splat(inner * inner);
  const outer = r + s.voteDistance;
  const hi = f32x4.splat(outer * outer);
  const x0 = f32x4.splat(cx);
  const y0 = f32x4.splat(cy);
  const px = s.px;
  const py = s.py;
  const all = (<usize>n) << 2;
  let votes = i32x4.splat(0);
  for (let i: usize = 0; i < all;) {
    const end = min(i + PART, all);
    for (; i < end; i += 16) {
      const dx = f32x4.sub(v128.load(px + i), x0);
      const dy = f32x4.sub(v128.load(py + i), y0);
      const d = f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
      votes = i32x4.sub(votes, v128.and(f32x4.gt(d, lo), f32x4.lt(d, hi)));
    }
    const rest = n - <i32>(i >> 2);
    if (rest > 0 && sumOf(votes) + rest <= most) return 0;
  }
  return sumOf(votes);
}

/** One coordinate of member k of four sets. */
function gather(list: usize, table: usize, n: f32): v128 {
  // The table is stored in groups of four sets: member k of sets 0..3 are adjacent.
  const index = i32x4.trunc_sat_f32x4_u(f32x4.mul(v128.load(table), f32x4.splat(n)));
  let v = v128.load32_zero(list + <usize>(i32x4.extract_lane(index, 0) << 2));
  v = v128.load32_lane(list + <usize>(i32x4.extract_lane(index, 1) << 2), v, 1);
  v = v128.load32_lane(list + <usize>(i32x4.extract_lane(index, 2) << 2), v, 2);
  return v128.load32_lane(list + <usize>(i32x4.extract_lane(index, 3) << 2), v, 3);
}

/**
 * The circle with the most votes among s.sets random sets of five border points. Ties are won by the earliest set, so
 * the result does not depend on the machine. Fills s.cx, s.cy, s.r, s.votes.
 */
export function ransacCircle(s: Search): bool {
  const n = s.points;
  s.votes = 0;
  if (n < 5) return false;
  // Pad the lists to a multiple of four with a point that never votes.
  for (let i = n; i & 3; i++) {
    store<f32>(s.px + <usize>(i << 2), Infinity);
    store<f32>(s.py + <usize>(i << 2), Infinity);
  }
  const count = <f32>n;
  const fifth = f32x4.splat(0.2);
  let bestVotes = 0;
  let bestX: f32 = 0;
  let bestY: f32 = 0;
  let bestR: f32 = 0;
  for (let set = 0; set < s.sets; set += 4) {
    const t = s.table + <usize>(set * 20);
    let x0 = gather(s.px, t, count);
    let y0 = gather(s.py, t, count);
    let x1 = gather(s.px, t + 16, count);
    let y1 = gather(s.py, t + 16, count);
    let x2 = gather(s.px, t + 32, count);
    let y2 = gather(s.py, t + 32, count);
    let x3 = gather(s.px, t + 48, count);
    let y3 = gather(s.py, t + 48, count);
    let x4 = gather(s.px, t + 64, count);
    let y4 = gather(s.py, t + 64, count);
    const mx = f32x4.mul(f32x4.add(f32x4.add(f32x4.add(x0, x1), f32x4.add(x2, x3)), x4), fifth);
    const my = f32x4.mul(f32x4.add(f32x4.add(f32x4.add(y0, y1), f32x4.add(y2, y3)), y4), fifth);
    x0 = f32x4.sub(x0, mx);
    x1 = f32x4.sub(x1, mx);
    x2 = f32x4.sub(x2, mx);
    x3 = f32x4.sub(x3, mx);
    x4 = f32x4.sub(x4, mx);
    y0 = f32x4.sub(y0, my);
    y1 = f32x4.sub(y1, my);
    y2 = f32x4.sub(y2, my);
    y3 = f32x4.sub(y3, my);
    y4 = f32x4.sub(y4, my);
    const z0 = f32x4.add(f32x4.mul(x0, x0), f32x4.mul(y0, y0));
    const z1 = f32x4.add(f32x4.mul(x1, x1), f32x4.mul(y1, y1));
    const z2 = f32x4.add(f32x4.mul(x2, x2), f32x4.mul(y2, y2));
    const z3 = f32x4.add(f32x4.mul(x3, x3), f32x4.mul(y3, y3));
    const z4 = f32x4.add(f32x4.mul(x4, x4), f32x4.mul(y4, y4));
    const xx = f32x4.mul(dot(x0, x1, x2, x3, x4, x0, x1, x2, x3, x4), fifth);
    const yy = f32x4.mul(dot(y0, y1, y2, y3, y4, y0, y1, y2, y3, y4), fifth);
    const xy = f32x4.mul(dot(x0, x1, x2, x3, x4, y0, y1, y2, y3, y4), fifth);
    const xz = f32x4.mul(dot(x0, x1, x2, x3, x4, z0, z1, z2, z3, z4), fifth);
    const yz = f32x4.mul(dot(y0, y1, y2, y3, y4, z0, z1, z2, z3, z4), fifth);
    const zz = f32x4.mul(dot(z0, z1, z2, z3, z4, z0, z1, z2, z3, z4), fifth);
    const mz = f32x4.add(xx, yy);
    const cov = f32x4.sub(f32x4.mul(xx, yy), f32x4.mul(xy, xy));
    const a3 = f32x4.mul(f32x4.splat(4), mz);
    const a2 = f32x4.sub(f32x4.mul(f32x4.splat(-3), f32x4.mul(mz, mz)), zz);
    const xz2 = f32x4.mul(xz, xz);
    const yz2 = f32x4.mul(yz, yz);
    const a1 = f32x4.sub(
      f32x4.sub(f32x4.add(f32x4.mul(zz, mz), f32x4.mul(f32x4.mul(f32x4.splat(4), cov), mz)), f32x4.add(xz2, yz2)),
      f32x4.mul(f32x4.mul(mz, mz), mz),
    );
    const a0 = f32x4.add(
      f32x4.sub(
        f32x4.add(f32x4.mul(xz2, yy), f32x4.mul(yz2, xx)),
        f32x4.add(f32x4.mul(zz, cov), f32x4.mul(f32x4.mul(f32x4.splat(2), f32x4.mul(xz, yz)), xy)),
      ),
      f32x4.mul(f32x4.mul(mz, mz), cov),
    );
    let e = f32x4.splat(0);
    for (let i = 0; i < 5; i++) {
      const value = f32x4.add(a0, f32x4.mul(e, f32x4.add(a1, f32x4.mul(e, f32x4.add(a2, f32x4.mul(e, a3))))));
      const slope = f32x4.add(
        a1,
        f32x4.mul(e, f32x4.add(f32x4.mul(f32x4.splat(2), a2), f32x4.mul(e, f32x4.mul(f32x4.splat(3), a3)))),
      );
      e = f32x4.sub(e, f32x4.div(value, slope));
    }
    const det = f32x4.mul(f32x4.splat(2), f32x4.add(f32x4.sub(f32x4.mul(e, e), f32x4.mul(e, mz)), cov));
    const cx = f32x4.div(f32x4.sub(f32x4.mul(xz, f32x4.sub(yy, e)), f32x4.mul(yz, xy)), det);
    const cy = f32x4.div(f32x4.sub(f32x4.mul(yz, f32x4.sub(xx, e)), f32x4.mul(xz, xy)), det);
    // For points on a line, or only two different ones, the circle would be a rounding artifact. 0 is not a valid
    // radius.
    const spread = f32x4.gt(cov, f32x4.mul(f32x4.splat(1e-5), f32x4.mul(mz, mz)));
    const r = v128.and(f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(cx, cx), f32x4.mul(cy, cy)), mz)), spread);
    const ax = f32x4.add(cx, mx);
    const ay = f32x4.add(cy, my);
    for (let k = 0; k < 4; k++) {
      const circleR =
        k == 0
          ? f32x4.extract_lane(r, 0)
          : k == 1
            ? f32x4.extract_lane(r, 1)
            : k == 2
              ? f32x4.extract_lane(r, 2)
              : f32x4.extract_lane(r, 3);
      if (!(circleR >= s.minRadius && circleR <= s.maxRadius)) continue; // also NaN: a degenerate set
      const circleX =
        k == 0
          ? f32x4.extract_lane(ax, 0)
          : k == 1
            ? f32x4.extract_lane(ax, 1)
            : k == 2
              ? f32x4.extract_lane(ax, 2)
              : f32x4.extract_lane(ax, 3);
      const circleY =
        k == 0
          ? f32x4.extract_lane(ay, 0)
          : k == 1
            ? f32x4.extract_lane(ay, 1)
            : k == 2
              ? f32x4.extract_lane(ay, 2)
              : f32x4.extract_lane(ay, 3);
      const votes = countVotes(s, circleX, circleY, circleR, n, bestVotes);
      if (votes > bestVotes) {
        bestVotes = votes;
        bestX = circleX;
        bestY = circleY;
        bestR = circleR;
      }
    }
  }
  s.cx = bestX;
  s.cy = bestY;
  s.r = bestR;
  s.votes = bestVotes;
  return bestVotes > 0;
}

function dot(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128, i: v128, j: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.add(f32x4.mul(a, f), f32x4.mul(b, g)), f32x4.add(f32x4.mul(c, h), f32x4.mul(d, i))),
    f32x4.mul(e, j),
  );
}
