/**
 * Refinement of a dense flow by a robust, edge-aware smoothness (assembly/flow/refine.ts): from the second finest level
 * down, each level in rounds of linearisation, relaxation and median. Constants were chosen on the four Middlebury pairs
 * that the accuracy bench prints.
 */
import type { Plane } from '../runtime/plane.ts';
import type { Pieces, Planes } from './pieces.ts';
import type { FlowPyramid } from './pyramid.ts';

/** Chosen by trial; exported for the reference in test/. */
export const refineConstants = {
  rounds: 5,
  sweeps: 10,
  /** Over-relaxation. */
  omega: 1.8,
  /** Weight of the smoothness. */
  smoothness: 1,
  /** Differences above this, in gray levels, count linearly instead of squared. */
  robust: 1,
  /** Steps of the flow above this, in pixels, count linearly. */
  flat: 0.01,
  /** A step of this many gray levels halves the smoothness across it. */
  edge: 20,
} as const;

/** Columns of room on either side of a row. */
const ROOM = 4;
const MEDIAN_SCRATCH = 5696;
const LEVELS = 2;

/** Pixels that the refinement goes over, for the progress. */
export const refineWork = ({ width, height }: FlowPyramid): number =>
  1.25 * width * height * refineConstants.rounds * (2 * refineConstants.sweeps + 5);

/** Refines u and v in place. */
export async function refine(
  pieces: Pieces,
  planes: Planes,
  previous: FlowPyramid,
  next: FlowPyramid,
  u: Plane,
  v: Plane,
): Promise<void> {
  let flow: Level | null = null;
  for (let level = Math.min(LEVELS, previous.levels) - 1; level >= 0; level--) {
    const from = previous.planes[level]!;
    const finer: Level = await Level.make(pieces, planes, from.width, from.height);
    for (const name of ['u', 'v'] as const) await start(pieces, { u, v }[name], finer, name, level, flow);
    flow?.drop(planes);
    flow = finer;
    for (let round = 0; round < refineConstants.rounds; round++)
      await oneRound(pieces, flow, from, next.planes[level]!);
  }
  const { width, height, stride } = flow!;
  for (const [name, plane] of Object.entries({ u, v }) as ['u' | 'v', Plane][]) {
    const copy = [flow!.at(name), stride, plane.address, plane.stride, width, height, 1, 1];
    await pieces.rows('boxColumns', width, height, copy, 4096);
  }
  flow!.drop(planes);
}

const names = ['u', 'v', 'u2', 'v2', 'mean', 'bx', 'by', 'wx', 'wy', 'cu', 'cv', 'cuv'] as const;
type Name = (typeof names)[number];

/** The planes of one level, with room on both sides of their rows. */
class Level {
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly #planes: Record<Name, Plane>;

  private constructor(width: number, height: number, planes: Record<Name, Plane>) {
    this.width = width;
    this.height = height;
    this.stride = planes.u.stride;
    this.#planes = planes;
  }

  /** All zero, one plane after the other: those of a large frame take some milliseconds each. */
  static async make(pieces: Pieces, planes: Planes, width: number, height: number): Promise<Level> {
    const made: Partial<Record<Name, Plane>> = {};
    for (const name of names) {
      made[name] = planes.make(width + 2 * ROOM, height, 'f32', 0);
      await pieces.done(0);
    }
    return new Level(width, height, made as Record<Name, Plane>);
  }

  /** Address of the first sample. */
  at(name: Name): number {
    return this.#planes[name].address + 4 * ROOM;
  }

  /** What the median wrote becomes the flow. */
  turn(): void {
    const p = this.#planes;
    [p.u, p.u2, p.v, p.v2] = [p.u2, p.u, p.v2, p.v];
  }

  drop(planes: Planes): void {
    planes.drop(...Object.values(this.#planes));
  }
}

/** From the coarser refined level, else from the given flow. */
async function start(
  pieces: Pieces,
  given: Plane,
  to: Level,
  name: 'u' | 'v',
  level: number,
  coarse: Level | null,
): Promise<void> {
  const { width, height, stride } = to;
  const out = [to.at(name), stride];
  if (coarse) {
    const from = [coarse.at(name), coarse.stride, ...out, coarse.width, coarse.height];
    await pieces.rows('flowExpand', width, height, [...from, width, height]);
  } else if (level === 0)
    await pieces.rows('boxColumns', width, height, [given.address, given.stride, ...out, width, height, 1, 1], 4096);
  else await pieces.rows('flowHalve', width, height, [given.address, given.stride, ...out, width, height]);
}

async function oneRound(pieces: Pieces, level: Level, from: Plane, to: Plane): Promise<void> {
  const { width, height, stride } = level;
  const { sweeps, omega, smoothness, robust, flat, edge } = refineConstants;
  const at = (...wanted: Name[]) => wanted.map((name) => level.at(name));
  const run = (name: string, args: number[], scratch?: number) => pieces.rows(name, width, height, args, scratch);
  const size = [width, height];
  const frames = [from.address, to.address, from.stride];
  await run('flowRefineWarp', [...frames, ...at('u', 'v'), stride, ...at('mean', 'bx'), ...size]);
  const weights = [from.address, from.stride, ...at('u', 'v'), stride, ...at('wx', 'wy'), ...size];
  await run('flowRefineWeights', [...weights, smoothness, flat, edge]);
  const system = at('mean', 'bx', 'u', 'v', 'wx', 'wy', 'by', 'cu', 'cv', 'cuv');
  await run('flowRefineSystem', [...system, stride, ...size, robust]);
  const sweep = [...at('u', 'v', 'wx', 'wy', 'bx', 'by', 'cu', 'cv', 'cuv'), stride, ...size, omega];
  for (let i = 0; i < 2 * sweeps; i++) await run('flowRefineSweep', [...sweep, i & 1]);
  await run('flowMedian', [level.at('u'), stride, level.at('u2'), stride, ...size], MEDIAN_SCRATCH);
  await run('flowMedian', [level.at('v'), stride, level.at('v2'), stride, ...size], MEDIAN_SCRATCH);
  level.turn();
}
