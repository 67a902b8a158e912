/**
 * The plain program that the paper's ratio of 53 is printed beside: the same algorithm in scalar code, front and
 * priorities of the whole picture once more for every patch, the full distance of every candidate, no bound. Written for the
 * ratio only; what it fills equals the library's `variant: 'paper'`.
 */
export interface Picture {
  width: number;
  height: number;
  /** RGBA. */
  data: Uint8ClampedArray;
}

export function inpaint(
  source: Picture,
  mask: Uint8Array,
  patch: number,
): { data: Uint8ClampedArray; patches: number } {
  const { width, height } = source;
  const half = patch >> 1;
  const data = source.data.slice();
  const hole = Uint8Array.from(mask, (v) => (v ? 1 : 0));
  const original = hole.slice();
  const confidence = Float64Array.from(hole, (h) => (h ? 0 : 2 ** 31));
  const gray = new Uint8Array(width * height);
  const grayAt = (i: number) =>
    (9798 * data[4 * i]! + 19235 * data[4 * i + 1]! + 3735 * data[4 * i + 2]! + 16384) >> 15;
  for (let i = 0; i < gray.length; i++) gray[i] = grayAt(i);
  const clip = (x: number, y: number) => ({
    x0: Math.max(0, x - half),
    y0: Math.max(0, y - half),
    x1: Math.min(width - 1, x + half),
    y1: Math.min(height - 1, y + half),
  });
  const meanConfidence = (x: number, y: number): number => {
    const { x0, y0, x1, y1 } = clip(x, y);
    let sum = 0;
    for (let v = y0; v <= y1; v++) for (let u = x0; u <= x1; u++) sum += confidence[v * width + u]!;
    return Math.max(1, Math.floor(sum / ((x1 - x0 + 1) * (y1 - y0 + 1))));
  };
  const isHole = (x: number, y: number) =>
    hole[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!;

  function dataTerm(x: number, y: number): number {
    const { x0, y0, x1, y1 } = clip(x, y);
    let [gx, gy, best] = [0, 0, 0];
    for (let v = Math.max(1, y0); v <= Math.min(height - 2, y1); v++)
      for (let u = Math.max(1, x0); u <= Math.min(width - 2, x1); u++) {
        const i = v * width + u;
        if (hole[i]! | hole[i - 1]! | hole[i + 1]! | hole[i - width]! | hole[i + width]!) continue;
        const dx = gray[i + 1]! - gray[i - 1]!;
        const dy = gray[i + width]! - gray[i - width]!;
        if (dx * dx + dy * dy > best) {
          best = dx * dx + dy * dy;
          gx = dx;
          gy = dy;
        }
      }
    let [nx, ny] = [0, 0];
    for (let t = -1; t <= 1; t++) {
      nx += (2 - Math.abs(t)) * (isHole(x + 1, y + t) - isHole(x - 1, y + t));
      ny += (2 - Math.abs(t)) * (isHole(x + t, y + 1) - isHole(x + t, y - 1));
    }
    return nx || ny ? Math.abs(gx * ny - gy * nx) * Math.round(2 ** 21 / Math.hypot(nx, ny)) : 0;
  }

  function next(): number {
    let [best, priority, certain] = [-1, 0, 0];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        if (!hole[i] || (isHole(x - 1, y) && isHole(x + 1, y) && isHole(x, y - 1) && isHole(x, y + 1))) continue;
        const c = meanConfidence(x, y);
        const p = c * dataTerm(x, y);
        if (p > priority || (priority === 0 && c > certain)) [best, priority, certain] = [i, p, c];
      }
    return best;
  }

  let patches = 0;
  for (let center = next(); center >= 0; center = next(), patches++) {
    const { x0, y0, x1, y1 } = clip(center % width, Math.floor(center / width));
    const [columns, rows] = [x1 - x0 + 1, y1 - y0 + 1];
    let [least, from] = [Infinity, 0];
    for (let y = 0; y <= height - rows; y++)
      for (let x = 0; x <= width - columns; x++) {
        let ssd = 0;
        let free = true;
        for (let j = 0; j < rows && free; j++)
          for (let i = 0; i < columns; i++) {
            const q = (y + j) * width + x + i;
            if (original[q]) {
              free = false;
              break;
            }
            const p = (y0 + j) * width + x0 + i;
            if (hole[p]) continue;
            const r = source.data[4 * q]! - data[4 * p]!;
            const g = source.data[4 * q + 1]! - data[4 * p + 1]!;
            const b = source.data[4 * q + 2]! - data[4 * p + 2]!;
            ssd += r * r + g * g + b * b;
          }
        if (free && ssd < least) [least, from] = [ssd, y * width + x];
      }
    const c = meanConfidence(center % width, Math.floor(center / width));
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const p = (y0 + j) * width + x0 + i;
        if (!hole[p]) continue;
        const q = from + j * width + i;
        for (let k = 0; k < 4; k++) data[4 * p + k] = source.data[4 * q + k]!;
        gray[p] = grayAt(p);
        hole[p] = 0;
        confidence[p] = c;
      }
  }
  return { data, patches };
}
