/**
 * The pupil tracker: one Starburst search per eye over shared preprocessing, the last pupil as the next start, the
 * whole frame after a loss (paper 000, sections 2.3 and 2.5).
 */
import type { Pupil, PupilResult } from '../results/types.ts';
import { defineTracker, type Tracker } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { resolveParameters } from '../runtime/parameters.ts';
import type { Plane } from '../runtime/plane.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { BlinkDetector } from './blink.ts';
import { pupilParameters, type PupilValues, type Roi } from './parameters.ts';
import { prepareWholeFrame } from './prepare.ts';
import { nothingFound, readPupil } from './pupil-result.ts';
import { PreparedFrame, StarburstSearch, type Region } from './starburst-search.ts';

/** The threshold in tracking: this share of the last pupil's contrast, at most 30 gray levels. */
const SHARE = 0.4;
const HIGHEST = 30;
/** While the pupil stays lost, the best three regions are tried; all of them again every eighth frame. */
const TRIED_WHILE_LOST = 3;
const ALL_EVERY = 8;

interface Last {
  x: number;
  y: number;
  r: number;
  contrast: number;
  dark: number;
}

interface Eye {
  search: StarburstSearch;
  blinks: BlinkDetector;
  last: Last | null;
  /** Frames since the pupil was last seen, 0 at the start. */
  lost: number;
}

function resolve(given: Record<string, unknown>): PupilValues {
  const { roi, ...rest } = given;
  const numbers = rest as Partial<PupilValues> & Record<string, unknown>;
  if (numbers.millimetresPerPixel === null) numbers.millimetresPerPixel = 0;
  const values: PupilValues = resolveParameters(pupilParameters, numbers, 'createPupilTracker');
  if (roi !== undefined && roi !== null) {
    const box = roi as Roi;
    if (![box.x, box.y, box.width, box.height].every(Number.isFinite) || box.width < 8 || box.height < 8)
      throw new FoveolaError(
        'invalid-argument',
        'createPupilTracker: roi must be { x, y, width, height } in pixels, at least 8 wide and high, or null.',
      );
    values.roi = { x: box.x, y: box.y, width: box.width, height: box.height };
  }
  return values;
}

export class PupilTrackerCore implements Tracker {
  readonly #runtime: Runtime;
  #given: Record<string, unknown>;
  #values: PupilValues;
  #eyes: Eye[] = [];
  #frame: PreparedFrame | null = null;

  constructor(runtime: Runtime, given: Record<string, unknown>) {
    this.#runtime = runtime;
    this.#given = given;
    this.#values = resolve(given);
  }

  process(source: Plane, timestamp: number): PupilResult {
    const { width, height } = source;
    const frame = this.#prepare(source);
    const pupils: Pupil[] = [];
    const blinks: PupilResult['blinks'] = [];
    this.#eyes.forEach((eye, i) => {
      const region = regionOf(width, height, this.#values, i);
      const pupil = region ? this.#find(eye, source, frame, region) : nothingFound();
      const { blink, ended } = eye.blinks.update(pupil.found, timestamp);
      pupil.blink = blink;
      if (ended) blinks.push(ended);
      pupils.push(pupil);
    });
    return { timestamp, width, height, pupils, blinks, dropped: 0 };
  }

  #find(eye: Eye, source: Plane, frame: PreparedFrame, region: Region): Pupil {
    const { search } = eye;
    const values = this.#values;
    search.begin(source, frame, region);
    if (values.variant === 'paper') {
      const start = (values.tracking && eye.last) || {
        x: (region.x0 + region.x1 - 1) / 2,
        y: (region.y0 + region.y1 - 1) / 2,
      };
      search.paper(start.x, start.y);
    } else {
      const { last } = eye;
      if (values.tracking && last) {
        const gradient = Math.max(values.gradient, Math.min(HIGHEST, SHARE * last.contrast));
        search.attempt(last.x, last.y, Math.floor(1.8 * last.r) + 24, gradient, last.dark);
      }
      if (!(values.tracking && last && readPupil(search, values).found))
        search.search(values.tracking && eye.lost % ALL_EVERY ? TRIED_WHILE_LOST : values.candidates);
    }
    const pupil = readPupil(search, values);
    eye.last = pupil.found
      ? { x: pupil.x, y: pupil.y, r: pupil.diameter / 2, contrast: search.get('contrast'), dark: search.get('dark') }
      : null;
    eye.lost = pupil.found ? 0 : eye.lost + 1;
    return pupil;
  }

  /** Makes room for frames of this size and preprocesses: nothing yet, or the whole frame. */
  #prepare(source: Plane): PreparedFrame {
    const { width, height } = source;
    if (this.#frame?.width !== width || this.#frame.height !== height || this.#eyes.length !== this.#values.eyes) {
      this.#release();
      this.#frame = new PreparedFrame(this.#runtime, width, height);
      for (let i = 0; i < this.#values.eyes; i++)
        this.#eyes.push({
          search: new StarburstSearch(this.#runtime, this.#values, width),
          blinks: new BlinkDetector(),
          last: null,
          lost: 0,
        });
    }
    const frame = this.#frame!;
    const values = this.#values;
    if (values.tilesOnDemand && values.smoothing === 'gaussian' && values.reflections !== 'interpolate') frame.mark(0);
    else {
      const { blurred, mask } = prepareWholeFrame(this.#runtime.wasm, source, values);
      frame.take(blurred, mask);
      blurred.dispose();
      mask?.dispose();
    }
    return frame;
  }

  reset(): void {
    for (const eye of this.#eyes) {
      eye.last = null;
      eye.lost = 0;
      eye.blinks.reset();
    }
  }

  /** New values from the next frame on; where the pupils are is kept. */
  setParameters(params: Record<string, unknown>): void {
    const given = { ...this.#given, ...params };
    this.#values = resolve(given);
    this.#given = given;
    if (!this.#frame) return;
    const old = this.#eyes;
    this.#eyes = []; // without memory for all of them the next frame begins anew
    for (const eye of old) eye.search.dispose();
    for (let i = 0; i < this.#values.eyes; i++)
      this.#eyes.push({
        search: new StarburstSearch(this.#runtime, this.#values, this.#frame.width),
        blinks: old[i]?.blinks ?? new BlinkDetector(),
        last: old[i]?.last ?? null,
        lost: 0,
      });
  }

  #release(): void {
    for (const eye of this.#eyes) eye.search.dispose();
    this.#eyes = [];
    this.#frame?.dispose();
    this.#frame = null;
  }

  dispose(): void {
    this.#release();
  }
}

/** Where an eye may be: the region of interest, of it the left or right half with two eyes; null when outside. */
function regionOf(width: number, height: number, values: PupilValues, eye: number): Region | null {
  const roi = values.roi ?? { x: 0, y: 0, width, height };
  const within = (v: number, end: number) => Math.min(end, Math.max(0, v));
  let x0 = within(Math.floor(roi.x), width);
  let x1 = within(Math.ceil(roi.x + roi.width), width);
  const y0 = within(Math.floor(roi.y), height);
  const y1 = within(Math.ceil(roi.y + roi.height), height);
  if (values.eyes === 2) {
    const middle = (x0 + x1) >> 1;
    if (eye === 0) x1 = middle;
    else x0 = middle;
  }
  return x1 - x0 >= 3 && y1 - y0 >= 3 ? { x0, y0, x1, y1 } : null;
}

export const pupilTracker = defineTracker({
  name: 'pupil',
  params: pupilParameters,
  sources: 'gray',
  resolve: (given) => resolve(given) as never,
  create: (runtime, params) => new PupilTrackerCore(runtime, params),
});
