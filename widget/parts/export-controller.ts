/**
 * Saving what was recorded. The name of its source stands beside the buttons; where another source is shown by now, a question
 * comes first.
 */
import { html, nothing } from 'lit';
import { download, fileName, type RecordedFile } from './download.ts';
import type { Host } from './host.ts';
import type { AnyResult, Rendered } from './kind.ts';
import type { RecorderController } from './recorder-controller.ts';

export class ExportController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #recorder: RecorderController<R>;
  readonly #attempt: (work: () => unknown) => void;

  /** `attempt` runs what may fail, and shows that. */
  constructor(host: Host<R>, recorder: RecorderController<R>, attempt: (work: () => unknown) => void) {
    this.#host = host;
    this.#recorder = recorder;
    this.#attempt = attempt;
    host.add(this);
  }

  /** By a button. */
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
    await this.#host.element.updateComplete;
    this.#host.find('.ask button')?.focus();
  }

  #save({ extension, type, what, make, save }: RecordedFile, ofPicture: boolean): void {
    const recorder = this.#recorder;
    const name = ofPicture ? this.#host.shown.feed!.name : recorder.exportedName;
    this.#attempt(async () => {
      if (!ofPicture && (await save?.())) return;
      download(await (ofPicture ? recorder.ofPicture(make) : make()), fileName(name, extension, what), type);
    });
  }

  #answer(file: RecordedFile, ofPicture: boolean): void {
    this.cancel();
    this.#save(file, ofPicture);
  }

  /** The question. */
  render(): Rendered {
    const { strings: s, shown } = this.#host;
    const { asking, feed } = shown;
    if (!asking || !feed) return nothing;
    const recorded = this.#recorder.exportedName;
    const choice = (name: string, ofPicture: boolean) =>
      html`<button type="button" part="button" @click=${() => this.#answer(asking, ofPicture)}>
        ${s.exportOf(name)}
      </button>`;
    return html`<div class="ask" part="ask" role="alertdialog" aria-label=${s.askExport(recorded, feed.name)}>
      <p>${s.askExport(recorded, feed.name)}</p>
      ${choice(recorded, false)} ${asking.ofPicture && this.#recorder.picture ? choice(feed.name, true) : nothing}
      <button type="button" part="button" @click=${() => this.cancel()}>${s.cancel}</button>
    </div>`;
  }
}
