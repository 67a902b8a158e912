/** The track of an analyzed recording: charts of position and speed, and what changes when a box is corrected. */
import { asFoveolaError, frames, objectColumns, type ObjectResult } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Samples } from '../tools/chart/model.ts';
import { ChartsController } from '../tools/charts.ts';
import { withTools } from '../tools/load.ts';
import { Motion, rowsOf, settled } from './motion.ts';
import type { Mark, TargetsController } from './targets.ts';
import type { Tracked } from './track-on.ts';

export class HistoryController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #targets: TargetsController;
  readonly charts: ChartsController<ObjectResult>;
  #motion = new Motion();
  /** States that were corrected after the analysis, by time and target. */
  readonly #corrected = new Map<number, Map<number, Tracked>>();
  /** A corrected target is being tracked on. */
  #running: AbortController | null = null;

  constructor(parts: ElementParts<ObjectResult>, targets: TargetsController) {
    this.#parts = parts;
    this.#targets = targets;
    parts.host.add(this);
    targets.selectedChanged = () => this.#chartAgain();
    targets.trackOn = (id, marks) => this.#trackOn(id, marks);
    this.charts = new ChartsController(parts, {
      boxes: () => {
        const { position, speed, none: lost } = parts.strings.track;
        return [
          { label: position, unit: 'px', lines: ['x', 'y'], lost },
          { label: speed, unit: 'px/s', lines: [speed], lost },
        ];
      },
      samples: ({ targets: all, timestamp }) => {
        const target = all.find(({ id }) => id === this.#charted);
        return this.#samples(this.#motion, target?.box ?? null, target?.confidence ?? NaN, timestamp);
      },
    });
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** A stored result with the states that were corrected since. */
  settled(result: ObjectResult): ObjectResult {
    return settled(result, this.#corrected.get(result.timestamp));
  }

  forget(): void {
    this.#motion = new Motion();
    this.#corrected.clear();
  }

  closing(): void {
    this.#running?.abort();
  }

  left(): void {
    this.closing();
  }

  #samples(motion: Motion, box: Tracked['box'], confidence: number, timestamp: number): Samples {
    return motion.next(box, timestamp).map((values) => [values, confidence]);
  }

  /** Target of the charts: the selected one, otherwise the first. */
  get #charted(): number {
    const { selected, last } = this.#targets;
    return selected ?? last?.targets[0]?.id ?? 1;
  }

  /** The charts show another target, or its rows have changed. */
  #chartAgain(): void {
    const { shown, recorder } = this.#parts;
    const { set } = this.charts;
    const { recording } = recorder;
    if (!set || !shown.analysed || !recording) return;
    const motion = new Motion();
    set.refill(() => {
      for (const { box, confidence, ...times } of rowsOf(recording, this.#charted))
        set.push(this.#samples(motion, box, confidence, times.timestamp), times);
    });
  }

  /** After an analysis, the target is tracked on from the box in both directions. */
  async #trackOn(id: number, marks: readonly Mark[]): Promise<void> {
    const parts = this.#parts;
    const { strings, state, shown, analysis, recorder, host } = parts;
    if (!shown.analysed || !analysis.possible || recorder.isOfAnother) return;
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    host.element.requestUpdate();
    try {
      const model = await this.#targets.exportModel(id);
      const asOurs = (error: unknown) => asFoveolaError(error, 'Tracking');
      const changed = () => this.#changed();
      const { signal } = running;
      const given = { parts, frames, asOurs, id, model, marks, corrected: this.#corrected, signal, changed };
      const count = await withTools((tools) => tools.correctTrack(given));
      if (count) state.announce(strings.track.trackedOn(count));
    } finally {
      if (this.#running === running) this.#running = null;
      host.element.requestUpdate();
    }
  }

  /** Rows were corrected: timeline, overlay, charts and summary follow. */
  #changed(): void {
    const { host, recorder, shown } = this.#parts;
    host.tell('corrected', []);
    this.#chartAgain();
    const { recording } = recorder;
    if (!recording || !shown.analysed) return;
    const at = (name: string) => objectColumns.findIndex((column) => column.name === name);
    const [frame, found] = [at('frame'), at('found')];
    const seen = new Set<number>();
    for (let row = 0; row < recording.length; row++) if (recording.at(row, found)) seen.add(recording.at(row, frame));
    host.store.set({ analysed: { ...shown.analysed, found: seen.size } });
  }
}
