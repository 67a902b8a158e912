/** The skeleton as a graph: junctions, and the paths of pixels between them and the free ends. */

export interface Junction {
  x: number;
  y: number;
  /** Of the largest disc around it inside the mask. */
  radius: number;
}

export interface Path {
  /** Null at a free end. */
  from: Junction | null;
  to: Junction | null;
  /** Pixels in order, without those of the junctions. */
  indices: number[];
}

export interface Graph {
  junctions: Junction[];
  paths: Path[];
}

/** Places around a pixel, those across an edge first. */
const AROUND = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
  [1, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
] as const;
/** The same in order around it. */
const RING = [0, 4, 1, 5, 2, 6, 3, 7];

type Neighbors = (index: number) => number[];

export function traceSkeleton(
  skeleton: Uint8Array,
  width: number,
  height: number,
  radiusAt: (index: number) => number,
): Graph {
  const on = (i: number, [dx, dy]: readonly [number, number]) => {
    const [x, y] = [(i % width) + dx, Math.floor(i / width) + dy];
    return x >= 0 && y >= 0 && x < width && y < height && skeleton[y * width + x] !== 0;
  };
  const neighbors: Neighbors = (i) => {
    const list: number[] = [];
    for (const place of AROUND) if (on(i, place)) list.push(i + place[1] * width + place[0]);
    return list;
  };
  /** Changes from background to line around a pixel: 3 and more at a branch. */
  const branches = (i: number) =>
    RING.reduce((n, k, j) => n + Number(!on(i, AROUND[k]!) && on(i, AROUND[RING[(j + 1) % 8]!]!)), 0);
  const pixels: number[] = [];
  const branching = new Set<number>();
  for (let i = 0; i < skeleton.length; i++)
    if (skeleton[i]) {
      pixels.push(i);
      if (branches(i) >= 3) branching.add(i);
    }
  const at = new Map<number, Junction>();
  const junctions = clusters(branching, neighbors).map((group) => {
    const mean = (value: (i: number) => number) => group.reduce((s, i) => s + value(i), 0) / group.length;
    const junction: Junction = {
      x: mean((i) => i % width),
      y: mean((i) => Math.floor(i / width)),
      radius: Math.max(...group.map(radiusAt)),
    };
    for (const i of group) at.set(i, junction);
    return junction;
  });
  return { junctions, paths: walk(pixels, at, neighbors, new Uint8Array(skeleton.length)) };
}

/** Junction pixels that touch belong together. */
function clusters(branching: ReadonlySet<number>, neighbors: Neighbors): number[][] {
  const seen = new Set<number>();
  const groups: number[][] = [];
  for (const start of branching) {
    if (seen.has(start)) continue;
    seen.add(start);
    const group = [start];
    for (const i of group)
      for (const n of neighbors(i))
        if (branching.has(n) && !seen.has(n)) {
          seen.add(n);
          group.push(n);
        }
    groups.push(group);
  }
  return groups;
}

function walk(
  pixels: readonly number[],
  at: ReadonlyMap<number, Junction>,
  neighbors: Neighbors,
  used: Uint8Array,
): Path[] {
  const paths: Path[] = [];
  const follow = (from: Junction | null, first: number) => {
    const indices = [first];
    used[first] = 1;
    for (;;) {
      const around = neighbors(indices.at(-1)!);
      // The first pixels of a path touch the junction that it comes from.
      const end = around.find((i) => at.has(i) && (at.get(i) !== from || indices.length > 3));
      if (end !== undefined) return paths.push({ from, to: at.get(end)!, indices });
      const next = around.find((i) => !used[i] && !at.has(i));
      if (next === undefined) return paths.push({ from, to: null, indices });
      used[next] = 1;
      indices.push(next);
    }
  };
  for (const [start, junction] of at)
    for (const next of neighbors(start)) if (!at.has(next) && !used[next]) follow(junction, next);
  // Lines without a branch: from a free end, then closed loops from anywhere.
  for (const loops of [false, true])
    for (const i of pixels) if (!used[i] && !at.has(i) && (loops || neighbors(i).length === 1)) follow(null, i);
  return paths;
}
