/** Connects the review of a recording to the element. Loads it when the user reviews, or the page sets corrections. */
import { nothing } from 'lit';
import type { PupilCorrection, PupilResult } from '../../../src/index.ts';
import { loadPart } from '../../../src/internal.ts';
import type { ElementParts } from '../../base/element-parts.ts';
import type { Rendered, Settings } from '../../base/kind.ts';
import { inField } from '../../base/page.ts';
import type { Chart } from '../../tools/chart/chart.ts';
import type { Review } from './review.ts';

/** Detail of the event `foveola-correction` of `<foveola-pupil>`. */
export interface PupilCorrectionDetail {
  corrections: readonly PupilCorrection[];
}

export class ReviewController {
  readonly #parts: ElementParts<PupilResult>;
  readonly #charts: () => readonly Chart[];
  /** Null until it has loaded. */
  loaded: Review | null = null;
  #loading: Promise<Review> | null = null;
  /** Corrections set before the review has loaded. */
  #given: readonly PupilCorrection[] = [];

  constructor(parts: ElementParts<PupilResult>, charts: () => readonly Chart[]) {
    this.#parts = parts;
    this.#charts = charts;
  }

  get list(): readonly PupilCorrection[] {
    return this.loaded?.list ?? this.#given;
  }

  /** Frameworks set properties that they do not use to undefined. An empty list needs no review. */
  set(list: unknown, of: unknown = null): void {
    const given = list ?? [];
    if (!this.loaded) this.#given = given as never;
    const empty = Array.isArray(given) && !given.length;
    if (!empty || this.#loading) this.run((review) => review.take(given, of as string | null));
  }

  /** Members of a settings file. */
  get file(): Settings {
    const { list } = this;
    return list.length ? { corrections: list, recording: this.#parts.recorder.header.source.sha256 } : {};
  }

  /** The layer over the image. */
  get layer(): unknown {
    return this.loaded?.layer ?? nothing;
  }

  settled(result: PupilResult): PupilResult {
    return this.loaded?.settled(result) ?? result;
  }

  render(): Rendered {
    return this.loaded?.render() ?? nothing;
  }

  onKey(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (inField(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (key !== 'v' && this.loaded) return this.loaded.onKey(event);
    if (!/^[vm]$/.test(key) || !this.possible || this.#parts.shown.recording) return false;
    this.run((review) => (key === 'v' ? review.toggle() : review.markers.mark()));
    return true;
  }

  get possible(): boolean {
    const { shown, recorder, player } = this.#parts;
    return !!shown.analysed && !shown.analysing && !recorder.isOfAnother && recorder.rows > 0 && player.video !== null;
  }

  /** Loads it first. */
  run(work: (review: Review) => unknown): void {
    this.#parts.actions.attempt('Correcting', async () => {
      this.#loading ??= loadPart(
        'pupil-review.js',
        () => import('./review.ts'),
        'Reviewing a recording',
        'do not correct',
      ).then(
        ({ Review }) =>
          (this.loaded = new Review({ parts: this.#parts, charts: this.#charts, possible: () => this.possible })),
      );
      this.#loading.catch(() => (this.#loading = null));
      await work(await this.#loading);
      this.#parts.host.element.requestUpdate();
    });
  }
}
