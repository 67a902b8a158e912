/**
 * Keeps the recordings of one element on the device while they run, and offers those that were kept. Loaded by elements
 * with `keep-recordings`. Nothing is written before the person has agreed, by the button of the note or through the page
 * (`keep-recordings="agreed"`); that they have agreed is known by the place in the storage, which goes when they withdraw.
 */
import { asFoveolaError, type ExportFormat, type PupilExportOptions, type Recording } from '../../src/index.ts';
import { liveNames, storageError, storages } from '../../src/recordings/storages.ts';
import type { WriterParts } from '../../src/recordings/start-writer.ts';
import type { RecordingStorage } from '../../src/recordings/storage.ts';
import { fileName } from '../parts/download.ts';
import type { Host, Part } from '../parts/host.ts';
import type { AnyResult } from '../parts/kind.ts';
import type { Recorder } from '../parts/recorder.ts';
import type { StateController } from '../parts/state-controller.ts';
import { words as german } from './kept.de.ts';
import { words as english, type KeptWords } from './kept.en.ts';
import { Keeping } from './keeping.ts';
import { KeptPanel } from './kept-panel.ts';
import { type KeptDetail, KeptRecording, saveParts } from './kept-recording.ts';

/** Milliseconds from one write to the next: with the time that a write takes, less than the second that may be lost. */
const writeEvery = 250;
const lookAgain = 2000;
const languages: Readonly<Record<string, KeptWords>> = { en: english, de: german };

/** What this file, which brings a copy of the library's parts that it needs, has of the page's own. */
export interface PageParts extends WriterParts {
  /** A FoveolaError of this file as one of the page's. */
  asOurs: (error: unknown) => unknown;
}

export interface KeeperGiven<R extends AnyResult> {
  host: Host<R>;
  state: StateController<R>;
  recorder: Recorder;
  parts: PageParts;
}

export class Keeper<R extends AnyResult = AnyResult> implements Part<R> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #recorder: Recorder;
  readonly #parts: PageParts;
  readonly #storages: readonly RecordingStorage[];
  readonly #panel: KeptPanel<R>;
  #on = false;
  #agreed = false;
  #recordings: readonly KeptRecording[] = [];
  /** A recording that may have ended before this file was loaded: it is kept as if it had not. */
  #early: Recording | null = null;
  /** The recording that is written, or was last. */
  #keeping: Keeping | null = null;
  #open = false;
  /** It could not be begun, or was deleted while it ran. */
  readonly #unkept = new WeakSet<Recording>();
  #work: Promise<void> = Promise.resolve();
  #waiting = false;
  #wroteAt = -Infinity;
  /** When files were met that another page was writing: it may be about to end. */
  #otherAt = NaN;
  #timer = 0;

  constructor({ host, state, recorder, parts }: KeeperGiven<R>) {
    this.#host = host;
    this.#state = state;
    this.#recorder = recorder;
    this.#parts = parts;
    this.#storages = storages(parts);
    recorder.long = (format, options) => this.#export(format, options as PupilExportOptions);
    this.#panel = new KeptPanel(host, {
      keep: () => this.keep(),
      withdraw: () => this.withdraw(),
      failed: (error) => this.#fail(error, 'The saved recordings'),
    });
    host.add(this);
  }

  /** The note, what is kept, and its buttons. */
  get panel(): HTMLElement | null {
    return this.#on ? this.#panel.element : null;
  }

  /** Looks for what was kept, and keeps what is recorded from now on where that was agreed to. */
  async start(): Promise<void> {
    const { element } = this.#host;
    const began = !this.#on;
    this.#on = true;
    this.#timer ||= window.setInterval(this.#due, writeEvery);
    const kept = await Promise.all(this.#storages.map((storage) => storage.exists()));
    this.#agreed = element.keepRecordings === 'agreed' || kept.some(Boolean);
    if (began && this.#agreed) this.#early = this.#recorder.recording;
    await this.#changed();
    const broken = this.#recordings.filter(({ ended }) => !ended).length;
    if (began && broken) this.#state.announce(this.#words.recovered(broken));
    await this.flush();
  }

  /** Nothing is kept any more; what is there stays. */
  async stop(): Promise<void> {
    this.#on = false;
    clearInterval(this.#timer);
    this.#timer = 0;
    await this.flush();
    this.#host.element.requestUpdate();
  }

  /** The person has agreed. */
  async keep(): Promise<void> {
    await this.#firstOf((storage) => storage.prepare());
    // Asked for by a click, and not before: some browsers ask the person in turn, who may not answer.
    navigator.storage?.persist?.().catch(() => false);
    this.#agreed = true;
    this.#show();
    await this.flush();
  }

  /** Deletes what is kept, of every element, and keeps no more until that is agreed to again. */
  async withdraw(): Promise<void> {
    this.#agreed = false;
    if (this.#open) this.#unkept.add(this.#keeping!.recording);
    await this.flush();
    if (this.#keeping) this.#keeping.deleted = true;
    const live = await liveNames();
    for (const storage of this.#storages) {
      const files = await storage.files();
      for (const file of files) if (!live(file)) await storage.remove(file.name);
      if (!files.some(live)) await storage.forget();
    }
    await this.#changed();
    this.#state.announce(this.#words.deleted);
  }

  /** Those of this kind of element, the newest first; none while the element does not keep them. */
  async list(): Promise<readonly KeptRecording[]> {
    if (!this.#on) return [];
    const { element } = this.#host;
    const live = await liveNames();
    const found: KeptRecording[] = [];
    for (const storage of this.#storages)
      for (const file of await storage.files()) {
        if (!file.name.startsWith(`${element.localName}.`)) continue;
        if (live(file)) {
          if (!this.#open || file.name !== this.#keeping!.name) this.#otherAt = performance.now();
        } else
          found.push(
            new KeptRecording(
              file,
              storage,
              () => element.recordingKey,
              () => this.#removed(file.name),
            ),
          );
      }
    return (this.#recordings = found.sort((a, b) => b.started.getTime() - a.started.getTime()));
  }

  /** Writes the last recording into a file, piece by piece; false where it is in memory as a whole. */
  async save(format: ExportFormat, options: object = {}): Promise<boolean> {
    if (!this.#recorder.recording?.first) return false;
    const name = fileName(this.#recorder.sourceName, format);
    await saveParts(this.#export(format, options), name, format);
    return true;
  }

  /** Puts on the device what has come since the last time. Resolves when it is there. */
  flush(): Promise<void> {
    if (!this.#waiting) {
      this.#waiting = true;
      this.#work = this.#work.then(() => {
        this.#waiting = false;
        this.#wroteAt = performance.now();
        return this.#write();
      });
    }
    return this.#work;
  }

  present(): void {
    if (!this.#open || performance.now() - this.#wroteAt >= writeEvery) void this.flush();
  }

  updated(): void {
    this.#panel.language(this.#words, this.#host.strings.number);
  }

  hostConnected(): void {
    addEventListener('pagehide', this.#due);
    document.addEventListener('visibilitychange', this.#due);
    // The header is still that of the recording that has just been ended.
    this.#host.element.addEventListener('foveola-state', this.#due);
    if (this.#on) this.#timer ||= window.setInterval(this.#due, writeEvery);
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#due);
    document.removeEventListener('visibilitychange', this.#due);
    this.#host.element.removeEventListener('foveola-state', this.#due);
  }

  left(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    void this.flush();
  }

  readonly #due = () => {
    const keeping = this.#keeping;
    if (keeping?.recording === this.#recorder.recording && this.#open) keeping!.header = this.#recorder.header;
    if (this.#open || this.#recorder.active) void this.flush();
    if (!(performance.now() - this.#otherAt >= lookAgain)) return; // NaN: there were none
    this.#otherAt = NaN;
    this.#changed().catch((error) => this.#fail(error, 'The saved recordings'));
  };

  get #words(): KeptWords {
    return languages[this.#host.strings.language.toLowerCase().split('-')[0]!] ?? english;
  }

  async #write(): Promise<void> {
    const recorder = this.#recorder;
    const { recording } = recorder;
    const early = recording === this.#early;
    this.#early = null;
    const wanted = this.#on && this.#agreed && (recorder.active || early) ? recording : null;
    try {
      if (this.#open && this.#keeping!.recording !== wanted) await this.#end();
      if (!wanted || this.#unkept.has(wanted)) return;
      if (!this.#open) await this.#begin(wanted);
      const keeping = this.#keeping!;
      if (keeping.recording === recorder.recording) keeping.header = recorder.header;
      await keeping.write();
      if (!recorder.active) await this.#end();
    } catch (error) {
      this.#fail(error, 'Saving the recording');
      this.#show();
    }
  }

  async #begin(recording: Recording): Promise<void> {
    const { element } = this.#host;
    try {
      const { header } = this.#recorder;
      this.#keeping = await Keeping.begin(element.localName, recording, header, element.recordingKey, this.#storages);
      this.#open = true;
    } catch (error) {
      this.#unkept.add(recording);
      throw error;
    }
  }

  async #end(): Promise<void> {
    const keeping = this.#keeping!;
    this.#open = false;
    try {
      await keeping.write(true);
    } finally {
      await keeping.close(true);
      if (this.#on) await this.#changed();
    }
  }

  async *#export(format: ExportFormat, options: PupilExportOptions): AsyncGenerator<string> {
    yield* this.#keeping!.export(this.#recorder.wholeHeader(), format, options);
  }

  async #firstOf(work: (storage: RecordingStorage) => Promise<void>): Promise<void> {
    let refusal: unknown = null;
    for (const storage of this.#storages)
      try {
        return await work(storage);
      } catch (error) {
        refusal ??= error;
      }
    throw refusal;
  }

  async #removed(name: string): Promise<void> {
    if (this.#keeping?.name === name) this.#keeping.deleted = true;
    await this.#changed();
    this.#state.announce(this.#words.deleted);
  }

  async #changed(): Promise<void> {
    await this.list();
    this.#show();
    this.#host.emit<KeptDetail>('kept', { recordings: this.#recordings });
  }

  #show(): void {
    const recordings = this.#recordings;
    const { element } = this.#host;
    const keeping = this.#keeping;
    const unkept = this.#recorder.recording !== null && this.#unkept.has(this.#recorder.recording);
    this.#panel.show({
      agreed: this.#agreed,
      sealed: element.recordingKey !== null,
      refused: keeping?.refused ? 'full' : unkept && this.#recorder.active && this.#agreed ? 'failed' : null,
      recordings,
    });
    element.requestUpdate();
  }

  #fail(error: unknown, doing: string): void {
    this.#state.setShortfall(
      this.#parts.asOurs(asFoveolaError(storageError(error, doing), doing)) as ReturnType<typeof storageError>,
    );
  }
}
