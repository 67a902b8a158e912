/**
 * Steps of the scalar programs of paper 001, each with and without its improvement. These are sines and cosines from a
 * table, the maximum kept while voting, and front and priority of a filling in one loop.
 */
export interface Edges {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const ANGLES = 180;

/** Votes of an edge image, and the most. `table`: sines and cosines made once; `inside`: the most kept on the way. */
export function lines({ width, height, data }: Edges, { table = true, inside = false } = {}) {
  const distances = 2 * (width + height) + 1;
  const middle = (distances - 1) >> 1;
  const radians = (n: number) => (n * Math.PI) / ANGLES;
  const cosines = Float64Array.from({ length: ANGLES }, (_, n) => Math.cos(radians(n)));
  const sines = Float64Array.from({ length: ANGLES }, (_, n) => Math.sin(radians(n)));
  const counters = new Int32Array(distances * ANGLES);
  let most = 0;
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      if (!data[i]) continue;
      for (let n = 0; n < ANGLES; n++) {
        const rho = table ? x * cosines[n]! + y * sines[n]! : x * Math.cos(radians(n)) + y * Math.sin(radians(n));
        const votes = ++counters[n * distances + Math.round(rho) + middle]!;
        if (inside && votes > most) most = votes;
      }
    }
  if (!inside) for (const votes of counters) if (votes > most) most = votes;
  return { counters, most };
}

export interface Hole {
  readonly width: number;
  readonly height: number;
  /** 1 where samples are missing. */
  readonly hole: Uint8Array;
  readonly confidence: Float64Array;
  readonly gray: Uint8Array;
}

const PATCH = 4;

/** Mean confidence of the patch around a pixel, times the isophote's strength across it. */
function priority({ width, height, hole, confidence, gray }: Hole, x: number, y: number): number {
  let [sum, count, strongest] = [0, 0, 0];
  for (let v = Math.max(1, y - PATCH); v <= Math.min(height - 2, y + PATCH); v++)
    for (let u = Math.max(1, x - PATCH); u <= Math.min(width - 2, x + PATCH); u++) {
      const i = v * width + u;
      sum += confidence[i]!;
      count++;
      if (hole[i]! | hole[i - 1]! | hole[i + 1]! | hole[i - width]! | hole[i + width]!) continue;
      strongest = Math.max(strongest, Math.hypot(gray[i + 1]! - gray[i - 1]!, gray[i + width]! - gray[i - width]!));
    }
  return (sum / count) * (1 + strongest);
}

const onFront = ({ width, hole }: Hole, i: number): boolean =>
  hole[i] === 1 && !(hole[i - 1]! & hole[i + 1]! & hole[i - width]! & hole[i + width]!);

/** The pixel of the front with the highest priority: in one loop, or with the front marked in a first one. */
export function nextPatch(picture: Hole, joined: boolean): number {
  const { width, height } = picture;
  let [best, highest] = [-1, -1];
  const look = (i: number) => {
    const value = priority(picture, i % width, Math.floor(i / width));
    if (value > highest) [best, highest] = [i, value];
  };
  const marks = joined ? null : new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      if (!onFront(picture, i)) continue;
      if (marks) marks[i] = 1;
      else look(i);
    }
  if (marks) for (let i = 0; i < marks.length; i++) if (marks[i]) look(i);
  return best;
}

/** A hole of 90x90 in 400x400 under a wavy picture, as the paper's. */
export function drawnHole(width = 400, height = 400, side = 90): Hole {
  const left = (width - side) >> 1;
  const top = (height - side) >> 1;
  const inside = (i: number) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return x >= left && y >= top && x < left + side && y < top + side ? 1 : 0;
  };
  const hole = Uint8Array.from({ length: width * height }, (_, i) => inside(i));
  return {
    ...{ width, height, hole },
    confidence: Float64Array.from(hole, (missing) => 1 - missing),
    gray: Uint8Array.from(hole, (_, i) => 128 + 90 * Math.sin((i % width) / 9) * Math.cos(i / width / 14)),
  };
}
