/** From the automatic result and a list of corrections to the measures, by the engine; the last list counts. */
import {
  correctedMask,
  correctedOptions,
  type Engine,
  type KindCorrection,
  retinalMeasures,
  type OpticDiscResult,
  type RetinalMeasures,
  type Source,
  type VesselCorrection,
} from '../../../src/index.ts';
import { changed } from '../changed.ts';
import type { VesselFrame } from '../tracker.ts';

export type CorrectingEngine = Pick<Engine, 'vesselMeasures' | 'opticDisc'>;

export interface Corrected {
  readonly frame: VesselFrame;
  readonly retina: RetinalMeasures;
  /** Of each segment, where a person or the colors say it: of those that pass the zone around the disc. */
  readonly kinds: readonly (KindCorrection['kind'] | null)[];
}

export class Measuring {
  readonly automatic: VesselFrame;
  readonly #picture: Source;
  readonly #engine: CorrectingEngine;
  #found: Promise<OpticDiscResult> | null = null;
  /** Of the last strokes: measured once. */
  #last: { strokes: string; made: Promise<{ frame: VesselFrame; found: OpticDiscResult }> } | null = null;
  #run: AbortController | null = null;

  constructor(automatic: VesselFrame, picture: Source, engine: CorrectingEngine) {
    this.automatic = automatic;
    this.#picture = picture;
    this.#engine = engine;
  }

  /** The mask, with nothing measured of it yet. */
  preview(corrections: readonly VesselCorrection[]): Pick<VesselFrame, 'mask' | 'fraction'> {
    const { mask, fraction } = correctedMask(this.automatic, corrections);
    return { mask, fraction };
  }

  /** Rejects with 'aborted' where another list came. */
  async measure(corrections: readonly VesselCorrection[], micrometresPerPixel: number): Promise<Corrected> {
    const strokes = corrections.filter((one) => 'width' in one);
    const key = JSON.stringify(strokes);
    if (this.#last?.strokes !== key) {
      this.cancel();
      const run = (this.#run = new AbortController());
      const made = this.#measured(strokes, run.signal);
      const last = (this.#last = { strokes: key, made });
      made.catch(() => this.#last === last && (this.#last = null));
    }
    const { frame, found } = await this.#last!.made;
    const options = correctedOptions(found, corrections, frame.segments!);
    const retina = retinalMeasures(frame, { ...options, micrometresPerPixel });
    const kinds: (KindCorrection['kind'] | null)[] = [...options.corrected!];
    for (const { segment, kind } of retina.zone?.vessels ?? []) kinds[segment] ??= kind;
    return { frame, retina, kinds };
  }

  cancel(): void {
    this.#run?.abort();
    this.#run = this.#last = null;
  }

  async #measured(strokes: readonly VesselCorrection[], signal: AbortSignal) {
    const { automatic } = this;
    // Of the automatic result, and not cancelled with what is measured of one list: all others need it as well.
    this.#found ??= this.#engine.opticDisc(this.#picture, { segments: automatic.segments! });
    this.#found.catch(() => (this.#found = null));
    const found = await this.#found;
    if (!strokes.length) return { frame: automatic, found };
    const { mask, byHand, fraction } = correctedMask(automatic, strokes);
    const {
      side: _,
      scale: __,
      ...measures
    } = await this.#engine.vesselMeasures(this.#picture, mask, { byHand, signal });
    const frame = changed(automatic, { mask, fraction, ...measures });
    const { depths } = await this.#engine.opticDisc(this.#picture, { segments: frame.segments, signal });
    return { frame, found: { ...found, depths } };
  }
}
