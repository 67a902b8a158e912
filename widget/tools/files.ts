/** Files of an element: recordings saved on the device, batches of files, and exports. */
import type { PropertyValues } from 'lit';
import { type ExportFormat, FoveolaError, type FoveolaErrorCode, readImage, asFoveolaError } from '../../src/index.ts';
import { asOurs, loadPart, partPlace, shown } from '../../src/internal.ts';
import type { Keeper, PageParts } from './storage/keeper.ts';
import type { KeptRecording } from './storage/keeping.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, Rendered } from '../base/kind.ts';
import type { Recorder } from './recorder.ts';
import type { StateController } from '../base/state-controller.ts';
import type { Dropped } from './batch/sequence.ts';
import { loadVideoWriter } from '../base/feed.ts';
import type { FileResult, SeveralFiles, SeveralGiven } from './batch/several-files.ts';
import { download, fileName, type RecordedFile } from '../base/page.ts';
import type { RecorderController } from './recorder-controller.ts';
import type { ToolsController } from './load.ts';

// Connects the element to saved recordings on the device. The code for it is loaded only for elements with
// `save-recordings`.

/** Loads the code that saves recordings, with its dependencies from the page. */
async function loadKept() {
  const file = 'kept-recordings.js';
  const load = () => import('./storage/keeper.ts');
  const { Keeper } = await loadPart(file, load, 'save-recordings', 'omit save-recordings');
  const { trusted, integrity } = partPlace(file);
  const parts: PageParts = { trusted, pinned: integrity !== undefined, asOurs };
  return { Keeper, ...parts };
}

export class KeepController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #state: StateController<R>;
  readonly #recorder: Recorder;
  #loading: Promise<Keeper<R>> | null = null;
  #keeper: Keeper<R> | null = null;

  constructor(host: Host<R>, state: StateController<R>, recorder: Recorder) {
    this.#host = host;
    this.#state = state;
    this.#recorder = recorder;
    host.add(this);
  }

  /** The note, and the saved recordings. */
  get panel(): HTMLElement | null {
    return this.#keeper?.panel ?? null;
  }

  async list(): Promise<readonly KeptRecording[]> {
    return this.#host.element.saveRecordings === null ? [] : (await this.#load()).list();
  }

  /**
   * Writes the last recording in pieces, if it is not completely in memory. Returns null if it is, and false if the user
   * cancels.
   */
  async save(format: ExportFormat, options: object): Promise<boolean | null> {
    return this.#keeper?.save(format, { ...this.#host.exportOptions, ...options }) ?? null;
  }

  updated(changed: PropertyValues): void {
    if (!changed.has('saveRecordings')) return;
    if (this.#host.element.saveRecordings === null) void this.#keeper?.stop();
    else
      this.#load()
        .then((keeper) => keeper.start())
        .catch((error) => this.#state.setShortfall(asFoveolaError(error, 'save-recordings')));
  }

  left(): void {}

  async #load(): Promise<Keeper<R>> {
    const { element } = this.#host;
    if (!element.isConnected && !element.hasUpdated)
      throw new FoveolaError('source-not-ready', 'The element is not in a page. Append it to list recordings.');
    await element.updateComplete; // its list is inside
    this.#loading ??= loadKept().then(
      (parts) =>
        (this.#keeper = new parts.Keeper({
          ...{ host: this.#host, state: this.#state, recorder: this.#recorder, parts },
        }) as Keeper<R>),
    );
    this.#loading.catch(() => (this.#loading = null));
    return this.#loading;
  }
}

// Handles batches of files. The code for it is loaded only when several files are opened.

const loadSeveral = () =>
  loadPart('several-files.js', () => import('./batch/several-files.ts'), 'Several files at once', 'open one');

type Given<R extends AnyResult> = Omit<SeveralGiven<R>, 'asOurs' | 'sequence'>;

export class FilesController<R extends AnyResult> {
  readonly #given: Given<R>;
  #loading: Promise<SeveralFiles<R>> | null = null;
  #several: SeveralFiles<R> | null = null;

  constructor(given: Given<R>) {
    this.#given = given;
  }

  get #host(): Host<R> {
    return this.#given.host;
  }

  /** The list of files. */
  get panel(): HTMLElement | null {
    return this.#several?.panel ?? null;
  }

  async analyse(files: readonly Dropped[]): Promise<readonly FileResult[]> {
    return (await this.#load('analyseFiles', files)).run(files);
  }

  async openPictures(files: readonly Dropped[], rate: number): Promise<void> {
    if (typeof rate !== 'number' || !(rate >= 0.1 && rate <= 1000))
      throw new FoveolaError(
        'invalid-argument',
        `openPictures: the rate must be a number of 0.1 to 1000, not ${shown(rate)}.`,
      );
    return (await this.#load('openPictures', files)).openPictures(files, rate);
  }

  async #load(method: string, files: readonly Dropped[]): Promise<SeveralFiles<R>> {
    const { element } = this.#host;
    // Not every browser exposes the class of the entries that it returns.
    const isEntry = (one: unknown) => 'isDirectory' in Object(one);
    if (!Array.isArray(files) || !files.every((one) => one instanceof File || isEntry(one)))
      throw new FoveolaError('invalid-argument', `${method}: pass an array of files.`);
    if (!element.isConnected)
      throw new FoveolaError('source-not-ready', 'The element is not in a page. Append it first.');
    await element.updateComplete; // its list is inside
    const loading = (this.#loading ??= loadSeveral().then(
      ({ SeveralFiles: Several }) =>
        (this.#several = new Several<R>({
          ...this.#given,
          asOurs: (error) => asFoveolaError(error, 'This file'),
          sequence: {
            ...{ readImage, loadVideoWriter },
            error: (code: FoveolaErrorCode, message: string) => new FoveolaError(code, message),
          },
        })),
    ));
    loading.catch(() => (this.#loading = null));
    return loading;
  }
}

// Saves recorded data. The name of its source is shown next to the buttons. If another source is displayed by then,
// a question is shown first.

export class ExportController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #recorder: RecorderController<R>;
  readonly #tools: ToolsController<R>;
  readonly #attempt: (work: () => unknown) => void;

  /** `attempt` runs code that may fail, and shows the error. */
  constructor(
    host: Host<R>,
    recorder: RecorderController<R>,
    tools: ToolsController<R>,
    attempt: (work: () => unknown) => void,
  ) {
    this.#host = host;
    this.#recorder = recorder;
    this.#tools = tools;
    this.#attempt = attempt;
    host.add(this);
  }

  /** Called by a button. */
  start(file: RecordedFile): void {
    if (this.#recorder.isOfAnother) void this.#ask(file);
    else this.#save(file, false);
  }

  cancel(): void {
    this.#host.store.set({ asking: null });
    this.#host.focusStage();
  }

  closing(): void {
    this.#host.store.set({ asking: null });
  }

  left(): void {
    this.closing();
  }

  async #ask(file: RecordedFile): Promise<void> {
    this.#host.store.set({ asking: file });
    if (!(await this.#tools.load())) return this.cancel();
    await this.#host.element.updateComplete;
    this.#host.find('.ask button')?.focus();
  }

  #save({ extension, type, what, make, save, beside }: RecordedFile, ofPicture: boolean): void {
    const recorder = this.#recorder;
    const name = fileName(
      ofPicture ? this.#host.shown.feed!.name : recorder.exportedName,
      extension,
      what,
      this.#host.element,
    );
    const text = (of: () => string | Promise<string>) => (ofPicture ? recorder.ofPicture(of) : of());
    this.#attempt(async () => {
      const saved = ofPicture ? null : ((await save?.()) ?? null);
      if (saved === false) return;
      if (saved === null) download(await text(make), name, type);
      if (beside) download(await text(beside), `${name}.json`);
    });
  }

  /** The question. */
  render(): Rendered {
    const { strings, shown } = this.#host;
    const { asking: file, feed } = shown;
    const recorder = this.#recorder;
    const save = (ofPicture: boolean) => {
      this.cancel();
      this.#save(file!, ofPicture);
    };
    return this.#tools.show(feed && file, ({ exportQuestion }) =>
      exportQuestion(
        strings,
        { file: file!, recorded: recorder.exportedName, shown: feed!.name, picture: recorder.picture },
        { save, cancel: () => this.cancel() },
      ),
    );
  }
}
