/**
 * Canny and the Hough transform for lines as one writes them in a plain loop: one thread, one pixel at a time, an array a
 * step, hysteresis by passes over the whole image until nothing changes, as "Procesamiento de imágenes en GPU" describes
 * its C version (sines and cosines from a table). What the paper's ratios of 16, 20 and 12 are compared with.
 */

export interface Image {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** OpenCV's rule with the L1 norm: the edges are those of the library. */
export function plainCanny({ width, height, data }: Image, low: number, high: number, hysteresis: boolean): Uint8Array {
  const at = (x: number, y: number) =>
    data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  const dx = new Int32Array(width * height);
  const dy = new Int32Array(width * height);
  const magnitude = new Int32Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      let across = 0;
      let along = 0;
      for (let k = -1; k <= 1; k++) {
        const weight = k === 0 ? 2 : 1;
        across += weight * (at(x + 1, y + k) - at(x - 1, y + k));
        along += weight * (at(x + k, y + 1) - at(x + k, y - 1));
      }
      dx[i] = across;
      dy[i] = along;
      magnitude[i] = Math.abs(across) + Math.abs(along);
    }
  const m = (x: number, y: number) => (x >= 0 && y >= 0 && x < width && y < height ? magnitude[y * width + x]! : 0);
  const marks = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const here = magnitude[i]!;
      if (here <= low) continue;
      const [ax, ay] = [Math.abs(dx[i]!), Math.abs(dy[i]!)];
      let kept: boolean;
      if (ay * 32768 < ax * 13573) kept = here > m(x - 1, y) && here >= m(x + 1, y);
      else if (ay * 32768 > ax * 79109) kept = here > m(x, y - 1) && here >= m(x, y + 1);
      else {
        const s = dx[i]! < 0 !== dy[i]! < 0 ? -1 : 1;
        kept = here > m(x - s, y - 1) && here > m(x + s, y + 1);
      }
      if (kept) marks[i] = here > high ? 255 : 1;
    }
  for (let changed = hysteresis; changed;) {
    changed = false;
    for (let y = 0, i = 0; y < height; y++)
      for (let x = 0; x < width; x++, i++) {
        if (marks[i] !== 1) continue;
        search: for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
          for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++)
            if (marks[v * width + u] === 255) {
              marks[i] = 255;
              changed = true;
              break search;
            }
      }
  }
  return marks.map((mark) => (mark === 255 ? 255 : 0));
}

/** Counters of an edge image, 1 pixel and 1 degree; returns the most votes. */
export function plainLines({ width, height, data }: Image): number {
  const angles = 180;
  const distances = 2 * (width + height) + 1;
  const middle = (distances - 1) >> 1;
  const cosines = Float64Array.from({ length: angles }, (_, n) => Math.cos((n * Math.PI) / 180));
  const sines = Float64Array.from({ length: angles }, (_, n) => Math.sin((n * Math.PI) / 180));
  const counters = new Int32Array(distances * angles);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      if (!data[i]) continue;
      for (let n = 0; n < angles; n++)
        counters[n * distances + Math.round(x * cosines[n]! + y * sines[n]!) + middle]!++;
    }
  let most = 0;
  for (const votes of counters) if (votes > most) most = votes;
  return most;
}
