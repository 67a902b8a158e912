/** Scenes for widths, lengths and branch points, and how what was measured compares with what was drawn. */
import type { VesselSegment } from '../../src/results/types.ts';
import type { DrawnLine, Scene } from './drawn.ts';

type Point = readonly [number, number];

/** Lines side by side in one direction, about the middle of a square. */
export function parallels(
  side: number,
  angle: number,
  widths: readonly number[],
  more: Partial<DrawnLine> = {},
): DrawnLine[] {
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const half = 0.28 * side;
  return widths.map((width, k) => {
    const away = (0.62 * side * (k + 0.5)) / widths.length - 0.31 * side;
    const [cx, cy] = [side / 2 - away * uy, side / 2 + away * ux];
    return {
      width,
      points: [
        [cx - half * ux, cy - half * uy],
        [cx + half * ux, cy + half * uy],
      ],
      ...more,
    };
  });
}

/** A tree that forks `levels` times from a trunk at the picture's border, and where it forks. */
export function tree(
  side: number,
  angle: number,
  width: number,
  levels: number,
): { lines: DrawnLine[]; forks: Point[] } {
  const lines: DrawnLine[] = [];
  const forks: Point[] = [];
  const grow = ([x, y]: Point, way: number, w: number, length: number, left: number) => {
    const end: Point = [x + length * Math.cos(way), y + length * Math.sin(way)];
    lines.push({ points: [[x, y], end], width: w, cap: 'round' });
    if (!left) return;
    forks.push(end);
    // The widths of Murray's law, at the angles of retinal arteries.
    grow(end, way + 0.55, 0.8 * w, 0.72 * length, left - 1);
    grow(end, way - 0.7, 0.78 * w, 0.68 * length, left - 1);
  };
  const far = 0.4 * side;
  grow([side / 2 - far * Math.cos(angle), side / 2 - far * Math.sin(angle)], angle, width, 0.3 * side, levels);
  return { lines, forks };
}

/** Arteries and veins in turns around a drawn disc, which fork outside of the zone that calibers are measured in. */
export function drawnRetina(
  side: number,
  turn: number,
  { arteries, veins }: { arteries: readonly number[]; veins: readonly number[] },
): Pick<Scene, 'lines' | 'disc' | 'fovea'> {
  const radius = side / 15;
  const disc = { x: 0.47 * side, y: 0.5 * side, radius };
  const count = arteries.length + veins.length;
  const kinds = [
    { widths: arteries, depth: 0.3, redDepth: 0.05 },
    { widths: veins, depth: 0.42, redDepth: 0.12 },
  ];
  const lines: DrawnLine[] = [];
  const left = kinds.map(({ widths }) => [...widths]);
  for (let k = 0; k < count; k++) {
    const kind = left[k % 2]!.length ? k % 2 : 1 - (k % 2);
    const width = left[kind]!.shift()!;
    const { depth, redDepth } = kinds[kind]!;
    const look = { depth, redDepth, cap: 'round' as const };
    // More of them above and below than to the sides, as they leave the disc.
    const even = (2 * Math.PI * (k + 0.5)) / count;
    const way = even - 0.25 * Math.sin(2 * even) + turn;
    const at = (away: number, bend: number): Point => [
      disc.x + away * radius * Math.cos(way + bend),
      disc.y + away * radius * Math.sin(way + bend),
    ];
    const fork = at(4.2, 0.04);
    lines.push({ points: [at(0.3, 0), at(1.5, 0), at(2.5, 0.01), at(3.4, 0.025), fork], width, ...look });
    // The widths of Murray's law.
    lines.push({ points: [fork, at(6.2, 0.14)], width: 0.8 * width, ...look });
    lines.push({ points: [fork, at(6, -0.09)], width: 0.78 * width, ...look });
  }
  return { lines, disc, fovea: { x: disc.x + 5.2 * radius, y: disc.y + 0.7 * radius, radius: 0.8 * radius } };
}

/** Of the vessel that was drawn from the disc at about this angle. */
export function kindAt({ lines, disc }: Pick<Scene, 'lines' | 'disc'>, angle: number): 'artery' | 'vein' {
  const off = ({ points: [, , at] }: DrawnLine) => {
    const way = Math.atan2(at![1] - disc!.y, at![0] - disc!.x) - angle;
    return Math.abs(Math.atan2(Math.sin(way), Math.cos(way)));
  };
  const trunks = lines.filter(({ points }) => points.length > 2);
  return trunks.reduce((a, b) => (off(b) < off(a) ? b : a)).redDepth! < 0.1 ? 'artery' : 'vein';
}

const distanceTo = (x: number, y: number, [[ax, ay], [bx, by]]: readonly [Point, Point]) => {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
};

/** The longest segment whose points lie on a straight line. */
export function segmentOn({ points, width }: DrawnLine, segments: readonly VesselSegment[]): VesselSegment | null {
  const line = points as unknown as readonly [Point, Point];
  const on = segments.filter(({ points: own }) => {
    let near = 0;
    for (let k = 0; k < own.length; k += 2) if (distanceTo(own[k]!, own[k + 1]!, line) < Math.max(2, width / 2)) near++;
    return 2 * near > 0.8 * own.length;
  });
  return on.length ? on.reduce((a, b) => (b.length > a.length ? b : a)) : null;
}

export const lengthOfLine = ({ points }: DrawnLine): number =>
  points.slice(1).reduce((s, [x, y], k) => s + Math.hypot(x - points[k]![0], y - points[k]![1]), 0);

/** Each place drawn counts once, for the nearest found one within `reach`. */
export function pointCounts(
  drawn: readonly Point[],
  found: readonly { x: number; y: number }[],
  reach: number,
): { hit: number; missed: number; false: number } {
  const left = new Set(found);
  let hit = 0;
  for (const [x, y] of drawn) {
    const near = [...left].filter((p) => Math.hypot(p.x - x, p.y - y) <= reach);
    if (!near.length) continue;
    hit++;
    left.delete(near.reduce((a, b) => (Math.hypot(b.x - x, b.y - y) < Math.hypot(a.x - x, a.y - y) ? b : a)));
  }
  return { hit, missed: drawn.length - hit, false: left.size };
}

export const scene = (side: number, lines: readonly DrawnLine[], more: Partial<Scene> = {}): Scene => ({
  width: side,
  height: side,
  lines,
  ...more,
});
