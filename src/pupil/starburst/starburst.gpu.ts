/**
 * One frame's search for a pupil, shared between the sides: the GPU has upload, preprocessing, rays and RANSAC; the WASM
 * side start candidates, outline and judgement, over the few tiles that the outline touches. Both sides use the same
 * kernels from the circle on, so their results agree.
 */
import { FoveolaError } from '../../runtime/error.ts';
import type { GpuSide } from '../../runtime/gpu-side.ts';
import type { Plane } from '../../runtime/plane.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Last } from '../search/method.ts';
import type { PupilValues } from '../parameters.ts';
import type { PreparedFrame } from '../preparation/prepared-frame.ts';
import { readPupil } from '../search/result.ts';
import type { Region } from '../search/region.ts';
import { ENOUGH, type StarburstSearch } from '../search/search.ts';
import { paperStart, regionsToTry, trackingStart } from './start.ts';
import type { Ladder } from './ladder.ts';
import type { Outcome } from './ray-search.gpu.ts';
import { GpuStarburst } from './circles.gpu.ts';

/** Rounds enqueued at once from a start candidate, or from the paper's start on a first frame. */
const FIRST_ROUNDS = 4;

/** Null: the context was lost meanwhile. */
type Answer = Promise<Outcome[] | null>;

interface Track {
  readonly last: Last;
  readonly answer: Answer;
}

interface Wide {
  readonly dark: number;
  /** Start regions; null when there is no GPU for them any more. */
  readonly answer: Answer;
}

/** What happened on the GPU path so far, for tests and benchmarks. */
export interface GpuCounts {
  /** Searches around a last pupil, over a whole region, and ended by the WASM side because rays left the window. */
  local: number;
  wide: number;
  escaped: number;
  /** Searches that the WASM side did because the context was lost. */
  lost: number;
}

/** One eye of one frame, between entering and landing. */
export interface Launched {
  readonly region: Region;
  readonly track: Track | null;
  readonly paper: { x: number; y: number; answer: Answer } | null;
  readonly wide: Wide | null;
}

export class GpuTracking {
  readonly starburst: GpuStarburst;
  readonly counts: GpuCounts = { local: 0, wide: 0, escaped: 0, lost: 0 };
  readonly #values: PupilValues;
  readonly #ladder: Ladder;
  readonly #side: GpuSide;

  constructor(runtime: Runtime, side: GpuSide, values: PupilValues, ladder: Ladder) {
    this.#values = values;
    this.#ladder = ladder;
    this.#side = side;
    this.starburst = new GpuStarburst(runtime, side, values, ladder);
  }

  /** Enqueues what can be enqueued before the frames in flight are known: from the last finished result. */
  launch(
    search: StarburstSearch,
    source: Plane,
    frame: PreparedFrame,
    region: Region,
    last: Last | null,
    lost: number,
  ): Launched {
    const values = this.#values;
    const { rounds } = this.#ladder;
    const none = { region, track: null, paper: null, wide: null };
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      const reach = Math.max(source.width, source.height);
      const starts = [{ x, y, reach, gradient: values.minGradient, rounds: 0 }];
      const first = values.tracking && last ? rounds : FIRST_ROUNDS;
      const answer = this.#ask({ source, limits: region, starts, local: false, rounds: first });
      return { ...none, paper: { x, y, answer } };
    }
    if (!values.tracking || !last) return { ...none, wide: this.#wide(search, source, frame, region, lost) };
    this.counts.local++;
    const starts = [{ ...trackingStart(last, values), rounds: 0 }];
    return { ...none, track: { last, answer: this.#ask({ source, limits: region, starts, local: true, rounds }) } };
  }

  /** Ends a search in the order of the frames; the result is in `search`. */
  async land(
    search: StarburstSearch,
    source: Plane,
    frame: PreparedFrame,
    launched: Launched,
    lost: number,
  ): Promise<void> {
    const { region, track, paper } = launched;
    const values = this.#values;
    if (paper) {
      const outcome = one(await paper.answer);
      search.begin(source, frame, region);
      if (outcome) search.finish(circleOf(outcome), 0);
      else search.paper(paper.x, paper.y);
      return;
    }
    if (track) {
      const outcome = one(await track.answer);
      search.begin(source, frame, region);
      if (outcome && outcome.status !== 'escaped') search.finish(circleOf(outcome), track.last.dark);
      else {
        if (outcome) this.counts.escaped++;
        const { x, y, reach, gradient } = trackingStart(track.last, values);
        search.attempt(x, y, reach, gradient, track.last.dark);
      }
      if (readPupil(search, values).found) return;
    }
    const { answer, dark } = launched.wide ?? this.#wide(search, source, frame, region, lost);
    const outcomes = await answer;
    search.begin(source, frame, region);
    if (outcomes) this.#choose(search, outcomes, dark);
    else search.search(regionsToTry(lost, values));
  }

  /** Searches from the darkest compact regions, all at a time. */
  #wide(search: StarburstSearch, source: Plane, frame: PreparedFrame, region: Region, lost: number): Wide {
    const values = this.#values;
    this.counts.wide++;
    search.begin(source, frame, region);
    // Single precision, as in assembly/pupil/starburst/starburst.ts.
    const starts = search.candidates(regionsToTry(lost, values)).map(({ x, y, half, score }) => ({
      x,
      y,
      reach: Math.trunc(Math.fround(half * 5)) + 10,
      gradient: Math.max(values.minGradient, Math.min(30, Math.fround(Math.fround(0.35) * score))),
      rounds: 0,
    }));
    const request = { source, limits: region, starts, local: false, rounds: FIRST_ROUNDS };
    return { dark: search.get('dark'), answer: starts.length ? this.#ask(request) : Promise.resolve([]) };
  }

  /** The best outline, in the order of the candidates, as starburstSearch chooses. */
  #choose(search: StarburstSearch, outcomes: readonly Outcome[], dark: number): void {
    search.finish(nothing, dark);
    let top = search.get('score');
    search.keep();
    for (const outcome of outcomes) {
      search.finish(circleOf(outcome), dark);
      if (search.get('score') > top) {
        top = search.get('score');
        search.keep();
      }
      if (top >= ENOUGH) break;
    }
    search.takeBack();
  }

  async #ask(request: Parameters<GpuStarburst['find']>[0]): Answer {
    try {
      return await this.starburst.find(request);
    } catch (error) {
      if (!this.#side.lost && !(error instanceof FoveolaError && error.code === 'context-lost')) throw error;
      this.counts.lost++;
      return null;
    }
  }

  dispose(): void {
    this.starburst.dispose();
  }
}

const one = (outcomes: Outcome[] | null): Outcome | null => outcomes?.[0] ?? null;

const circleOf = ({ x, y, r, votes, points, status }: Outcome) => ({
  x,
  y,
  r,
  votes,
  points,
  found: status === 'converged',
});

const nothing = { x: 0, y: 0, r: 0, votes: 0, points: new Float32Array(0), found: false };
