/**
 * Dense pyramidal Lucas-Kanade as paper 001 describes it, in plain scalar code: a window of its own at every pixel,
 * Sobel gradients, iterations with bilinear samples. What the frame rates are compared with; nothing else uses it.
 */
interface Image {
  width: number;
  height: number;
  data: Float32Array;
}

function halved({ width, height, data }: Image): Image {
  const out = { width: (width + 1) >> 1, height: (height + 1) >> 1, data: new Float32Array(0) };
  out.data = new Float32Array(out.width * out.height);
  const taps = [1, 4, 6, 4, 1];
  for (let y = 0; y < out.height; y++)
    for (let x = 0; x < out.width; x++) {
      let sum = 0;
      for (let j = -2; j <= 2; j++)
        for (let i = -2; i <= 2; i++) {
          const a = Math.min(width - 1, Math.max(0, 2 * x + i));
          const b = Math.min(height - 1, Math.max(0, 2 * y + j));
          sum += taps[i + 2]! * taps[j + 2]! * data[b * width + a]!;
        }
      out.data[y * out.width + x] = sum / 256;
    }
  return out;
}

function sobel({ width, height, data }: Image): [Float32Array, Float32Array] {
  const gx = new Float32Array(data.length);
  const gy = new Float32Array(data.length);
  const at = (x: number, y: number) =>
    data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [a, b, c] = [at(x - 1, y - 1), at(x, y - 1), at(x + 1, y - 1)];
      const [d, f] = [at(x - 1, y), at(x + 1, y)];
      const [g, h, i] = [at(x - 1, y + 1), at(x, y + 1), at(x + 1, y + 1)];
      gx[y * width + x] = (c + 2 * f + i - a - 2 * d - g) / 8;
      gy[y * width + x] = (g + 2 * h + i - a - 2 * b - c) / 8;
    }
  return [gx, gy];
}

/** u and v of every pixel. */
export function baseline(
  width: number,
  height: number,
  previous: Uint8Array,
  next: Uint8Array,
  { window = 21, levels = 3, iterations = 5 } = {},
): { u: Float32Array; v: Float32Array } {
  const reach = window >> 1;
  const from: Image[] = [{ width, height, data: Float32Array.from(previous) }];
  const to: Image[] = [{ width, height, data: Float32Array.from(next) }];
  for (let l = 0; l < levels; l++) {
    from.push(halved(from[l]!));
    to.push(halved(to[l]!));
  }
  let coarse: { width: number; u: Float32Array; v: Float32Array } | null = null;
  for (let level = levels; ; level--) {
    const { width: w, height: h, data: image } = from[level]!;
    const moved = to[level]!.data;
    const [gx, gy] = sobel(from[level]!);
    const u = new Float32Array(w * h);
    const v = new Float32Array(w * h);
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++) {
        const i = y * w + x;
        const parent: number = coarse ? (y >> 1) * coarse.width + (x >> 1) : 0;
        let du = coarse ? 2 * coarse.u[parent]! : 0;
        let dv = coarse ? 2 * coarse.v[parent]! : 0;
        const x0 = Math.max(0, x - reach);
        const x1 = Math.min(w - 1, x + reach);
        const y0 = Math.max(0, y - reach);
        const y1 = Math.min(h - 1, y + reach);
        let xx = 0;
        let xy = 0;
        let yy = 0;
        for (let b = y0; b <= y1; b++)
          for (let a = x0; a <= x1; a++) {
            const k = b * w + a;
            xx += gx[k]! * gx[k]!;
            xy += gx[k]! * gy[k]!;
            yy += gy[k]! * gy[k]!;
          }
        const determinant = xx * yy - xy * xy;
        for (let n = 0; n < iterations && determinant > 1; n++) {
          let bx = 0;
          let by = 0;
          for (let b = y0; b <= y1; b++)
            for (let a = x0; a <= x1; a++) {
              const k = b * w + a;
              const px = Math.min(w - 1.001, Math.max(0, a + du));
              const py = Math.min(h - 1.001, Math.max(0, b + dv));
              const ix = px | 0;
              const iy = py | 0;
              const fx = px - ix;
              const fy = py - iy;
              const j = iy * w + ix;
              const top = moved[j]! + fx * (moved[j + 1]! - moved[j]!);
              const low = moved[j + w]! + fx * (moved[j + w + 1]! - moved[j + w]!);
              const difference = image[k]! - (top + fy * (low - top));
              bx += gx[k]! * difference;
              by += gy[k]! * difference;
            }
          du += (yy * bx - xy * by) / determinant;
          dv += (xx * by - xy * bx) / determinant;
        }
        u[i] = du;
        v[i] = dv;
      }
    if (level === 0) return { u, v };
    coarse = { width: w, u, v };
  }
}
