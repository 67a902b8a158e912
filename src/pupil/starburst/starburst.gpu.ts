/**
 * One frame's search for a pupil, shared between the sides: the GPU has upload, preprocessing, rays and RANSAC; the WASM
 * side start candidates, outline and judgment, over the few tiles that the outline touches. Both sides use the same
 * kernels from the circle on, so their results agree.
 */
import { onlyGpu } from '../../runtime/error.ts';
import type { Plan } from '../../runtime/wasm/kernel-step.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Scope } from '../../runtime/scope.ts';
import type { PupilValues } from '../parameters.ts';
import type { Found, View } from '../search/method.ts';
import { foundBy } from '../search/result.ts';
import type { PupilSearch } from '../search/search.ts';
import type { Outcome } from './ray-search.gpu.ts';
import type { GpuRays, MakeRays, Request } from './rays.gpu.ts';
import { paperStart, regionsToTry } from './start.ts';

/** Rounds enqueued at once from a start candidate, or from the paper's start on a first frame. */
const FIRST_ROUNDS = 4;

/** Null: the context was lost meanwhile. */
type Answer = Promise<Outcome[] | null>;

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

/** One eye of one frame, between its first pass and its last read. */
export interface Enqueued {
  /** As it was when it entered. */
  readonly view: View;
  readonly track: Answer | null;
  readonly paper: Answer | null;
  readonly wide: Wide | null;
}

export class GpuTracking {
  readonly rays: GpuRays;
  readonly counts: GpuCounts = { local: 0, wide: 0, escaped: 0, lost: 0 };
  readonly #values: PupilValues;
  readonly #runtime: Runtime;
  readonly #lead: number;

  constructor(runtime: Runtime, values: PupilValues, makeRays: MakeRays, lead: number) {
    this.#values = values;
    this.#runtime = runtime;
    this.#lead = lead;
    this.rays = makeRays(runtime, values);
  }

  /** Enqueues the search from the last pupil; of frames that are searched as the first (`tracking: false`) several are in flight. */
  *enqueue(search: PupilSearch, view: View): Plan<Enqueued> {
    const values = this.#values;
    const { source, frame, region, last } = view;
    const none = { view, track: null, paper: null, wide: null };
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const { x, y } = paperStart(last, region, values);
      yield* search.startAt(x, y);
      const rounds = values.tracking && last ? this.rays.rounds : FIRST_ROUNDS;
      return { ...none, paper: this.#ask(search, view, false, rounds) };
    }
    if (!values.tracking || !last) return { ...none, wide: yield* this.#wide(search, view) };
    this.counts.local++;
    yield* search.startAtLast(last);
    return { ...none, track: this.#ask(search, view, true, this.rays.rounds) };
  }

  /** Ends a search in the order of the frames. */
  *finish(scope: Scope, search: PupilSearch, { view: before, track, paper, wide }: Enqueued, view: View): Plan<Found> {
    const values = this.#values;
    const { source, frame, region, lost } = view;
    if (paper) {
      const outcomes = yield* scope.wait(paper);
      search.begin(source, frame, region);
      if (outcomes) yield* contest(scope, search, outcomes);
      else {
        const { x, y } = paperStart(before.last, region, values);
        yield* search.startAt(x, y);
        yield* search.tryStarts();
      }
      return foundBy(search, values);
    }
    if (track) {
      const outcomes = yield* scope.wait(track);
      search.begin(source, frame, region);
      yield* search.startAtLast(before.last!);
      if (outcomes?.[0] && outcomes[0].status !== 'escaped') yield* contest(scope, search, outcomes);
      else {
        if (outcomes) this.counts.escaped++;
        yield* search.tryStarts();
      }
      const found = foundBy(search, values);
      if (found.last) return found;
    }
    const { answer, dark } = wide ?? (yield* this.#wide(search, view));
    const outcomes = yield* scope.wait(answer);
    search.begin(source, frame, region);
    if (outcomes) yield* contest(scope, search, outcomes, dark);
    else {
      yield* search.startInDark(regionsToTry(lost, values));
      yield* search.tryStarts();
    }
    yield* search.lookAgain(this.#lead);
    return foundBy(search, values);
  }

  /** Searches from the darkest compact regions, all at a time. */
  *#wide(search: PupilSearch, view: View): Plan<Wide> {
    const { source, frame, region, lost } = view;
    this.counts.wide++;
    search.begin(source, frame, region);
    yield* search.startInDark(regionsToTry(lost, this.#values));
    return { dark: search.get('dark'), answer: this.#ask(search, view, false, FIRST_ROUNDS) };
  }

  /** From the starts in the search; enqueues at once. */
  async #ask(search: PupilSearch, { source, region }: View, local: boolean, rounds: number): Answer {
    const starts = search.starts().map((start) => ({ ...start, rounds: 0 }));
    if (!starts.length) return [];
    const request: Request = { source, limits: region, starts, local, rounds };
    try {
      return await this.#runtime.driver.run(this.rays.find(request));
    } catch (error) {
      if (!this.#runtime.gpu?.lost && !onlyGpu(error)) throw error;
      this.counts.lost++;
      return null;
    }
  }

  dispose(): void {
    this.rays.dispose();
  }
}

/** The best outline, in the order of the starts. */
function* contest(scope: Scope, search: PupilSearch, outcomes: readonly Outcome[], dark?: number): Plan<void> {
  scope.options.took?.('gpu');
  yield* search.beginContest(dark);
  for (const outcome of outcomes) if (outcome.status === 'converged' && (yield* search.proposeRays(outcome))) break;
  yield* search.endContest();
}
