// Regression trees for landmarks (Kazemi and Sullivan 2014, sections 2.1 to 2.3): the part that takes the time, one
// cascade at a time, its split candidates over worker threads.

/** Mulberry32: numbers in [0, 1). */
export function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** (a, b) of the similarity's matrix (a, -b; b, a) from one shape to another. */
export function similarity(from, to, at = 0) {
  const n = from.length / 2;
  let [fx, fy, tx, ty] = [0, 0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    fx += from[i] / n;
    fy += from[i + 1] / n;
    tx += to[at + i] / n;
    ty += to[at + i + 1] / n;
  }
  let [a, b, spread] = [0, 0, 0];
  for (let i = 0; i < 2 * n; i += 2) {
    const [px, py, qx, qy] = [from[i] - fx, from[i + 1] - fy, to[at + i] - tx, to[at + i + 1] - ty];
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    spread += px * px + py * py;
  }
  return [a / spread, b / spread];
}

/**
 * The directions in which the samples' residuals are longest, most first: by orthogonal iteration on their second moments.
 * Splits are judged by them; a dozen tell nearly as much as all 136 numbers of a shape.
 */
export function principalDirections(residuals, values, count, random) {
  const samples = residuals.length / values;
  const moments = new Float64Array(values * values);
  for (let s = 0; s < samples; s++)
    for (let i = 0, at = s * values; i < values; i++) {
      const r = residuals[at + i];
      for (let j = 0; j <= i; j++) moments[i * values + j] += r * residuals[at + j];
    }
  for (let i = 0; i < values; i++) for (let j = 0; j < i; j++) moments[j * values + i] = moments[i * values + j];
  let basis = Array.from({ length: count }, () => Float64Array.from({ length: values }, () => random() - 0.5));
  for (let round = 0; round < 12; round++) {
    basis = basis.map((v) => {
      const out = new Float64Array(values);
      for (let i = 0; i < values; i++) for (let j = 0; j < values; j++) out[i] += moments[i * values + j] * v[j];
      return out;
    });
    for (const [k, v] of basis.entries()) {
      for (const other of basis.slice(0, k)) {
        const along = v.reduce((sum, x, i) => sum + x * other[i], 0);
        for (let i = 0; i < values; i++) v[i] -= along * other[i];
      }
      const length = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
      for (let i = 0; i < values; i++) v[i] = length > 0 ? v[i] / length : 0;
    }
  }
  return basis;
}

/** Every sample's residual along the directions. */
export function project(residuals, values, basis) {
  const samples = residuals.length / values;
  const out = new Float32Array(samples * basis.length);
  for (let s = 0; s < samples; s++)
    for (let d = 0; d < basis.length; d++) {
      let sum = 0;
      for (let k = 0; k < values; k++) sum += residuals[s * values + k] * basis[d][k];
      out[s * basis.length + d] = sum;
    }
  return out;
}

/**
 * Gray values of the feature pixels of every sample, sample after sample. A sample's `gain` and the `noise` (largest, in
 * gray levels) are there so that the trees do not learn the light of the few photographs.
 */
export function readFeatures({ mean, current, values, anchors, deltas, samples, images, noise = 0, random }) {
  const pixels = anchors.length;
  const out = new Uint8Array(samples.length * pixels);
  samples.forEach(({ image, place, gain = 1 }, s) => {
    const { ox, oy, xx, xy, yx, yy } = place;
    const [a, b] = similarity(mean, current, s * values);
    const { width, height, data } = images[image];
    for (let i = 0; i < pixels; i++) {
      const at = s * values + 2 * anchors[i];
      const u = current[at] + a * deltas[2 * i] - b * deltas[2 * i + 1];
      const v = current[at + 1] + b * deltas[2 * i] + a * deltas[2 * i + 1];
      const x = Math.floor(ox + xx * u + xy * v + 0.5);
      const y = Math.floor(oy + yx * u + yy * v + 0.5);
      let gray = x >= 0 && y >= 0 && x < width && y < height ? data[y * width + x] : 0;
      if (noise) gray = 128 + gain * (gray - 128) + noise * (2 * random() - 1);
      out[s * pixels + i] = Math.min(255, Math.max(0, Math.round(gray)));
    }
  });
  return out;
}

/** Pixels that lie close together make better splits: exponential prior over their distance. */
export function candidates(random, count, points, lambda = 0.1) {
  const pixels = points.length / 2;
  const out = [];
  while (out.length < count) {
    const i = Math.floor(random() * pixels);
    const j = Math.floor(random() * pixels);
    const d = Math.hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
    if (i === j || random() > Math.exp(-d / lambda)) continue;
    out.push({ i, j, threshold: (random() * 256 - 128) / 2 });
  }
  return out;
}

/** The split of `members` that takes most of the residuals' squares; `total` is their sum. */
export function bestSplit({ features, pixels, residuals, values, members, total, tests }) {
  let best = { score: -1, test: tests[0] };
  const left = new Float64Array(values);
  for (const test of tests) {
    left.fill(0);
    let n = 0;
    for (const s of members) {
      if (!(features[s * pixels + test.i] - features[s * pixels + test.j] > test.threshold)) continue;
      n++;
      for (let k = 0, at = s * values; k < values; k++, at++) left[k] += residuals[at];
    }
    let score = 0;
    const m = members.length - n;
    for (let k = 0; k < values; k++) {
      const right = total[k] - left[k];
      score += (n && (left[k] * left[k]) / n) + (m && (right * right) / m);
    }
    if (score > best.score) best = { score, test };
  }
  return best;
}
