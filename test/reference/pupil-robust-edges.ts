/**
 * The edge points of the robust pupil search, plain: binomial 5x5 (borders repeated), central differences, thresholds
 * from every fourth row, suppression between interpolated neighbors. Single precision step by step, as WASM has it.
 */
const f = Math.fround;

export interface EdgePoints {
  x: number[];
  y: number[];
  normalX: number[];
  normalY: number[];
}

const KERNEL = [1, 4, 6, 4, 1];

export function edgePoints(width: number, height: number, data: Uint8Array): EdgePoints {
  const clamp = (v: number, last: number) => Math.min(last, Math.max(0, v));
  const at = (x: number, y: number) => data[clamp(y, height - 1) * width + clamp(x, width - 1)]!;
  const smooth = (x: number, y: number) => {
    let sum = 0;
    for (let j = -2; j <= 2; j++)
      for (let i = -2; i <= 2; i++) sum += KERNEL[j + 2]! * KERNEL[i + 2]! * at(x + i, y + j);
    return sum >> 4;
  };
  const inside = (x: number, y: number) => x > 0 && y > 0 && x < width - 1 && y < height - 1;
  const gx = (x: number, y: number) => smooth(x + 1, y) - smooth(x - 1, y);
  const gy = (x: number, y: number) => smooth(x, y + 1) - smooth(x, y - 1);
  const magnitudes = new Float64Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (inside(x, y)) magnitudes[y * width + x] = Math.floor(f(Math.sqrt(f(gx(x, y) ** 2 + gy(x, y) ** 2))));
  const magnitude = (x: number, y: number) => magnitudes[y * width + x]!;

  const histogram = new Array<number>(1024).fill(0);
  let count = 0;
  for (let y = 2; y < height - 2; y += 4) {
    for (let x = 1; x < width - 1; x++) histogram[Math.min(1023, magnitude(x, y) >> 2)]!++;
    count += width - 2;
  }
  let sum = 0;
  let middle = -1;
  let bin = 0;
  for (; bin < 1023; bin++) {
    sum += histogram[bin]!;
    if (middle < 0 && sum * 2 > count) middle = bin;
    if (f(sum) > f(f(0.85) * f(count))) break;
  }
  const low = Math.max(32, Math.trunc(f(f(0.45) * (4 * bin))), 2 * 4 * middle);

  const out: EdgePoints = { x: [], y: [], normalX: [], normalY: [] };
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const m = magnitude(x, y);
      if (m < low) continue;
      const dx = gx(x, y);
      const dy = gy(x, y);
      const flat = Math.abs(dx) >= Math.abs(dy);
      const [mx, my, sx, sy] = flat
        ? [Math.sign(dx) || -1, 0, 0, dy > 0 ? 1 : -1]
        : [0, Math.sign(dy) || -1, dx > 0 ? 1 : -1, 0];
      const w = flat ? f(Math.abs(dy) / Math.abs(dx)) : f(Math.abs(dx) / Math.abs(dy));
      const between = (k: 1 | -1) =>
        f(f(magnitude(x + k * mx, y + k * my) * f(1 - w)) + f(magnitude(x + k * (mx + sx), y + k * (my + sy)) * w));
      const ahead = between(1);
      const behind = between(-1);
      if (m <= ahead || m < behind) continue;
      const t = f(f(0.5 * f(behind - ahead)) / f(f(behind + ahead) - 2 * m));
      const scale = f(t / Math.max(Math.abs(dx), Math.abs(dy)));
      const inverse = f(1 / f(Math.sqrt(f(f(dx * dx) + f(dy * dy)))));
      out.x.push(f(x + f(dx * scale)));
      out.y.push(f(y + f(dy * scale)));
      out.normalX.push(f(dx * inverse));
      out.normalY.push(f(dy * inverse));
    }
  return out;
}
