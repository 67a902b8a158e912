/**
 * Connects the element to saved recordings on the device. The code for it is loaded only for elements with
 * `keep-recordings`.
 */
import type { PropertyValues } from 'lit';
import { asFoveolaError, asOurs, FoveolaError, loadPart, partPlace } from '../../src/index.ts';
import type { Keeper, PageParts } from '../kept/keeper.ts';
import type { KeptRecording } from '../kept/kept-recording.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult } from '../base/kind.ts';
import type { Recorder } from './recorder.ts';
import type { StateController } from '../base/state-controller.ts';

/** Loads the code that saves recordings, with its dependencies from the page. */
async function loadKept() {
  const file = 'kept-recordings.js';
  const load = () => import('../kept/keeper.ts');
  const { Keeper } = await loadPart(file, load, 'keep-recordings', 'omit keep-recordings');
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
    return this.#host.element.keepRecordings === null ? [] : (await this.#load()).list();
  }

  /** Returns whether the last recording was written in pieces, since it is not completely in memory. */
  async save(format: 'csv' | 'json'): Promise<boolean> {
    return this.#keeper?.save(format, this.#host.kind.exportOptions?.()) ?? false;
  }

  updated(changed: PropertyValues): void {
    if (!changed.has('keepRecordings')) return;
    if (this.#host.element.keepRecordings === null) void this.#keeper?.stop();
    else
      this.#load()
        .then((keeper) => keeper.start())
        .catch((error) => this.#state.setShortfall(asFoveolaError(error, 'keep-recordings')));
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
