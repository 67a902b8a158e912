/**
 * Compares the track with the user's ground truth: reads the file, scores an analyzed recording, shows and exports the
 * result.
 */
import { html, nothing } from 'lit';
import {
  boxFigures,
  type Box,
  FoveolaError,
  meanOverlap,
  objectColumns,
  type ObjectResult,
  readTruth,
  type Recording,
  scoreFrames,
  type TruthFormat,
  type BoxTruth,
} from '../../src/index.ts';
import { shown } from '../../src/internal.ts';
import type { AnalysisResult } from '../tools/analysis.ts';
import { saveFile } from '../base/page.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Rendered } from '../base/kind.ts';
import { smallText } from '../base/requested-source.ts';
import type { MenuItem } from '../base/toolbar.ts';
import { downloadIcon } from '../base/icons.ts';
import { button } from '../base/views.ts';

/** Fractions are 0 to 1, or NaN if the denominator is zero. */
export interface TruthScore {
  /** Detected format of the file. */
  readonly format: TruthFormat;
  readonly target: number;
  /** Number of frames in the file, and number of frames with a visible target. */
  readonly frames: number;
  readonly annotated: number;
  readonly meanOverlap: number;
  /** Fraction of the annotated frames with an overlap of at least 0.5. */
  readonly success: number;
  /** Precision, recall and F-score at an overlap of 0.25. */
  readonly precision: number;
  readonly recall: number;
  readonly f: number;
}

/** Maximum file size in bytes: seven hours at 30 frames per second. */
const LARGEST = 1 << 24;

const [frameAt, targetAt, xAt] = ['frame', 'target', 'x'].map((name) =>
  objectColumns.findIndex((column) => column.name === name),
) as [number, number, number];

/** Boxes of one target by frame. */
function track(recording: Recording, target: number): Map<unknown, Box[]> {
  const found = new Map<unknown, Box[]>();
  for (let row = 0; row < recording.length; row++) {
    if (recording.cell(row, targetAt) !== target) continue;
    const [x, y, width, height] = [0, 1, 2, 3].map((i) => recording.cell(row, xAt + i));
    if (typeof x !== 'number' || !Number.isFinite(x)) continue;
    found.set(recording.cell(row, frameAt), [{ x, y, width, height } as Box]);
  }
  return found;
}

export class TruthController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #selected: () => number | null;
  #truth: BoxTruth | null = null;
  /** Recording that was analyzed from its beginning, so its frames match the file. */
  #analysed: Recording | null = null;
  score: TruthScore | null = null;

  constructor(parts: ElementParts<ObjectResult>, selected: () => number | null) {
    this.#parts = parts;
    this.#selected = selected;
    parts.host.add(this);
  }

  /** @throws {FoveolaError} 'source-not-ready', 'invalid-argument' */
  load(text: string, format?: TruthFormat): void {
    const { feed, host, state } = this.#parts;
    if (!feed) throw new FoveolaError('source-not-ready', 'Open the recording before its ground truth.');
    if (typeof text !== 'string')
      throw new FoveolaError('invalid-argument', `loadTruth: pass the text of the file, not ${shown(text)}.`);
    this.#truth = readTruth(text, feed, format);
    this.#compare();
    if (!this.score) state.announce(this.#parts.strings.track.truthWaits(this.#truth.boxes.length));
    host.element.requestUpdate();
  }

  /** Loads a dropped file if it is a ground truth file. Returns whether it did. */
  takes(file: File): boolean {
    if (!/\.(txt|csv|gt)$/i.test(file.name)) return false;
    this.#read(file);
    return true;
  }

  export(): string {
    if (!this.score)
      throw new FoveolaError('source-not-ready', 'No score exists. Load a ground truth and analyze every frame.');
    return `${JSON.stringify({ source: this.#parts.feed?.name ?? '', ...this.score }, null, 2)}\n`;
  }

  analysis(step: 'begins' | AnalysisResult): void {
    this.#analysed = step === 'begins' ? null : this.#parts.recorder.recording;
    this.#compare();
  }

  closing(): void {
    this.#truth = this.#analysed = null;
    this.#compare();
  }

  left(): void {
    this.closing();
  }

  #compare(): void {
    const { recorder } = this.#parts;
    const recording = this.#analysed && recorder.recording === this.#analysed ? this.#analysed : null;
    const truth = this.#truth;
    this.score = null;
    if (!truth || !recording?.length) return;
    const ids = Array.from({ length: recording.length }, (_, row) => Number(recording.cell(row, targetAt)));
    const selected = this.#selected();
    const target = selected !== null && ids.includes(selected) ? selected : Math.min(...new Set(ids));
    const annotated = new Map(truth.boxes.map((box, frame) => [frame, box ? [box] : []]));
    const counts = scoreFrames(track(recording, target), annotated);
    const { recall, precision, f } = boxFigures(counts, 0.25);
    this.score = {
      ...{ format: truth.format, target, frames: truth.boxes.length, annotated: counts.overlaps.length },
      ...{ meanOverlap: meanOverlap(counts), success: boxFigures(counts, 0.5).recall, precision, recall, f },
    };
    this.#parts.state.announce(this.#text(this.score));
  }

  #text({ frames, meanOverlap: mean, success, precision, recall, f, format }: TruthScore): string {
    const { number, track: s } = this.#parts.strings;
    const percent = (share: number) => (Number.isNaN(share) ? '–' : `${number(100 * share, 1)} %`);
    return s.truthScore({
      ...{ frames, format: s.truthFormats[format], mean: number(mean, 3), f: number(f, 3) },
      ...{ success: percent(success), precision: percent(precision), recall: percent(recall) },
    });
  }

  #read(file: File): void {
    const { actions } = this.#parts;
    actions.attempt('Reading the ground truth', async () => this.load(await smallText(file, LARGEST)));
  }

  #choose(): void {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.txt,.csv,.gt,text/plain' });
    input.addEventListener('change', () => input.files?.[0] && this.#read(input.files[0]));
    input.click();
  }

  get menuItem(): MenuItem {
    const { strings: s, unready } = this.#parts;
    return { word: s.track.openTruth, act: () => this.#choose(), disabled: unready };
  }

  render(): Rendered {
    const { strings: s, host } = this.#parts;
    const truth = this.#truth;
    if (!truth) return nothing;
    const { score } = this;
    const save = () => saveFile(host, this.export(), 'score.json', 'application/json');
    return html`<div class="truth" part="truth">
      <span>${score ? this.#text(score) : s.track.truthWaits(truth.boxes.length)}</span>
      ${score ? button(downloadIcon, s.track.saveScore, save, { word: 'JSON', kind: 'file' }) : nothing}
    </div>`;
  }
}
