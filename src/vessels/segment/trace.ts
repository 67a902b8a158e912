import { median } from '../../image/numbers.ts';

// The skeleton as a graph: junctions, and the paths of pixels between them and the free ends.

export interface Junction {
  x: number;
  y: number;
  /** Radius of the largest disc around it inside the mask. */
  radius: number;
}

interface Path {
  /** Null at a free end. */
  from: Junction | null;
  to: Junction | null;
  /** Pixels in order, without junction pixels. */
  indices: number[];
}

interface Graph {
  junctions: Junction[];
  paths: Path[];
}

/** Offsets of the neighbors of a pixel, edge neighbors first. */
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
/** Indices of AROUND in order around the pixel. */
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
  /** Number of changes from background to line around a pixel: at least 3 at a branch. */
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

/** Groups junction pixels that touch. */
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
      // The first pixels of a path touch the junction where it starts.
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
  // Lines without a branch: first from a free end, then closed loops from any pixel.
  for (const loops of [false, true])
    for (const i of pixels) if (!used[i] && !at.has(i) && (loops || neighbors(i).length === 1)) follow(null, i);
  return paths;
}

// Converts the graph of a skeleton to the graph of the vessels. Spurs from thinning are removed, junctions within a
// vessel's width are merged, and a junction with only two arms is dissolved. All lengths are relative to the vessel's
// width.

/** A path with its properties. */
export interface Arm {
  from: Junction | null;
  to: Junction | null;
  indices: number[];
  length: number;
  /** Half the mask's width along it. */
  radius: number;
}

/** Minimum length, relative to the width, of a line without a junction and of a branch beyond its vessel's border. */
const LEAST_LENGTH = 1;
/** Minimum length of a branch relative to its vessel's width, because the border of a mask is uneven. */
const LEAST_BRANCH = 0.25;
/** Minimum length of a branch in pixels. */
const LEAST_PIXELS = 3;

interface Geometry {
  readonly width: number;
  readonly radiusAt: (index: number) => number;
}

function armOf({ from, to, indices }: Path, { width, radiusAt }: Geometry): Arm {
  const points = indices.map((i) => [i % width, Math.floor(i / width)] as const);
  const beside = (junction: Junction | null, x: number, y: number) =>
    junction !== null && Math.hypot(junction.x - x, junction.y - y) < junction.radius;
  let length = 0;
  let before: { x: number; y: number } | null = from;
  const own: number[] = [];
  for (const [k, [x, y]] of points.entries()) {
    if (before) length += Math.hypot(x - before.x, y - before.y);
    before = { x, y };
    if (!beside(from, x, y) && !beside(to, x, y)) own.push(radiusAt(indices[k]!));
  }
  if (to && before) length += Math.hypot(to.x - before.x, to.y - before.y);
  return { from, to, indices, length, radius: median(own.length ? own : indices.map(radiusAt)) || 0 };
}

interface Tree {
  /** Points where at least three arms meet. */
  junctions: Junction[];
  arms: Arm[];
}

export const prune = ({ junctions, paths }: Graph, geometry: Geometry): Tree =>
  settled(
    junctions,
    paths.map((path) => armOf(path, geometry)),
    geometry,
  );

/** The tree without some arms. Arms that they separated are joined again. */
export const without = ({ junctions, arms }: Tree, gone: ReadonlySet<Arm>, geometry: Geometry): Tree =>
  settled(
    junctions,
    arms.filter((arm) => !gone.has(arm)),
    geometry,
  );

function settled(junctions: Junction[], given: Arm[], geometry: Geometry): Tree {
  let arms = given;
  let list = junctions;
  for (;;) {
    const before = arms.length;
    arms = arms.filter((arm) => !isSpur(arm));
    arms = joined(arms, geometry);
    [list, arms] = merged(list, arms, geometry);
    if (arms.length === before) break;
  }
  const kept = arms.filter(
    ({ from, to, length, radius }) => from ?? to ?? length >= Math.max(LEAST_PIXELS, 2 * LEAST_LENGTH * radius),
  );
  const met = new Map<Junction, number>();
  for (const { from, to } of kept) for (const end of [from, to]) if (end) met.set(end, (met.get(end) ?? 0) + 1);
  return { junctions: list.filter((junction) => (met.get(junction) ?? 0) >= 3), arms: kept };
}

/** An arm with a free end that is hardly longer than the distance from its vessel's center to the border. */
function isSpur({ from, to, length, radius }: Arm): boolean {
  if ((from === null) === (to === null)) return false;
  const of = (from ?? to)!;
  const least = Math.max(2 * LEAST_LENGTH * radius, 2 * LEAST_BRANCH * of.radius, LEAST_PIXELS);
  return length - of.radius < least;
}

/** The arms at each junction. */
function around(arms: readonly Arm[]): Map<Junction, Arm[]> {
  const at = new Map<Junction, Arm[]>();
  for (const arm of arms)
    for (const end of [arm.from, arm.to])
      if (end) {
        const list = at.get(end);
        if (list) list.push(arm);
        else at.set(end, [arm]);
      }
  return at;
}

const turned = (arm: Arm): Arm => ({ ...arm, from: arm.to, to: arm.from, indices: [...arm.indices].reverse() });

/** Joins two arms at a junction. A single arm ends there freely. */
function joined(arms: readonly Arm[], geometry: Geometry): Arm[] {
  const left = new Set(arms);
  for (;;) {
    let changed = false;
    for (const [junction, met] of around([...left])) {
      // Arms that changed in this round are checked in the next one, with their new ends.
      if (!met.every((arm) => left.has(arm))) continue;
      if (met.length === 1) {
        const [arm] = met as [Arm];
        left.delete(arm);
        changed = true;
        left.add({ ...arm, from: arm.from === junction ? null : arm.from, to: arm.to === junction ? null : arm.to });
      } else if (met.length === 2 && met[0] !== met[1]) {
        const [a, b] = met as [Arm, Arm];
        const first = a.to === junction ? a : turned(a);
        const second = b.from === junction ? b : turned(b);
        left.delete(a);
        left.delete(b);
        left.add(armOf({ from: first.from, to: second.to, indices: [...first.indices, ...second.indices] }, geometry));
        changed = true;
      }
    }
    if (!changed) return [...left];
  }
}

/** Merges junctions whose discs touch, at their center. The paths between them are removed. */
function merged(junctions: readonly Junction[], arms: readonly Arm[], geometry: Geometry): [Junction[], Arm[]] {
  const into = new Map<Junction, Junction>();
  const top = (junction: Junction): Junction => {
    const next = into.get(junction);
    return next ? top(next) : junction;
  };
  const groups = new Map<Junction, Junction[]>(junctions.map((junction) => [junction, [junction]]));
  for (const { from, to, length } of arms) {
    if (!from || !to) continue;
    const [a, b] = [top(from), top(to)];
    const reach = from.radius + to.radius;
    if (a === b || Math.hypot(from.x - to.x, from.y - to.y) > reach || length > 1.5 * reach) continue;
    into.set(b, a);
    groups.set(a, [...groups.get(a)!, ...groups.get(b)!]);
    groups.delete(b);
  }
  if (!into.size) return [[...junctions], dropLoops(arms)];
  const made = new Map<Junction, Junction>();
  for (const [head, group] of groups) {
    const mean = (value: (junction: Junction) => number) => group.reduce((s, j) => s + value(j), 0) / group.length;
    const radius = Math.max(...group.map((j) => j.radius));
    made.set(head, group.length > 1 ? { x: mean((j) => j.x), y: mean((j) => j.y), radius } : head);
  }
  const now = (junction: Junction | null) => junction && made.get(top(junction))!;
  const moved = arms.map((arm) => {
    const [from, to] = [now(arm.from), now(arm.to)];
    return from === arm.from && to === arm.to ? arm : armOf({ ...arm, from, to }, geometry);
  });
  return [[...made.values()], dropLoops(moved)];
}

/** Removes loops around a hole of the mask. */
const dropLoops = (arms: readonly Arm[]): Arm[] =>
  arms.filter(({ from, to, length }) => !from || from !== to || length > 4 * from.radius + 2 * LEAST_PIXELS);
