/**
 * The iris that the second opinion measured, for a calibration: the median of the recording, or the iris in the open image.
 */
import { html, type TemplateResult } from 'lit';
import type { Laterality, PupilResult, Recording } from '../../src/index.ts';
import type { Feed } from '../base/feed.ts';
import { titleOf } from '../base/views.ts';
import type { PanelParts } from './region.ts';
import type { MeasuredIris } from './scale-origin.ts';

function median(list: number[]): number {
  const sorted = list.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function irisIn({ pupils }: PupilResult): MeasuredIris | null {
  const pupil = pupils.findIndex(({ irisDiameter }) => irisDiameter);
  if (pupil < 0) return null;
  const { irisDiameter: pixels, eye } = pupils[pupil]!;
  return { pixels: pixels!, frames: 1, pupil, eye };
}

export class IrisSource {
  readonly #parts: PanelParts;
  /** Rows that were searched for an iris. They are not searched again with each frame. */
  #searched: { readonly recording: Recording; next: number; any: boolean } | null = null;

  #last: { readonly feed: Feed | null; readonly iris: MeasuredIris | null } | null = null;

  constructor(parts: PanelParts) {
    this.#parts = parts;
  }

  /** The recording of the open source, with its column of irises. */
  get #recorded(): { recording: Recording; column: number } | null {
    const { recording, isOfAnother } = this.#parts.recorder;
    const column = recording?.columns.findIndex(({ name }) => name === 'irisDiameter') ?? -1;
    return recording && !isOfAnother && column >= 0 ? { recording, column } : null;
  }

  get #inRecording(): boolean {
    const { recording, column } = this.#recorded ?? {};
    if (!recording) return false;
    if (this.#searched?.recording !== recording) this.#searched = { recording, next: 0, any: false };
    const searched = this.#searched;
    searched.next = Math.max(searched.next, recording.first);
    while (!searched.any && searched.next < recording.length) searched.any = recording.at(searched.next++, column!) > 0;
    return searched.any;
  }

  /** Stays while the image is measured again, so that the button keeps the focus. */
  get #inImage(): MeasuredIris | null {
    const { picture, feed } = this.#parts;
    if (picture.result) this.#last = { feed, iris: irisIn(picture.result) };
    return this.#last?.feed === feed ? this.#last.iris : null;
  }

  /** The median of the eye whose iris is in most rows. Null if no iris was measured. */
  measure(): MeasuredIris | null {
    if (!this.#inRecording) return this.#inImage;
    const { recording, column } = this.#recorded!;
    const at = (name: string) => recording.columns.findIndex((one) => one.name === name);
    const [pupilColumn, eyeColumn] = [at('pupil'), at('eye')];
    const eyes = new Map<number, { eye: Laterality; irises: number[] }>();
    for (let row = recording.first; row < recording.length; row++) {
      const pixels = recording.at(row, column);
      if (!(pixels > 0)) continue;
      const pupil = recording.at(row, pupilColumn);
      if (!eyes.has(pupil)) eyes.set(pupil, { eye: recording.cell(row, eyeColumn) as Laterality, irises: [] });
      eyes.get(pupil)!.irises.push(pixels);
    }
    const [[pupil, { eye, irises }]] = [...eyes].sort(([, a], [, b]) => b.irises.length - a.irises.length) as [
      [number, { eye: Laterality; irises: number[] }],
    ];
    return { pixels: median(irises), frames: irises.length, pupil, eye };
  }

  /** The button, and the range between people or advice how an iris is measured. */
  render(use: () => void): TemplateResult {
    const { strings: s, settings, feed } = this.#parts;
    const { measured: words } = s.calibrations;
    const { method, secondOpinion } = settings.all;
    const asked = method === 'robust' && secondOpinion === 'always';
    const known = feed && (this.#inRecording || this.#inImage);
    const advice = known ? words.range : asked ? words.none : words.ask;
    return html`<button
        type="button"
        part="button"
        title=${titleOf(words.use, { disabled: !known && (feed ? advice : s.why.noSource) })}
        ?disabled=${!known}
        @click=${use}
      >
        ${words.use}
      </button>
      <p>${advice}</p>`;
  }
}
