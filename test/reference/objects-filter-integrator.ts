/**
 * The integrator of the default variant by its rules, on plain values; what the filters see comes from outside
 * (assembly/objects/filter-integrator.ts tells the idea).
 */
import type { Box } from '../../src/results/types.ts';
import { groups, overlap, type Found } from './objects-boxes.ts';

export interface Sight {
  box: Box;
  value: number;
  /** The best response away from the peak as a share of it; only the follower's counts. */
  rivalry: number;
}

/** The filters of a target in one frame. */
export interface Filters {
  follow(box: Box): Sight;
  remember(box: Box): Sight;
  recognize(box: Box): Sight;
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
/** Rivalry at which right and wrong are equally likely. */
const LEVEL = 0.43;
/** Frames. */
const PROOF = 8;
const times = (sight: Sight, share: number): Sight => ({ ...sight, value: share * sight.value });
const better = (a: Sight, b: Sight) => (b.value > a.value ? b : a);

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

export class ReferenceFilterIntegrator {
  box: Box | null = null;
  usual = 0.45;
  viewUsual = 0.45;
  seen = 0;
  scanned = 0;
  last = { width: 1, height: 1 };
  chain = false;
  shown = false;
  trustedFor = 0;
  probation = 0;
  preparedFor = 0;
  /** What stands out elsewhere as a share of the peak, over the last frames. */
  rivalry = 1;
  /** Evidence that needs no proof. */
  sure = 1;
  met = false;
  unproven = false;

  teach(filters: Filters, box: Box, rate: number): void {
    filters.learn(box, rate);
    filters.trust();
    filters.prepare(box);
    filters.keep();
    this.last = box;
    this.rivalry = 0.15;
    this.#begin(box);
  }

  #begin(box: Box): void {
    this.box = box;
    this.chain = this.met = true;
    this.unproven = false;
    this.trustedFor = this.preparedFor = 0;
  }

  lose(): void {
    this.box = null;
    this.chain = this.shown = false;
  }

  /** The better of the box as it was and where the flow took it; its size where it fits well, by a parabola. */
  follow(filters: Filters, frame: { width: number; height: number }, flown: Box | null): Sight | null {
    const from = this.box;
    if (!from) return null;
    let sight = filters.follow(from);
    if (flown) {
      const grown = Math.min(1.1, Math.max(1 / 1.1, flown.width / from.width));
      sight = better(sight, filters.follow(sized(flown, (grown * from.width) / flown.width)));
    }
    const { box, value, rivalry } = sight;
    if (value < TRUSTED * Math.max(0.1, this.usual))
      return { box: bounded(sized(box, from.width / box.width), frame), value, rivalry };
    const [smaller, larger] = [1 / 1.08, 1.08].map((step) => filters.follow(sized(box, step)).value) as [
      number,
      number,
    ];
    const curve = smaller + larger - 2 * value;
    const vertex = curve < 0 ? (0.5 * (smaller - larger)) / curve : Math.sign(larger - smaller);
    const scale = 1 + 0.08 * 0.5 * Math.max(-1, Math.min(1, vertex));
    return { box: bounded(sized(box, scale), frame), value, rivalry };
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
    const usual = Math.max(0.1, this.usual);
    const value = followed?.value ?? 0;
    if (followed) this.rivalry += 0.2 * (followed.rivalry - this.rivalry);
    if (value < 0.4 * usual) {
      if (this.chain) filters.restore();
      this.chain = false;
    }
    const share = value / usual;
    const remembered = followed && times(filters.remember(followed.box), 1 / this.viewUsual);
    const recognized = followed ? filters.recognize(followed.box).value / usual : 0;
    const known = Math.max(recognized, remembered?.value ?? 0);
    const own = this.chain ? Math.max(share, remembered!.value) : known;
    const answer = (by: 'tracker' | 'detector', teaches: boolean): Answer => {
      const box = this.box!;
      const sure = Math.max(0, Math.min(1, 0.5 + 1.85 * (LEVEL - this.rivalry)));
      this.shown = this.chain && sure >= minConfidence;
      const visible = this.shown && !this.unproven;
      const agrees = detections.some((one) => one.relative > nearestThreshold && overlap(one, box) > 0.7);
      return {
        box,
        confidence: visible ? sure : Math.min(sure, 0.99 * minConfidence),
        shown: visible,
        by: !visible ? 'none' : by === 'tracker' && agrees ? 'both' : by,
        teaches,
      };
    };
    const resume = ({ box, value: evidence }: Sight, by: 'tracker' | 'detector'): Answer => {
      filters.restore();
      const again = this.met;
      this.#begin(box);
      this.probation = 8;
      this.unproven = again && evidence < this.sure;
      this.rivalry = Math.min(this.rivalry, 0.3);
      return answer(by, false);
    };
    if (!this.shown || share < TRUSTED) {
      const other = this.#propose(filters, frame, detections, followed?.box ?? null, usual);
      const beaten = Math.max(known, this.chain ? share : 0) + 0.03;
      if (other && other.value > minConfidence + 0.35 && other.value > beaten) return resume(other, 'detector');
    }
    if (!followed) return null;
    if (!this.chain && own > minConfidence + 0.3) {
      const sight = remembered!.value > Math.max(share, recognized) ? remembered! : followed;
      return resume({ ...sight, box: bounded(sight.box, frame), value: own }, 'tracker');
    }
    this.box = followed.box;
    return answer('tracker', this.#settle(filters, share, usual, remembered!.value, learning));
  }

  #settle(filters: Filters, share: number, usual: number, remembered: number, learning: boolean): boolean {
    const trusted = share > TRUSTED && this.rivalry <= LEVEL;
    const most = Math.min(1, share);
    if (this.chain && share > 0.5) filters.learn(this.box!, 0.03 * (most * most));
    const sure = learning && !this.probation;
    if (this.chain && sure) this.usual += Math.max(0.03, 1 / (++this.seen + 1)) * (share * usual - this.usual);
    if (this.probation) this.probation--;
    if (!trusted || !this.chain) {
      this.trustedFor = this.preparedFor = 0;
      return false;
    }
    this.trustedFor++;
    if (this.trustedFor >= PROOF) this.unproven = false;
    if (learning && !this.probation)
      this.viewUsual = Math.max(0.42, this.viewUsual + 0.03 * (remembered - 1) * this.viewUsual);
    this.last = this.box!;
    if (!learning) return false;
    const settled = this.trustedFor >= 3 && !this.probation;
    if (this.preparedFor) {
      if (++this.preparedFor > 10) {
        filters.keep();
        this.preparedFor = 0;
      }
    } else if (settled && remembered < TRUSTED) {
      filters.prepare(this.box!);
      this.preparedFor = 1;
    }
    if (this.trustedFor % 10 === 0) filters.trust();
    return settled;
  }

  /** How well a place fits: the views and the trusted follower, each by what is usual of it. */
  #inspect(filters: Filters, box: Box, usual: number): Sight {
    return better(times(filters.remember(box), 1 / this.viewUsual), times(filters.recognize(box), 1 / usual));
  }

  /** Three places of a lattice over the frame, where the last three ended. */
  #scan(filters: Filters, frame: { width: number; height: number }, usual: number): Sight[] {
    const { width, height } = this.last;
    const step = 1.2 * Math.sqrt(width * height);
    const columns = Math.ceil(frame.width / step);
    const rows = Math.ceil(frame.height / step);
    return Array.from({ length: 3 }, () => {
      const at = this.scanned++ % (columns * rows);
      const x = ((at % columns) + 0.5) * (frame.width / columns) - width / 2;
      const y = (Math.floor(at / columns) + 0.5) * (frame.height / rows) - height / 2;
      const sight = times(filters.recognize({ x, y, width, height }), 1 / usual);
      return sight.value > 0.35 ? this.#inspect(filters, sight.box, usual) : sight;
    }).filter(({ value }) => value > 0);
  }

  #propose(
    filters: Filters,
    frame: { width: number; height: number },
    detections: readonly Found[],
    followed: Box | null,
    usual: number,
  ): Sight | null {
    const elsewhere = groups(detections, -1)
      .filter((group) => !followed || overlap(group, followed) < 0.5)
      .filter(({ width, height }) => {
        const size = Math.sqrt((width * height) / (this.last.width * this.last.height));
        return size <= 2 && size >= 1 / 2;
      })
      .sort((a, b) => b.relative - a.relative)
      .slice(0, 3);
    const sights = this.chain ? [] : this.#scan(filters, frame, usual);
    for (const { x, y, width, height } of elsewhere) {
      const sight = this.#inspect(filters, { x, y, width, height }, usual);
      sights.push(sight.value > 0.35 ? better(sight, this.#inspect(filters, sight.box, usual)) : sight);
    }
    const best = sights.reduce<Sight | null>((a, b) => (a && a.value >= b.value ? a : b), null);
    return best && { ...best, box: bounded(best.box, frame) };
  }
}
