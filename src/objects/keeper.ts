/**
 * The integrator of the default variant: correlation filters follow the target and say how much what they follow looks
 * like it; the detector only proposes where else it might be (the pattern of Ma et al. 2015).
 *
 * Evidence is a filter's response as a share of its usual one for this target. While the chain of good responses from
 * frame to frame is unbroken, the follower's own response counts, so that the target may change its look. It breaks where
 * the response drops, or stays low for long: from there on the follower may have slid onto something else, and only what
 * was trusted before, or the views in memory, can mend it. A box is reported while the chain holds and there is enough
 * evidence; to be found again takes more than to be kept.
 */
import type { Box } from '../results/types.ts';
import type { WasmSide } from '../runtime/wasm-side.ts';
import { Appearance, type Sight } from './appearance.ts';
import { clusters, meanBox, overlap } from './boxes.ts';
import type { Detection } from './detector.ts';
import type { SharedFrame } from './frame.ts';

/** The follower learns at this rate, in doubt at half of it. */
const RATE = 0.03;
/** Shares of the usual response: of one that is trusted, one that is learned from, and one that breaks the chain. */
const TRUSTED = 0.75;
const LEARNED = 0.5;
const BROKEN = 0.4;
/** More evidence than for keeping it is needed for finding the target where it was, and for one elsewhere. */
const FOUND = 0.2;
const JUMP = 0.25;
/** By so much another place must fit better, in units of the response. */
const BETTER = 0.03;
/** Frames: in doubt until the chain breaks; trusted until the model learns; trusted until a view is kept; on probation. */
const DOUBT = 12;
const SETTLED = 3;
const PROVEN = 10;
const PROBATION = 8;
/** The usual response: where it starts, its limits, how fast it follows. */
const USUAL = { first: 0.45, least: 0.4, most: 0.5, rate: 0.03 };
/** Steps of size that are tried, and most that the flow may change it by, a frame. */
const STEP = 1.03;
const MOST_STEP = 1.1;
/** Boxes do not get narrower than this, in pixels. */
const LEAST_SIDE = 6;
/** Groups of detections that are looked at. */
const PROPOSALS = 3;
/** From this response on a proposal is worth a second look, centred on it. */
const PROMISING = 0.15;

export interface Kept {
  box: Box;
  /** Evidence, at most 1. */
  confidence: number;
  shown: boolean;
  by: 'tracker' | 'detector';
  /** The box is trusted: it may teach ferns and patches. */
  teaches: boolean;
}

export class Keeper {
  readonly appearance: Appearance;
  #box: Box | null = null;
  usual = USUAL.first;
  #chain = false;
  #shown = false;
  #trustedFor = 0;
  #doubtFor = 0;
  #probation = 0;
  /** Frames since a view was prepared; 0: none is. */
  #prepared = 0;

  constructor(side: WasmSide, size: { width: number; height: number }) {
    this.appearance = new Appearance(side, size);
  }

  begin(frame: SharedFrame, box: Box): void {
    this.#teach(frame, box, 1);
  }

  /** The box is the target by the user's word. */
  correct(frame: SharedFrame, box: Box): void {
    this.#teach(frame, box, 0.5);
  }

  #teach(frame: SharedFrame, box: Box, rate: number): void {
    const { appearance } = this;
    appearance.learn(frame, box, rate);
    appearance.trust();
    appearance.prepare(frame, box);
    appearance.keep();
    this.#box = box;
    this.#chain = this.#shown = true;
    this.#trustedFor = this.#doubtFor = this.#prepared = 0;
  }

  /** There is no frame to follow it from: it has to be found. */
  lose(): null {
    this.#box = null;
    this.#chain = this.#shown = false;
    return null;
  }

  /** Where the follower sees the target; `flow` is where the flow took the box. */
  follow(frame: SharedFrame, flow: (box: Box) => Box | null): Sight | null {
    const from = this.#box;
    if (!from) return null;
    const { appearance } = this;
    let best = appearance.follow(frame, from);
    const consider = (box: Box) => {
      const sight = appearance.follow(frame, box);
      if (sight.value > best.value) best = sight;
    };
    const flown = flow(from);
    if (flown) {
      const grown = Math.min(MOST_STEP, Math.max(1 / MOST_STEP, flown.width / from.width));
      consider(sized(flown, (grown * from.width) / flown.width));
    }
    const middle = best.box;
    for (const step of [1 / STEP, STEP]) consider(sized(middle, step));
    best.box = within(best.box, frame);
    return best;
  }

  decide(
    frame: SharedFrame,
    followed: Sight | null,
    detections: readonly Detection[],
    { minConfidence, learning }: { minConfidence: number; learning: boolean },
  ): Kept | null {
    const { appearance } = this;
    const usual = Math.min(USUAL.most, Math.max(USUAL.least, this.usual));
    const value = followed?.value ?? 0;
    if (value < BROKEN * usual || this.#doubtFor > DOUBT) this.#chain = false;
    const remembered = followed && appearance.remember(frame, followed.box);
    const recognised = followed ? appearance.recognise(frame, followed.box) : 0;
    const known = Math.max(recognised, remembered?.value ?? 0);
    const own = this.#chain ? Math.max(value, remembered?.value ?? 0) : known;
    if (!this.#shown || value < TRUSTED * usual) {
      const other = this.#propose(frame, detections, followed?.box ?? null);
      const beaten = Math.max(known, this.#chain ? value : 0) + BETTER;
      if (other && other.value > (minConfidence + JUMP) * usual && other.value > beaten)
        return this.#resume(other, usual, minConfidence, 'detector');
    }
    if (!followed) return null;
    if (!this.#chain && own > (minConfidence + FOUND) * usual) {
      const sight = remembered && remembered.value > Math.max(value, recognised) ? remembered : followed;
      return this.#resume({ box: within(sight.box, frame), value: own }, usual, minConfidence, 'tracker');
    }
    const { box } = followed;
    this.#box = box;
    this.#shown = this.#chain && own >= (minConfidence + (this.#shown ? 0 : FOUND)) * usual;
    const teaches = this.#learn(frame, box, value, remembered?.value ?? 0, usual, learning);
    return this.#kept({ box, value: own }, usual, minConfidence, 'tracker', teaches);
  }

  /** The target is here again, on probation: nothing is taught until it has held for a while. */
  #resume(sight: Sight, usual: number, minConfidence: number, by: Kept['by']): Kept {
    this.appearance.restore();
    this.#box = sight.box;
    this.#chain = this.#shown = true;
    this.#trustedFor = this.#doubtFor = this.#prepared = 0;
    this.#probation = PROBATION;
    return this.#kept(sight, usual, minConfidence, by, false);
  }

  #kept({ box, value }: Sight, usual: number, least: number, by: Kept['by'], teaches: boolean): Kept {
    const evidence = Math.max(0, Math.min(1, value / usual));
    // What is not shown is not confident either, even where it only has not been seen for long enough.
    const confidence = this.#shown ? evidence : Math.min(evidence, 0.99 * least);
    return { box, confidence, shown: this.#shown, by, teaches };
  }

  /** Returns whether ferns and patches may learn as well. */
  #learn(frame: SharedFrame, box: Box, value: number, remembered: number, usual: number, learning: boolean): boolean {
    const { appearance } = this;
    const trusted = value > TRUSTED * usual;
    if (value > LEARNED * usual) appearance.learn(frame, box, trusted ? RATE : RATE / 2);
    if (this.#probation) this.#probation--;
    if (!trusted || !this.#chain) {
      this.#trustedFor = this.#prepared = 0;
      this.#doubtFor++;
      return false;
    }
    this.#trustedFor++;
    this.#doubtFor = 0;
    if (!learning) return false;
    const settled = this.#trustedFor >= SETTLED && !this.#probation;
    if (!this.#probation) this.usual += USUAL.rate * (value - this.usual);
    if (this.#prepared) {
      if (++this.#prepared > PROVEN) {
        appearance.keep();
        this.#prepared = 0;
      }
    } else if (settled && remembered < TRUSTED * usual) {
      appearance.prepare(frame, box);
      this.#prepared = 1;
    }
    if (this.#trustedFor % PROVEN === 0) appearance.trust();
    return settled;
  }

  /** The detections, in groups, that look most like a view in memory; none that is where the target is followed. */
  #propose(frame: SharedFrame, detections: readonly Detection[], followed: Box | null): Sight | null {
    const groups = clusters(detections, 0.5)
      .map((members) => ({
        box: meanBox(members.map((i) => detections[i]!)),
        relative: Math.max(...members.map((i) => detections[i]!.relative)),
      }))
      .filter(({ box }) => !followed || overlap(box, followed) < 0.5)
      .sort((a, b) => b.relative - a.relative);
    let best: Sight | null = null;
    for (const { box } of groups.slice(0, PROPOSALS)) {
      let sight = this.appearance.remember(frame, box);
      if (sight.value > PROMISING) {
        const centred = this.appearance.remember(frame, sight.box);
        if (centred.value > sight.value) sight = centred;
      }
      if (!best || sight.value > best.value) best = sight;
    }
    return best && { ...best, box: within(best.box, frame) };
  }

  dispose(): void {
    this.appearance.dispose();
  }
}

/** The same centre, another size. */
function sized({ x, y, width, height }: Box, scale: number): Box {
  const [w, h] = [width * scale, height * scale];
  return { x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h };
}

/** Not larger than the frame, not vanishing, its centre in the frame. */
function within(box: Box, { width, height }: { width: number; height: number }): Box {
  const fits = Math.min(1, width / box.width, height / box.height);
  const scale = fits < 1 ? fits : Math.max(1, LEAST_SIDE / Math.min(box.width, box.height));
  const { x, y, width: w, height: h } = scale === 1 ? box : sized(box, scale);
  const clamp = (v: number, most: number) => Math.min(most, Math.max(0, v));
  return { x: clamp(x + w / 2, width) - w / 2, y: clamp(y + h / 2, height) - h / 2, width: w, height: h };
}
