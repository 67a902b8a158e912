/**
 * Markers of a recording: imported times, marks by key, and the average of the diameter around them. They are markers of
 * the recording, so tables and events contain them. A new analysis of the same recording keeps them.
 */
import { asFoveolaError, type Marker, type PupilResult, type PupilSeries, type Recording } from '../../../src/index.ts';
import { nothing } from 'lit';
import type { ElementParts } from '../../base/element-parts.ts';
import type { Part } from '../../base/host.ts';
import type { Rendered } from '../../base/kind.ts';
import { smallText } from '../../base/requested-source.ts';
import { inLanguage } from '../../tools/words.ts';
import type { Chart } from '../../tools/chart/chart.ts';
import { epochsCsv, epochsJson, epochsOf, type Interval, type PupilEpochs, seriesOf, unitOf } from './averages.ts';
import { inMilliseconds, readMarkers } from './read-markers.ts';
import { markerPanel, markerStyle } from './views.ts';
import { type MarkerWords, markerWords } from './words.ts';

/** Maximum size of a file with times. */
const largest = 1 << 20;

export class Markers implements Part<PupilResult> {
  readonly #parts: ElementParts<PupilResult>;
  readonly #charts: () => readonly Chart[];
  #open = false;
  /** Set here, for the next analysis of this recording. */
  #own: readonly Marker[] = [];
  #count = 0;
  #label: string | null = null;
  #interval: Interval = { before: 500, after: 3000, length: 200, baseline: 'subtract' };
  #problem: string | null = null;
  #shown: PupilResult | null = null;
  #series: { of: Recording; rows: number; unit: string; series: PupilSeries[] } | null = null;

  constructor(parts: ElementParts<PupilResult>, charts: () => readonly Chart[]) {
    this.#parts = parts;
    this.#charts = charts;
    this.#shown = parts.picture.result;
    parts.host.addStyle(markerStyle);
    parts.host.add(this);
  }

  get open(): boolean {
    return this.#open && this.#recording !== null;
  }

  toggle(): void {
    this.#open = !this.open;
    this.#problem = null;
    this.#update();
  }

  /** Marks the displayed frame of a recording that is not running. Returns whether it could. */
  mark(): boolean {
    const { recording } = this.#parts.shown;
    if (!this.#recording || recording || !this.#shown) return false;
    const label = `M${++this.#count}`;
    this.#add([{ label, timestamp: this.#shown.timestamp }]);
    this.#say(this.#parts.strings.marked(label));
    return true;
  }

  async take(file: File): Promise<void> {
    const recording = this.#recording;
    if (!recording) return;
    try {
      const read = readMarkers(await smallText(file, largest));
      const [from, to, start] = this.#span(recording);
      const all = inMilliseconds(read, (to - start) / 1000).map(({ label, time }) => ({
        label,
        timestamp: start + time,
      }));
      const inside = all.filter(({ timestamp }) => timestamp >= from && timestamp <= to);
      this.#problem = inside.length ? null : this.#words.none;
      if (inside.length) this.#add(inside);
      if (inside.length) this.#say(this.#words.added(inside.length, all.length - inside.length));
    } catch (error) {
      this.#problem = asFoveolaError(error, 'Reading the markers').message;
    }
    this.#update();
  }

  analysisEnded(): void {
    const { recording } = this.#parts.recorder;
    const lost = this.#own.filter((marker) => !recording?.markers.includes(marker));
    if (recording && lost.length) this.#set(lost, []);
    this.#update();
  }

  present(result: PupilResult): void {
    this.#shown = result;
  }

  recalled(result: PupilResult): void {
    this.#shown = result;
  }

  forgetFrame(): void {
    this.#shown = null;
  }

  closing(): void {
    this.#open = false;
    this.#own = [];
    this.#count = 0;
    this.#label = this.#problem = this.#shown = this.#series = null;
  }

  left(): void {}

  onKey(event: KeyboardEvent): boolean {
    if (event.key.toLowerCase() === 'm') return this.mark();
    if (event.key !== 'Escape' || !this.open) return false;
    this.toggle();
    this.#parts.host.focusStage();
    return true;
  }

  render(): Rendered {
    const recording = this.#recording;
    if (!this.open || !recording) return nothing;
    const { strings } = this.#parts;
    const labels = new Map<string, number>();
    for (const { label } of recording.markers) labels.set(label, (labels.get(label) ?? 0) + 1);
    if (this.#label !== null && !labels.has(this.#label)) this.#label = null;
    return markerPanel(
      {
        ...{ words: this.#words, strings, count: recording.markers.length, labels: [...labels], label: this.#label },
        ...{ interval: this.#interval, epochs: this.#epochs(recording), problem: this.#problem },
        unit: unitOf(this.#interval, this.#unit),
        markable: this.#shown !== null && !this.#parts.shown.recording,
      },
      {
        file: (file) => void this.take(file),
        mark: () => void this.mark(),
        clear: () => this.#change([], recording.markers, this.#words.removed),
        save: () => this.#save(recording),
        close: () => this.toggle(),
        label: (label) => {
          this.#label = label;
          this.#update();
        },
        interval: (change) => {
          this.#interval = { ...this.#interval, ...change };
          this.#update();
        },
      },
    );
  }

  /** The rows to average. Null while they are still being measured, or belong to another source. */
  get #recording(): Recording | null {
    const { recorder, shown } = this.#parts;
    const { recording } = recorder;
    return recording?.length && !shown.analysing && !recorder.isOfAnother ? recording : null;
  }

  get #words(): MarkerWords {
    return inLanguage(markerWords, this.#parts.strings);
  }

  get #unit(): 'px' | 'mm' {
    return this.#charts()[0]?.unit === 'mm' ? 'mm' : 'px';
  }

  #chosen(recording: Recording): readonly Marker[] {
    const { markers } = recording;
    return this.#label === null ? markers : markers.filter(({ label }) => label === this.#label);
  }

  #epochs(recording: Recording): PupilEpochs[] {
    const unit = this.#unit;
    const { length: rows } = recording;
    const known = this.#series;
    if (!recording.markers.length) return [];
    if (known?.of !== recording || known.rows !== rows || known.unit !== unit)
      this.#series = { of: recording, rows, unit, series: seriesOf(recording, unit) };
    return epochsOf(this.#series!.series, this.#chosen(recording), this.#interval);
  }

  /** Times of the first and last row, and of the start of the recording, on the clock of the rows. */
  #span(recording: Recording): [from: number, to: number, start: number] {
    const at = (row: number, name: string) =>
      recording.at(
        row,
        recording.columns.findIndex((column) => column.name === name),
      );
    const { first, length } = recording;
    const [from, media] = [at(first, 'timestamp'), at(first, 'mediaTime')];
    return [
      from,
      at(length - 1, 'timestamp'),
      Number.isFinite(media) && this.#parts.player.video ? from - media : from,
    ];
  }

  #add(markers: readonly Marker[]): void {
    this.#change(markers, [], null);
  }

  /** Adds and removes markers, with undo. */
  #change(added: readonly Marker[], removed: readonly Marker[], said: string | null): void {
    const gone = [...removed];
    this.#set(added, gone);
    if (said) this.#say(said);
    this.#parts.settings.remember({
      ...{ undo: () => this.#set(gone, added), redo: () => this.#set(added, gone), ofSource: true },
    });
  }

  #set(added: readonly Marker[], removed: readonly Marker[]): void {
    const { recorder, host } = this.#parts;
    const lists = [...new Set([recorder.measured?.markers, recorder.recording?.markers])];
    for (const list of lists) {
      if (!list) continue;
      const rest = list.filter((marker) => !removed.includes(marker));
      list.splice(0, list.length, ...rest, ...added.filter((marker) => !rest.includes(marker)));
      list.sort((a, b) => a.timestamp - b.timestamp);
    }
    this.#own = [...this.#own.filter((marker) => !removed.includes(marker) && !added.includes(marker)), ...added];
    for (const { label, timestamp } of removed) host.tell('unmarked', label, timestamp);
    for (const { label, timestamp } of added) host.tell('marked', label, timestamp);
    this.#update();
  }

  #save(recording: Recording): void {
    const { exports, recorder, host } = this.#parts;
    const markers = this.#chosen(recording);
    const epochs = this.#epochs(recording);
    const [interval, unit] = [this.#interval, this.#unit];
    const { format } = host.exportOptions;
    const table = async () => ({ epochs, markers, interval, unit, header: await recorder.wholeHeader() });
    exports.start({
      ...{ what: 'epochs', extension: 'csv', type: 'text/csv' },
      make: async () => epochsCsv(await table(), format),
      ...(format !== 'comments' && { beside: async () => epochsJson(await table()) }),
    });
  }

  #say(text: string): void {
    this.#parts.state.announce(text);
  }

  #update(): void {
    this.#parts.host.element.requestUpdate();
  }
}
