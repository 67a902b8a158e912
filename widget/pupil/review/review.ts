/**
 * Reviews an analyzed recording: steps through the frames to check, and corrects outlines, blinks and spans. The list of
 * corrections is the only state. Rows, chart, timeline and exports are computed from it. Loaded when the user reviews.
 */
import type { Ellipse, EyeEvent, PupilCorrection, PupilResult, Recording } from '../../../src/index.ts';
import { checkPupilCorrections, correctPupils, qualityLimits } from '../../../src/index.ts';
import { correctedResult, ellipseIn, isOpenQuestion, rowOf } from '../../../src/internal.ts';
import { html } from 'lit';
import type { ElementParts } from '../../base/element-parts.ts';
import type { Part } from '../../base/host.ts';
import type { Rendered } from '../../base/kind.ts';
import type { View } from '../../base/overlay.ts';
import { inLanguage } from '../../tools/words.ts';
import type { Chart } from '../../tools/chart/chart.ts';
import { Markers } from '../markers/markers.ts';
import { refill, shares } from './follow.ts';
import { OutlineTool } from './outline-tool.ts';
import { type ReviewButton, reviewPanel, reviewStyle, type ReviewWords, reviewWords } from './views.ts';

export interface ReviewHost {
  readonly parts: ElementParts<PupilResult>;
  readonly charts: () => readonly Chart[];
  /** An analyzed recording is open. */
  readonly possible: () => boolean;
}

/** Pupils with less confidence must be checked. */
const { confidence: minConfidence } = qualityLimits;

type List = readonly PupilCorrection[];
type Span = 'exclude' | 'blink';

export class Review implements Part<PupilResult> {
  readonly #host: ReviewHost;
  readonly #tool: OutlineTool;
  /** Markers and averages. Loaded with the review, since both are of an analyzed recording. */
  readonly markers: Markers;
  #list: List = [];
  /** Corrections for the next analysis, and the hash of their recording. */
  #pending: { list: List; of: string | null } | null = null;
  /** The corrected recording. Null while none is open. */
  #recording: Recording | null = null;
  /** Rows to check. */
  #questions: readonly number[] = [];
  /** The result of the displayed frame. Null: not known. */
  #shown: PupilResult | null = null;
  #pupil = 0;
  #span: { action: Span; timestamp: number } | null = null;
  #open = false;

  constructor(host: ReviewHost) {
    this.#host = host;
    this.#tool = new OutlineTool({
      changed: (ellipse, last) => last && this.#draw(ellipse),
      describe: ({ x, y, major, minor }) => {
        const { number } = host.parts.strings;
        return this.#words.shape(number(x, 1), number(y, 1), number(major, 1), number(minor, 1));
      },
      leave: () => host.parts.host.focusStage(),
      remove: () => this.#exclude(),
    });
    this.markers = new Markers(host.parts, host.charts);
    host.parts.host.addStyle(reviewStyle);
    host.parts.host.add(this);
    host.parts.picture.moved(); // reports the position of the image
    this.analysisEnded();
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#tool.element;
  }

  get list(): List {
    return this.#pending?.list ?? this.#list;
  }

  get open(): boolean {
    return this.#open && this.#host.possible();
  }

  /**
   * Replaces all corrections, with undo, at once or after the next analysis. `of`: hash of their recording, if known.
   * @throws {FoveolaError} 'invalid-argument'
   */
  async take(given: unknown, of: string | null): Promise<void> {
    this.#pending = { list: checkPupilCorrections(given), of };
    if (this.#host.possible()) await this.#takePending();
  }

  toggle(): void {
    this.#open = !this.open;
    this.#span = null;
    this.#host.parts.host.focusStage();
    this.#update();
  }

  /** A stored result with its corrections. */
  settled(result: PupilResult): PupilResult {
    return this.#recording && this.#list.length ? correctedResult(result, this.#recording) : result;
  }

  analysis(): void {
    this.#recording = null;
  }

  analysisEnded(): void {
    if (!this.#host.possible()) return;
    this.#shown = this.#host.parts.picture.result;
    this.#apply();
    if (this.#pending) this.#host.parts.actions.attempt('Correcting', () => this.#takePending());
  }

  present(result: PupilResult): void {
    this.#shown = result;
    if (this.open) this.#update();
  }

  recalled(result: PupilResult): void {
    this.present(result);
  }

  forgetFrame(): void {
    this.#shown = null;
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#tool.look(view, overlay);
  }

  closing(): void {
    this.#list = [];
    this.#recording = this.#shown = this.#span = null;
    this.#open = false;
    this.#pupil = 0;
  }

  updated(): void {
    this.#place();
  }

  left(): void {
    this.#tool.show(false, null, 0, 0);
  }

  onKey(event: KeyboardEvent): boolean {
    if (!this.open) return this.markers.onKey(event);
    if (event.key === 'Escape') return this.#escape();
    const keys: Record<string, () => void> = {
      n: () => this.#next(event.shiftKey ? -1 : 1),
      d: () => this.#focusOutline(),
      x: () => this.#mark('exclude'),
      b: () => this.#mark('blink'),
      e: () => this.#otherEye(),
      '.': () => this.#step(1),
      ',': () => this.#step(-1),
      arrowright: () => this.#step(1),
      arrowleft: () => this.#step(-1),
      delete: () => this.#exclude(),
      backspace: () => this.#exclude(),
    };
    const act = keys[event.key.toLowerCase()];
    act?.();
    return act !== undefined || this.markers.onKey(event);
  }

  render(): Rendered {
    const { parts } = this.#host;
    if (!this.open || !this.#recording) return this.markers.render();
    const w = this.#words;
    const row = this.#row;
    const frame = row < 0 ? NaN : Number(this.#recording.at(row, this.#column('frame')));
    const corrected =
      row >= 0 && this.#list.length > 0 && this.#recording.cell(row, this.#column('corrected')) !== null;
    const { length } = this.#questions;
    const status = [
      ...(row < 0 ? [] : [w.at(frame + 1, parts.recorder.header.frames)]),
      length ? w.open(length) : w.none,
      ...(this.#list.length ? [w.count(this.#list.length)] : []),
      ...(corrected ? [w.corrected] : []),
    ];
    const { direction } = parts.strings;
    const hint = this.#span ? w.span : w.hint;
    const panel = reviewPanel({
      ...{ words: w, direction, status, hint, buttons: this.#buttons(w, row), close: () => this.toggle() },
    });
    return html`${panel}${this.markers.render()}`;
  }

  #buttons(w: ReviewWords, row: number): ReviewButton[] {
    const { settings, strings } = this.#host.parts;
    const { canUndo, canRedo } = settings.history;
    const control = strings.keys.control;
    const off = row < 0;
    const from = this.#span?.action;
    const none = !this.#questions.length;
    const blink = this.#lid(row) ? w.noBlink : from === 'blink' ? w.blinkTo : w.blink;
    const span = (action: Span) => ({ off, pressed: from === action, act: () => this.#mark(action) });
    return [
      { word: w.previous, key: '⇧N', off: none, act: () => this.#next(-1) },
      { word: w.next, key: 'N', off: none, act: () => this.#next(1) },
      { word: w.outline, key: 'D', off, act: () => this.#focusOutline() },
      { word: from === 'exclude' ? w.excludeTo : w.exclude, key: 'X', ...span('exclude') },
      { word: blink, key: 'B', ...span('blink') },
      ...(this.#eyes > 1 ? [{ word: w.eye, key: 'E', act: () => this.#otherEye() }] : []),
      { word: w.undo, key: `${control}+Z`, off: !canUndo, act: () => void settings.undo() },
      { word: w.redo, key: `${control}+Y`, off: !canRedo, act: () => void settings.redo() },
    ];
  }

  get #words(): ReviewWords {
    return inLanguage(reviewWords, this.#host.parts.strings);
  }

  get #eyes(): number {
    return this.#shown?.pupils.length ?? 1;
  }

  /** Row of the displayed frame and the chosen eye. -1 if it is not known. */
  get #row(): number {
    if (!this.#shown || !this.#recording || this.#host.parts.shown.phase === 'running') return -1;
    return rowOf(this.#recording, this.#pupil, this.#shown.timestamp);
  }

  #column(name: string): number {
    return this.#recording!.columns.findIndex((column) => column.name === name);
  }

  #at(row: number, name: string): number {
    return this.#recording!.at(row, this.#column(name));
  }

  #update(): void {
    this.#place();
    this.#host.parts.host.element.requestUpdate();
  }

  #place(): void {
    const { feed } = this.#host.parts;
    const row = this.open ? this.#row : -1;
    const ellipse = row < 0 ? null : ellipseIn(this.#recording!, row);
    this.#tool.show(row >= 0 && feed !== null, ellipse, feed?.width ?? 0, feed?.height ?? 0);
  }

  #say(text: string): void {
    this.#host.parts.state.announce(text);
  }

  // Moving

  async #go(row: number): Promise<void> {
    this.#pupil = this.#at(row, 'pupil');
    this.#host.parts.host.element.paused = true;
    // Slightly later: times are rounded, and an earlier time would show the previous frame.
    await this.#host.parts.player.seek(this.#at(row, 'mediaTime') + 0.5);
    this.#update();
    if (this.#row === row && ellipseIn(this.#recording!, row)) this.#tool.focus();
    else this.#host.parts.host.focusStage();
  }

  #show(row: number | undefined): void {
    if (row !== undefined) this.#host.parts.actions.attempt('This', () => this.#go(row));
  }

  #next(way: 1 | -1): void {
    const rows = this.#questions;
    const now = this.#row;
    if (!rows.length) this.#say(this.#words.none);
    else if (way > 0) this.#show(rows.find((row) => row > now) ?? rows[0]);
    else this.#show(rows.filter((row) => row < now).at(-1) ?? rows.at(-1));
  }

  #step(way: 1 | -1): void {
    const row = this.#row;
    const next = row + way * this.#eyes;
    if (row >= 0 && next >= 0 && next < this.#recording!.length) this.#show(next);
  }

  #otherEye(): void {
    this.#pupil = (this.#pupil + 1) % this.#eyes;
    this.#update();
  }

  // Correcting

  #draw(ellipse: Ellipse): void {
    const row = this.#row;
    if (row < 0) return;
    this.#edit({ action: 'outline', pupil: this.#pupil, timestamp: this.#at(row, 'timestamp'), ellipse });
  }

  /** Focuses the outline. A frame without one gets the outline of the nearest frame before it. */
  #focusOutline(): void {
    const row = this.#row;
    if (row < 0) return;
    if (!ellipseIn(this.#recording!, row)) {
      const { width, height } = this.#host.parts.feed!;
      const size = Math.min(width, height) / 3;
      let ellipse: Ellipse = { x: width / 2, y: height / 2, major: size, minor: size, angle: 0 };
      for (let before = row - 1; before >= 0; before--) {
        const found = this.#at(before, 'pupil') === this.#pupil && ellipseIn(this.#recording!, before);
        if (!found) continue;
        ellipse = found;
        break;
      }
      this.#draw(ellipse);
    }
    this.#tool.focus();
  }

  /** This frame has no pupil. */
  #exclude(): void {
    const row = this.#row;
    if (row < 0) return;
    const timestamp = this.#at(row, 'timestamp');
    this.#edit({ action: 'exclude', pupil: this.#pupil, from: timestamp, to: timestamp });
    this.#host.parts.host.focusStage();
  }

  #lid(row: number): EyeEvent | null {
    const event = row < 0 ? null : this.#recording!.events.at(this.#at(row, 'timestamp'), this.#pupil);
    return event?.kind === 'loss' ? null : event;
  }

  /** The first press is at one end of the span, the second one at the other. In a blink, removes it. */
  #mark(action: Span): void {
    const row = this.#row;
    if (row < 0) return;
    const timestamp = this.#at(row, 'timestamp');
    const pupil = this.#pupil;
    const span = this.#span?.action === action ? this.#span : null;
    this.#span = null;
    if (action === 'blink' && this.#lid(row)) this.#edit({ action: 'open', pupil, from: timestamp, to: timestamp });
    else if (span) {
      const [from, to] = [Math.min(span.timestamp, timestamp), Math.max(span.timestamp, timestamp)];
      this.#edit({ action, pupil, from, to });
    } else {
      this.#span = { action, timestamp };
      this.#say(this.#words.span);
    }
    this.#update();
  }

  #escape(): boolean {
    if (!this.#span) this.toggle();
    this.#span = null;
    this.#update();
    return true;
  }

  /** Nudges of one outline are one correction. */
  #edit(correction: PupilCorrection): void {
    const before = this.#list;
    const last = before.at(-1);
    const outline = correction.action === 'outline';
    const again =
      outline &&
      last?.action === 'outline' &&
      last.pupil === correction.pupil &&
      last.timestamp === correction.timestamp;
    const after = [...(again ? before.slice(0, -1) : before), correction];
    this.#change(after, outline ? `outline ${correction.pupil} ${correction.timestamp}` : null);
    this.#say(this.#words.done[correction.action]);
  }

  #change(after: List, key: string | null): void {
    const before = this.#list;
    this.#set(after);
    this.#host.parts.settings.remember({
      ...{ undo: () => this.#set(before), redo: () => this.#set(after), ofSource: true },
      ...(key !== null && { key }),
    });
  }

  #set(list: List): void {
    this.#list = list;
    if (!this.#host.possible()) return; // the next analysis uses the list
    this.#apply();
    this.#host.parts.host.emit('correction', { corrections: list });
  }

  async #takePending(): Promise<void> {
    const pending = this.#pending;
    const { parts } = this.#host;
    const { source } = await parts.recorder.wholeHeader();
    if (!pending || pending !== this.#pending) return;
    this.#pending = null;
    if (pending.of === null || source.sha256 === null || pending.of === source.sha256) this.#change(pending.list, null);
    else parts.host.store.set({ note: this.#words.another });
  }

  /** Rows, events, chart, timeline and summary follow the list. */
  #apply(): void {
    const { parts, charts } = this.#host;
    const { measured, header } = parts.recorder;
    if (!measured) return;
    const scale = Number(header.parameters.millimetresPerPixel) || null;
    const before = this.#recording;
    const recording = correctPupils(measured, this.#list, { millimetresPerPixel: scale });
    this.#recording = recording;
    parts.recorder.correct(this.#list.length ? { recording, corrections: this.#list } : null);
    const rows = Array.from({ length: recording.length }, (_, row) => row);
    this.#questions = rows.filter((row) => isOpenQuestion(recording, row, minConfidence));
    if (recording === measured && (!before || before === measured)) return this.#update();
    parts.host.tell('corrected', recording.events.all);
    charts().forEach((chart, pupil) => refill(chart, recording, pupil));
    const { analysed } = parts.shown;
    if (analysed) parts.host.store.set({ analysed: { ...analysed, ...shares(recording, minConfidence) } });
    this.#update();
  }
}
