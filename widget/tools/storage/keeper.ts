/**
 * Saves the recordings of one element on the device while they run, and lists the saved ones. Loaded by elements with
 * `save-recordings`. Nothing is written before the user agrees, with the button of the note or through the page
 * (`save-recordings="agreed"`). The consent is recorded by the storage folder or database itself, which is deleted when
 * the user withdraws.
 */
import { type ExportFormat, type PupilExportOptions, type Recording, asFoveolaError } from '../../../src/index.ts';
import { liveNames, storageError, storages } from '../../../src/recordings/storages.ts';
import type { WriterParts } from '../../../src/recordings/opfs.ts';
import type { RecordingStorage } from '../../../src/recordings/opfs.ts';
import { fileName } from '../../base/page.ts';
import type { Host, Part } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import type { Recorder } from '../recorder.ts';
import type { StateController } from '../../base/state-controller.ts';
import { inLanguage, keptWords, type KeptWords } from '../words.ts';
import { Keeping, type KeptDetail, KeptRecording, saveParts } from './keeping.ts';
import { KeptPanel } from './kept-panel.ts';

/** Milliseconds between writes. Together with the time of a write this stays below the one second that may be lost. */
const writeEvery = 250;
const lookAgain = 2000;

/** Dependencies from the page. This file has its own copy of the library code that it needs. */
export interface PageParts extends WriterParts {
  /** Converts a FoveolaError of this file to the class of the page. */
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
  /** A recording that may have ended before this file was loaded. It is saved anyway. */
  #early: Recording | null = null;
  /** The recording that is being written, or the last one written. */
  #keeping: Keeping | null = null;
  #open = false;
  /** Recordings whose saving could not begin, or that were deleted while they ran. */
  readonly #unkept = new WeakSet<Recording>();
  #work: Promise<void> = Promise.resolve();
  #waiting = false;
  #wroteAt = -Infinity;
  /** Time at which files were found that another page was writing. That page may be about to finish. */
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

  /** The panel: the note, the list of saved recordings, and the buttons. */
  get panel(): HTMLElement | null {
    return this.#on ? this.#panel.element : null;
  }

  /** Lists the saved recordings, and saves new ones if the user has agreed. */
  async start(): Promise<void> {
    const { element } = this.#host;
    const began = !this.#on;
    this.#on = true;
    this.#timer ||= window.setInterval(this.#due, writeEvery);
    const kept = await Promise.all(this.#storages.map((storage) => storage.exists()));
    this.#agreed = element.saveRecordings === 'agreed' || kept.some(Boolean);
    if (began && this.#agreed) this.#early = this.#recorder.recording;
    await this.#changed();
    const broken = this.#recordings.filter(({ ended }) => !ended).length;
    if (began && broken) this.#state.announce(this.#words.recovered(broken));
    await this.flush();
  }

  /** Stops saving. Existing recordings stay. */
  async stop(): Promise<void> {
    this.#on = false;
    clearInterval(this.#timer);
    this.#timer = 0;
    await this.flush();
    this.#host.element.requestUpdate();
  }

  /** The user agrees to saving. */
  async keep(): Promise<void> {
    await this.#firstOf((storage) => storage.prepare());
    // Only requested on a click: some browsers then ask the user, who may not answer.
    navigator.storage?.persist?.().catch(() => false);
    this.#agreed = true;
    this.#show();
    await this.flush();
  }

  /** Deletes the saved recordings of every element, and saves none until the user agrees again. */
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

  /** Recordings of this kind of element, newest first. Empty unless the element saves recordings. */
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

  /** Writes the last recording to a file in pieces. Returns null if all of it is in memory, false if the user cancels. */
  async save(format: ExportFormat, options: object = {}): Promise<boolean | null> {
    if (!this.#recorder.recording?.first) return null;
    return saveParts(
      this.#export(format, options),
      fileName(this.#recorder.sourceName, format, '', this.#host.element),
      format,
    );
  }

  /** Writes the new data to the device. Resolves when it is stored. */
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
    // At this point the header still belongs to the recording that has just ended.
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
    if (!(performance.now() - this.#otherAt >= lookAgain)) return; // NaN: no such files were found
    this.#otherAt = NaN;
    this.#changed().catch((error) => this.#fail(error, 'The saved recordings'));
  };

  get #words(): KeptWords {
    return inLanguage(keptWords, this.#host.strings);
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
