/**
 * The integrator of the default variant by its rules, on plain values; what the filters see comes from outside
 * (assembly/objects/keeper.ts tells the idea).
 */
import type { Box } from '../../src/results/types.ts';
import { groups, overlap, type Found } from './objects-boxes.ts';

export interface Sight {
  box: Box;
  value: number;
}

/** The filters of a target in one frame. */
export interface Filters {
  follow(box: Box): Sight;
  remember(box: Box): Sight;
  recognize(box: Box): number;
  learn(box: Box, rate: number): void;
  trust(): void;
  restore(): void;
  prepare(box: Box): void;
  keep(): void;
}

export interface Answer {
  box: Box;
  confidence: number;
  shown: boolean;
  by: 'none' | 'tracker' | 'detector' | 'both';
  teaches: boolean;
}

const TRUSTED = 0.75;

export function sized({ x, y, width, height }: Box, scale: number): Box {
  const [w, h] = [width * scale, height * scale];
  return { x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h };
}

/** Not larger than the frame, not under 6 pixels, its center in the frame. */
export function bounded(box: Box, frame: { width: number; height: number }): Box {
  const fits = Math.min(1, frame.width / box.width, frame.height / box.height);
  const scale = fits < 1 ? fits : Math.max(1, 6 / Math.min(box.width, box.height));
  const { x, y, width, height } = sized(box, scale);
  const clamp = (v: number, most: number) => Math.min(most, Math.max(0, v));
  return {
    x: clamp(x + width / 2, frame.width) - width / 2,
    y: clamp(y + height / 2, frame.height) - height / 2,
    width,
    height,
  };
}

export class ReferenceKeeper {
  box: Box | null = null;
  usual = 0.45;
  chain = false;
  shown = false;
  trustedFor = 0;
  doubtFor = 0;
  probation = 0;
  preparedFor = 0;

  teach(filters: Filters, box: Box, rate: number): void {
    filters.learn(box, rate);
    filters.trust();
    filters.prepare(box);
    filters.keep();
    this.#begin(box);
  }

  #begin(box: Box): void {
    this.box = box;
    this.chain = this.shown = true;
    this.trustedFor = this.doubtFor = this.preparedFor = 0;
  }

  lose(): void {
    this.box = null;
    this.chain = this.shown = false;
  }

  /** The best of the box as it was, where the flow took it, and a little smaller or larger. */
  follow(filters: Filters, frame: { width: number; height: number }, flown: Box | null): Sight | null {
    const from = this.box;
    if (!from) return null;
    const best = (sights: readonly Sight[]) => sights.reduce((a, b) => (b.value > a.value ? b : a));
    const first = [filters.follow(from)];
    if (flown) {
      const grown = Math.min(1.1, Math.max(1 / 1.1, flown.width / from.width));
      first.push(filters.follow(sized(flown, (grown * from.width) / flown.width)));
    }
    const middle = best(first);
    const { box, value } = best([middle, ...[1 / 1.03, 1.03].map((step) => filters.follow(sized(middle.box, step)))]);
    return { box: bounded(box, frame), value };
  }

  decide(
    filters: Filters,
    frame: { width: number; height: number },
    followed: Sight | null,
    detections: readonly Found[],
    {
      minConfidence,
      learning,
      nearestThreshold,
    }: { minConfidence: number; learning: boolean; nearestThreshold: number },
  ): Answer | null {
    const usual = Math.min(0.5, Math.max(0.4, this.usual));
    const value = followed?.value ?? 0;
    if (value < 0.4 * usual || this.doubtFor > 12) this.chain = false;
    const remembered = followed && filters.remember(followed.box);
    const recognized = followed ? filters.recognize(followed.box) : 0;
    const known = Math.max(recognized, remembered?.value ?? 0);
    const own = this.chain ? Math.max(value, remembered!.value) : known;
    const answer = (evidence: number, by: 'tracker' | 'detector', teaches: boolean): Answer => {
      const box = this.box!;
      const share = Math.max(0, Math.min(1, evidence / usual));
      const agrees = detections.some((one) => one.relative > nearestThreshold && overlap(one, box) > 0.7);
      return {
        box,
        confidence: this.shown ? share : Math.min(share, 0.99 * minConfidence),
        shown: this.shown,
        by: !this.shown ? 'none' : by === 'tracker' && agrees ? 'both' : by,
        teaches,
      };
    };
    const resume = ({ box, value: evidence }: Sight, by: 'tracker' | 'detector'): Answer => {
      filters.restore();
      this.#begin(box);
      this.probation = 8;
      return answer(evidence, by, false);
    };
    if (!this.shown || value < TRUSTED * usual) {
      const other = this.#propose(filters, frame, detections, followed?.box ?? null);
      const beaten = Math.max(known, this.chain ? value : 0) + 0.03;
      if (other && other.value > (minConfidence + 0.25) * usual && other.value > beaten)
        return resume(other, 'detector');
    }
    if (!followed) return null;
    if (!this.chain && own > (minConfidence + 0.2) * usual) {
      const sight = remembered!.value > Math.max(value, recognized) ? remembered! : followed;
      return resume({ box: bounded(sight.box, frame), value: own }, 'tracker');
    }
    this.box = followed.box;
    this.shown = this.chain && own >= (minConfidence + (this.shown ? 0 : 0.2)) * usual;
    return answer(own, 'tracker', this.#settle(filters, value, remembered!.value, usual, learning));
  }

  #settle(filters: Filters, value: number, remembered: number, usual: number, learning: boolean): boolean {
    const trusted = value > TRUSTED * usual;
    if (value > 0.5 * usual) filters.learn(this.box!, trusted ? 0.03 : 0.015);
    if (this.probation) this.probation--;
    if (!trusted || !this.chain) {
      this.trustedFor = this.preparedFor = 0;
      this.doubtFor++;
      return false;
    }
    this.trustedFor++;
    this.doubtFor = 0;
    if (!learning) return false;
    const settled = this.trustedFor >= 3 && !this.probation;
    if (!this.probation) this.usual += 0.03 * (value - this.usual);
    if (this.preparedFor) {
      if (++this.preparedFor > 10) {
        filters.keep();
        this.preparedFor = 0;
      }
    } else if (settled && remembered < TRUSTED * usual) {
      filters.prepare(this.box!);
      this.preparedFor = 1;
    }
    if (this.trustedFor % 10 === 0) filters.trust();
    return settled;
  }

  #propose(
    filters: Filters,
    frame: { width: number; height: number },
    detections: readonly Found[],
    followed: Box | null,
  ): Sight | null {
    const elsewhere = groups(detections, -1)
      .filter((group) => !followed || overlap(group, followed) < 0.5)
      .sort((a, b) => b.relative - a.relative)
      .slice(0, 3);
    let best: Sight | null = null;
    for (const { x, y, width, height } of elsewhere) {
      let sight = filters.remember({ x, y, width, height });
      if (sight.value > 0.15) {
        const centered = filters.remember(sight.box);
        if (centered.value > sight.value) sight = centered;
      }
      if (!best || sight.value > best.value) best = sight;
    }
    return best && { box: bounded(best.box, frame), value: best.value };
  }
}
