/**
 * Saves recorded data. The name of its source is shown next to the buttons. If another source is displayed by then, a
 * question is shown first.
 */
import { download, fileName, type RecordedFile } from '../base/page.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, Rendered } from '../base/kind.ts';
import type { RecorderController } from './recorder-controller.ts';
import type { ToolsController } from '../tools/load.ts';

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

  #save({ extension, type, what, make, save }: RecordedFile, ofPicture: boolean): void {
    const recorder = this.#recorder;
    const name = ofPicture ? this.#host.shown.feed!.name : recorder.exportedName;
    this.#attempt(async () => {
      if (!ofPicture && (await save?.())) return;
      download(await (ofPicture ? recorder.ofPicture(make) : make()), fileName(name, extension, what), type);
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
