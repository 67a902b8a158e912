/** Hough votes cast one by one, as the definitions say. */
import { roundEven } from '../../src/image/numbers.ts';
import type { ReferenceImage } from './image.ts';

export interface PlainCircle {
  x: number;
  y: number;
  r: number;
  votes: number;
}

const nearest = (v: number) => Math.floor(Number(v.toFixed(9)) + 0.5);

/** Every centre and radius with a vote: by falling votes, then radius, y, x. */
export function plainCircles(
  { width, height, data }: ReferenceImage,
  minRadius: number,
  maxRadius: number,
  degrees: number,
  region = { x: 0, y: 0, width, height },
): PlainCircle[] {
  const found: PlainCircle[] = [];
  for (let r = minRadius; r <= maxRadius; r++) {
    const votes = new Uint32Array(width * height);
    for (let i = 0; i < data.length; i++) {
      if (!data[i]) continue;
      for (let t = 0; t < 360 - 1e-6; t += degrees) {
        const x = (i % width) + nearest(r * Math.cos((t * Math.PI) / 180));
        const y = Math.floor(i / width) + nearest(r * Math.sin((t * Math.PI) / 180));
        if (x >= 0 && y >= 0 && x < width && y < height) votes[y * width + x]!++;
      }
    }
    votes.forEach((n, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      const inside = x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height;
      if (n && inside) found.push({ x, y, r, votes: n });
    });
  }
  return found.sort((a, b) => b.votes - a.votes || a.r - b.r || a.y - b.y || a.x - b.x);
}

export interface PlainLine {
  rho: number;
  theta: number;
  votes: number;
}

/** Peaks of the accumulator in 32-bit floats: by falling votes, then angle, distance. */
export function plainLines(
  { width, height, data }: ReferenceImage,
  rho: number,
  theta: number,
  threshold: number,
): PlainLine[] {
  const f = Math.fround;
  const distances = roundEven((2 * (width + height) + 1) / rho);
  let angles = Math.floor(Math.PI / theta) + 1;
  if (angles > 1 && Math.abs(Math.PI - (angles - 1) * theta) < theta / 2) angles--;
  const rows = Array.from({ length: angles + 2 }, () => new Int32Array(distances + 2));
  let angle = 0;
  for (let n = 0; n < angles; n++) {
    const [c, s] = [f(Math.cos(angle) * f(1 / f(rho))), f(Math.sin(angle) * f(1 / f(rho)))];
    for (let i = 0; i < data.length; i++)
      if (data[i]) {
        const at = f(f((i % width) * c) + f(Math.floor(i / width) * s));
        rows[n + 1]![roundEven(at) + ((distances - 1) >> 1) + 1]!++;
      }
    angle = f(angle + f(theta));
  }
  const lines: PlainLine[] = [];
  for (let n = 1; n <= angles; n++)
    for (let r = 1; r <= distances; r++) {
      const [before, row, behind] = [rows[n - 1]!, rows[n]!, rows[n + 1]!];
      const votes = row[r]!;
      if (votes > threshold && votes > row[r - 1]! && votes >= row[r + 1]! && votes > before[r]! && votes >= behind[r]!)
        lines.push({ rho: (r - 1 - (distances - 1) / 2) * rho, theta: f((n - 1) * f(theta)), votes });
    }
  return lines.sort((a, b) => b.votes - a.votes || a.theta - b.theta || a.rho - b.rho);
}
