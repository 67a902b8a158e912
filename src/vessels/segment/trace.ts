/** The skeleton as a graph: branch points, and the paths between them and the free ends. */

export interface Path {
  /** Pixels in order. */
  readonly indices: number[];
  /** Along the path: 1 a straight step, the root of 2 a diagonal one. */
  readonly length: number;
}

export interface Graph {
  branchPoints: { x: number; y: number }[];
  paths: Path[];
}

/** Spurs, paths with a free end that are shorter than the vessel there is wide, are artifacts of thinning: dropped. */
export function traceSegments(
  skeleton: Uint8Array,
  width: number,
  height: number,
  widthAt: (index: number) => number,
): Graph {
  const neighbors = (i: number): number[] => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const list: number[] = [];
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const [nx, ny] = [x + dx, y + dy];
        if ((dx || dy) && nx >= 0 && ny >= 0 && nx < width && ny < height && skeleton[ny * width + nx])
          list.push(ny * width + nx);
      }
    return list;
  };
  /** Changes from background to line around a pixel: 3 and more at a branch. */
  const branches = (i: number): number => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const on = (dx: number, dy: number) => {
      const [nx, ny] = [x + dx, y + dy];
      return nx >= 0 && ny >= 0 && nx < width && ny < height && skeleton[ny * width + nx] ? 1 : 0;
    };
    const ring = [on(0, -1), on(1, -1), on(1, 0), on(1, 1), on(0, 1), on(-1, 1), on(-1, 0), on(-1, -1)];
    return ring.reduce<number>((n, v, k) => n + Number(!v && ring[(k + 1) % 8]), 0);
  };
  const junction = new Uint8Array(width * height);
  const junctions: number[] = [];
  for (let i = 0; i < skeleton.length; i++)
    if (skeleton[i] && branches(i) >= 3) {
      junction[i] = 1;
      junctions.push(i);
    }
  const paths = walk(skeleton, junctions, junction, neighbors);
  const kept = paths
    .map((indices) => ({ indices, length: lengthOf(indices, width) }))
    .filter(({ indices, length }) => {
      const [first, last] = [indices[0]!, indices[indices.length - 1]!];
      const free = [first, last].filter((i) => !junction[i]);
      const joined = [first, last].filter((i) => junction[i]);
      if (!free.length || !joined.length) return length > 0;
      return length >= widthAt(joined[0]!);
    });
  return { branchPoints: clusters(junctions, junction, neighbors, width), paths: kept };
}

function lengthOf(indices: readonly number[], width: number): number {
  let length = 0;
  for (let k = 1; k < indices.length; k++) {
    const step = Math.abs(indices[k]! - indices[k - 1]!);
    length += step === 1 || step === width ? 1 : Math.SQRT2;
  }
  return length;
}

function walk(
  skeleton: Uint8Array,
  junctions: readonly number[],
  junction: Uint8Array,
  neighbors: (i: number) => number[],
): number[][] {
  const used = new Uint8Array(skeleton.length);
  const paths: number[][] = [];
  const follow = (start: number[], next: number) => {
    const path = [...start, next];
    used[next] = 1;
    for (;;) {
      const here = path[path.length - 1]!;
      const before = path[path.length - 2];
      const around = neighbors(here);
      const end = around.find((i) => junction[i] && i !== before && i !== path[0]);
      if (end !== undefined && path.length > 1) {
        path.push(end);
        break;
      }
      const on = around.find((i) => !used[i] && !junction[i]);
      if (on === undefined) break;
      used[on] = 1;
      path.push(on);
    }
    paths.push(path);
  };
  for (const start of junctions)
    for (const next of neighbors(start)) if (!junction[next] && !used[next]) follow([start], next);
  // Lines without a branch: from a free end, then closed loops from anywhere.
  for (const loops of [false, true])
    for (let i = 0; i < skeleton.length; i++)
      if (skeleton[i] && !used[i] && !junction[i] && (loops || neighbors(i).length === 1)) follow([], i);
  return paths;
}

/** Junction pixels that touch are one branch point, at their mean. */
function clusters(
  junctions: readonly number[],
  junction: Uint8Array,
  neighbors: (i: number) => number[],
  width: number,
): { x: number; y: number }[] {
  const seen = new Set<number>();
  const points: { x: number; y: number }[] = [];
  for (const start of junctions) {
    if (seen.has(start)) continue;
    seen.add(start);
    const group = [start];
    for (const i of group)
      for (const n of neighbors(i))
        if (junction[n] && !seen.has(n)) {
          seen.add(n);
          group.push(n);
        }
    points.push({
      x: group.reduce((s, i) => s + (i % width), 0) / group.length,
      y: group.reduce((s, i) => s + Math.floor(i / width), 0) / group.length,
    });
  }
  return points;
}
