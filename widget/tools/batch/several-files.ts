/**
 * Processes multiple files, one after the other. Each file is opened in the element and processed as if by hand: every
 * frame of a recording, an image once. If a file fails, the error is shown and the others continue. Loaded only when
 * needed.
 */
import type { FoveolaError } from '../../../src/index.ts';
import type { AnalysisController } from '../analysis-controller.ts';
import type { Feed } from '../../base/feed.ts';
import type { Host, Part } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import type { SettingsController } from '../settings-controller.ts';
import type { SourceController } from '../../base/source-controller.ts';
import type { StateController } from '../../base/state-controller.ts';
import { FileList, type Item } from './file-list.ts';
import { type Dropped, gather, type Gathered, isPicture, recordingOf, type SequenceGiven } from './sequence.ts';

export interface SeveralGiven<R extends AnyResult> {
  host: Host<R>;
  state: StateController<R>;
  source: SourceController<R>;
  settings: SettingsController<R>;
  analysis: AnalysisController<R>;
  /** Converts any thrown value to an error class of the page's copy of the library. */
  asOurs(error: unknown): FoveolaError;
  sequence: SequenceGiven;
  /** Shows an error. */
  failed(error: FoveolaError): void;
}

/** Result of one file. */
export interface FileResult {
  readonly name: string;
  /** False: the file was cancelled, or `error` explains why its result is missing or incomplete. */
  readonly complete: boolean;
  readonly frames: number;
  /** Same content as `exportCsv()` and `exportJson()`. Null if there is nothing to export, as is `csvJson`. */
  readonly csv: Blob | null;
  readonly json: Blob | null;
  /** Describes the CSV, as `exportCsvJson()` does. */
  readonly csvJson: Blob | null;
  readonly error: FoveolaError | null;
}

interface Opening {
  resolve(): void;
  reject(error: unknown): void;
}

export class SeveralFiles<R extends AnyResult = AnyResult> implements Part<R> {
  readonly #given: SeveralGiven<R>;
  readonly list: FileList<R>;
  #items: Item[] = [];
  #working: Item | null = null;
  #opening: Opening | null = null;
  #begun = false;
  #cancelled = false;
  #shown = false;
  #run: Promise<unknown> = Promise.resolve();
  #writing: AbortController | null = null;

  constructor(given: SeveralGiven<R>) {
    this.#given = given;
    this.list = new FileList(given.host, {
      cancel: () => this.cancel(),
      close: () => this.#show(false),
      show: ({ file }) => given.source.open(file),
      join: (rate) => void this.#join(this.#items, rate).catch((error: unknown) => this.#failed(error)),
    });
    given.host.add(this);
  }

  /** The list. Null while it is closed. */
  get panel(): HTMLElement | null {
    return this.#shown ? this.list.element : null;
  }

  /** Cancels the current batch, then processes these files. Never rejects: failures are shown per file. */
  async run(dropped: readonly Dropped[]): Promise<readonly FileResult[]> {
    this.cancel();
    const before = this.#run;
    const run = before.then(() => this.#all(dropped));
    this.#run = run.catch(() => {});
    return run;
  }

  /** Cancels the current batch, then opens the images among these files as one recording. */
  async openPictures(dropped: readonly Dropped[], rate: number): Promise<void> {
    const { media } = await gather(dropped);
    await this.#join(media, rate);
  }

  async #join(media: readonly Gathered[], rate: number): Promise<void> {
    this.cancel();
    await this.#run;
    const writing = (this.#writing = new AbortController());
    const pictures = media.filter(isPicture);
    this.#items = [];
    this.#show(true);
    try {
      const report = (done: number) => this.list.reading(done, pictures.length);
      const file = await recordingOf(pictures, rate, this.#given.sequence, writing.signal, report);
      this.#show(false);
      await this.#open(file);
    } catch (error) {
      this.#show(false);
      throw this.#given.asOurs(error);
    } finally {
      this.#writing = null;
    }
  }

  #failed(error: unknown): void {
    const ours = this.#given.asOurs(error);
    if (ours.code !== 'aborted') this.#given.failed(ours);
  }

  cancel(): void {
    this.#writing?.abort();
    this.#cancelled = true;
    this.#given.analysis.cancel();
    this.#opening?.resolve();
    if (this.#working)
      for (const item of this.#items) if (item.state === 'waiting') this.#set(item, { state: 'cancelled' });
  }

  async #all(dropped: readonly Dropped[]): Promise<readonly FileResult[]> {
    const { host, state, settings } = this.#given;
    const found = await gather(dropped);
    if (found.settings) await settings.load(found.settings);
    const fresh = {
      state: 'waiting',
      part: null,
      frames: 0,
      csv: null,
      json: null,
      csvJson: null,
      error: null,
    } as const;
    const unnamed = host.element.exports === 'no-file-names';
    const items: Item[] = (this.#items = found.media.map((one, i) => ({
      ...{ ...one, ...fresh },
      ...(unnamed && { name: `file-${i + 1}` }),
    })));
    this.#cancelled = false;
    await host.kind.batched?.(null);
    this.list.show(items);
    this.#show(true);
    for (const item of items) {
      if (this.#cancelled) break;
      this.#working = item;
      this.#set(item, { state: 'working' });
      try {
        await this.#one(item);
      } catch (error) {
        this.#set(item, { error: this.#given.asOurs(error) });
      }
      this.#set(item, { part: null, state: item.error ? 'failed' : this.#cancelled ? 'cancelled' : 'done' });
    }
    this.#working = null;
    for (const item of items) if (item.state === 'waiting') item.state = 'cancelled';
    this.list.show(items);
    const [done, failed] = (['done', 'failed'] as const).map((one) => items.filter(({ state: s }) => s === one).length);
    const { words } = this.list;
    state.announce(
      items.length
        ? words.counted(done! + failed!, items.length) + (failed ? `, ${words.failed(failed)}` : '')
        : words.none,
    );
    host.element.requestUpdate();
    return items.map(({ name, state: how, frames, csv, json, csvJson, error }) => ({
      ...{ name, complete: how === 'done', frames, csv, json, csvJson, error },
    }));
  }

  async #one(item: Item): Promise<void> {
    const { host, analysis } = this.#given;
    const { element, kind } = host;
    await this.#open(item.file);
    if (this.#cancelled) return;
    if (analysis.possible) {
      const { frames, error } = (await element.analyse()) as { frames: number; error: FoveolaError | null };
      this.#set(item, { frames, error });
      if (!frames) return;
    } else if (!kind.notAnalysable) {
      element.record();
      await element.step();
      element.record();
    }
    const blob = (text: string, type = 'application/json') => new Blob([text], { type });
    this.#set(item, {
      csv: blob(await element.exportCsv(), 'text/csv'),
      json: blob(await element.exportJson()),
      csvJson: blob(await element.exportCsvJson()),
    });
    if (await kind.batched?.(item)) this.#set(item, { inTable: true });
  }

  /** Resolves when an image has its result, or when a recording can be analyzed. */
  #open(file: File): Promise<void> {
    const { source, host } = this.#given;
    return new Promise((resolve, reject) => {
      const end = (settle: (error?: unknown) => void) => (error?: unknown) => {
        this.#opening = null;
        settle(error);
      };
      this.#begun = false;
      this.#opening = { resolve: end(resolve as () => void), reject: end(reject) };
      host.element.source = null; // the same file may be opened again
      host.kind.nextFile?.();
      source.open(file);
    });
  }

  begin(feed: Feed): void {
    if (!this.#opening) return;
    this.#begun = true;
    if (feed.element instanceof HTMLVideoElement) this.#given.host.element.paused = true; // it is analyzed, not played
  }

  playback(): void {
    if (this.#begun && this.#given.analysis.possible) this.#opening?.resolve();
  }

  published(): void {
    if (this.#begun) this.#opening?.resolve();
  }

  failed(): void {
    // Wait until every listener has run: only then is the failure recorded.
    queueMicrotask(() => {
      const { failure } = this.#given.host.shown;
      if (failure) this.#opening?.reject(failure);
    });
  }

  /** Cancels the batch if the user opens something else meanwhile. */
  sourceChosen(source: unknown): void {
    if (this.#working && source && source !== this.#working.file) this.cancel();
  }

  updated(): void {
    const { progress } = this.#given.host.shown;
    if (this.#working && progress && progress.done !== this.#working.part)
      this.#set(this.#working, { part: progress.done });
    this.list.follow();
  }

  left(): void {
    this.cancel();
  }

  #show(shown: boolean): void {
    this.#shown = shown;
    this.#given.host.element.requestUpdate();
    if (!shown) this.#given.host.focusStage();
  }

  #set(item: Item, changes: Partial<Item>): void {
    Object.assign(item, changes);
    this.list.changed(item);
  }
}
