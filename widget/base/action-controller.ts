/** User actions on an element: toolbar buttons, keys, and files that are dropped, pasted or chosen. */
import { type CameraOptions, type CsvOptions, type ExportFormat, asFoveolaError } from '../../src/index.ts';
import type { AnalysisController } from '../tools/analysis-controller.ts';
import { saveFile, actionFor, type Action } from './page.ts';
import type { Dropped } from '../tools/batch/sequence.ts';
import type { ExportController, FilesController, KeepController } from '../tools/files.ts';
import type { Host } from './host.ts';
import type { PlayerController } from '../tools/player-controller.ts';
import type { AnyResult } from './kind.ts';
import type { RecorderController } from '../tools/recorder-controller.ts';
import type { SessionController } from './session-controller.ts';
import type { SettingsController } from '../tools/settings-controller.ts';
import type { SourceController } from './source-controller.ts';
import { loadedTools, type ToolsController } from '../tools/load.ts';
import type { MenuName, ToolbarActions } from './toolbar.ts';
import type { CameraActions } from './views.ts';

/** Pastes an image from the clipboard while the element has focus or the pointer is over it. */
const hasFocus = (element: HTMLElement) =>
  (element.getRootNode() as Document | ShadowRoot).activeElement === element || element.matches(':hover');

/** Returns a function that stops it. */
function pasteInto(element: HTMLElement, open: (file: File) => void): () => void {
  const onPaste = (event: ClipboardEvent) => {
    // A text field handles its own paste.
    const field = (event.composedPath()[0] as Element | undefined)?.closest?.('input, textarea, [contenteditable]');
    const file = event.clipboardData?.files[0];
    if (!file || field || event.defaultPrevented || !hasFocus(element)) return;
    event.preventDefault();
    open(file);
  };
  document.addEventListener('paste', onPaste);
  return () => document.removeEventListener('paste', onPaste);
}

/** Parts that user actions use. */
interface Reached<R extends AnyResult> {
  readonly settings: SettingsController<R>;
  readonly session: SessionController<R>;
  readonly source: SourceController<R>;
  readonly analysis: AnalysisController<R>;
  readonly recorder: RecorderController<R>;
  readonly keep: KeepController<R>;
  readonly player: PlayerController<R>;
  readonly files: FilesController<R>;
  readonly tools: ToolsController<R>;
  readonly exports: ExportController<R>;
}

export class ActionController<R extends AnyResult> {
  readonly #host: Host<R>;
  readonly #parts: Reached<R>;
  #stopPasting: (() => void) | null = null;

  constructor(host: Host<R>, parts: Reached<R>) {
    this.#host = host;
    this.#parts = parts;
    host.add(this);
  }

  /** Runs an action of the element's buttons and shows its errors. Methods that a page calls throw instead. */
  attempt(doing: string, work: () => unknown): void {
    const fail = (error: unknown) => this.#parts.session.onFailure(asFoveolaError(error, doing));
    try {
      Promise.resolve(work()).catch(fail); // starts in the handler itself, since browsers require a user gesture
    } catch (error) {
      fail(error);
    }
  }

  /** Runs an action of a button, a menu or a key. */
  readonly act = (action: Action): void => this.attempt('This', () => this.#act(action));

  readonly toolbar: ToolbarActions = {
    toggle: () => this.act('toggle'),
    file: () => this.#host.find<HTMLInputElement>('input.source-file')!.click(),
    camera: () => {
      const { element } = this.#host;
      if (this.#parts.source.camera.open) return element.stop();
      element.paused = false;
      void this.#parts.source.openCamera(element.camera ?? '');
    },
    settings: () => this.act('settings'),
    menu: (name) => void this.#showMenu(name),
  };

  /** Saves an export. A table has a JSON file next to it, unless it contains the metadata itself. */
  export(extension: ExportFormat, options: CsvOptions = {}): void {
    const { recorder, exports, keep } = this.#parts;
    const text = (format: ExportFormat) => () => recorder.text(format, options);
    const { format } = { ...this.#host.exportOptions, ...options };
    exports.start({
      ...{ extension, type: extension === 'json' ? 'application/json' : 'text/csv', make: text(extension) },
      ...(extension === 'csv' && format !== 'comments' && { beside: text('csv.json') }),
      ofPicture: true,
      save: () => keep.save(extension, options),
    });
  }

  async #showMenu(name: MenuName): Promise<void> {
    const { store, shown, element } = this.#host;
    if (shown.menu === name) return void store.set({ menu: null });
    store.set({ menu: name });
    if (!(await this.#parts.tools.load())) return void store.set({ menu: null });
    await element.updateComplete;
    loadedTools()!.openMenu(this.#host);
  }

  readonly camera: CameraActions = {
    device: (deviceId) => this.#camera({ deviceId }),
    size: (width, height) => this.#camera({ width, height }),
    rate: (frameRate) => frameRate && this.#camera({ frameRate }),
    mirror: (on) => (this.#host.element.mirror = on),
    flip: () => this.#camera('flip'),
  };

  #camera(change: CameraOptions | 'flip'): void {
    const { camera } = this.#parts.source;
    this.attempt('The camera', () => (change === 'flip' ? camera.flip() : camera.change(change)));
  }

  #act(action: Action): unknown {
    const { settings, session, analysis, recorder } = this.#parts;
    const { element, kind, shown } = this.#host;
    const { current } = session;
    // Both would move the same video.
    if (analysis.running && /^(toggle|step|back|record)$/.test(action)) return undefined;
    switch (action) {
      case 'analyse':
        if (analysis.running) return analysis.cancel();
        return analysis.possible ? element.analyse() : undefined;
      case 'toggle':
        if (!current?.moving || current.heldByPage) return undefined;
        return element.paused || !current.active ? element.start() : void (element.paused = true);
      case 'step':
        return current && element.step();
      case 'back':
        return this.#parts.player.back();
      case 'record':
        return current && element.record();
      case 'snapshot':
        return current && element.snapshot().then((png) => saveFile(this.#host, png, 'png'));
      case 'copy':
        return current && element.copySnapshot();
      case 'mark':
        return shown.recording && recorder.markByHand();
      case 'points':
        if ((kind.pointsShown?.() ?? null) !== null) kind.togglePoints?.();
        return undefined;
      case 'csv':
      case 'json':
        return this.export(action);
      case 'settings':
        return this.#showSettings(!element.settingsOpen);
      case 'undo':
        return settings.undo();
      case 'redo':
        return settings.redo();
      case 'help':
        return this.#showHelp(!shown.help);
      case 'escape':
        if (shown.asking) return this.#parts.exports.cancel();
        if (shown.help) return this.#showHelp(false);
        return analysis.running ? analysis.cancel() : this.#showSettings(false);
    }
  }

  async #showSettings(open: boolean): Promise<void> {
    const { element } = this.#host;
    if (!this.#parts.settings.table) return;
    element.settingsOpen = open;
    if (open) await this.#parts.tools.load();
    await element.updateComplete;
    // Moves the focus into the panel, or back to the control that opened it.
    this.#host.find(open ? '.panel select, .panel input' : '.stage')?.focus();
  }

  // The focus follows the open panel, and returns when it closes.
  async #showHelp(help: boolean): Promise<void> {
    this.#host.store.set({ help });
    if (help) await this.#parts.tools.load();
    await this.#host.element.updateComplete;
    this.#host.find(help ? '.help button' : '.stage')?.focus();
  }

  /** Keys in a toolbar need the tools. */
  readonly onFocus = (): void => {
    if (!loadedTools() && this.#host.element.controls) void this.#parts.tools.load();
  };

  readonly onKey = (event: KeyboardEvent): void => {
    const { element, kind, shown } = this.#host;
    if (!event.defaultPrevented && (loadedTools()?.moveInToolbar(event) || kind.onKey?.(event)))
      return event.preventDefault();
    const action = actionFor(event);
    if (
      !action ||
      (action === 'escape' && !(shown.help || shown.asking || element.settingsOpen || this.#parts.analysis.running))
    )
      return;
    if (action === 'settings' && !this.#parts.settings.table) return;
    event.preventDefault(); // otherwise the space bar would scroll the page
    if (action !== 'toggle' && event.repeat && action !== 'step' && action !== 'back') return;
    this.attempt('This', () => this.#act(action));
  };

  readonly onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.#host.store.set({ dropping: true });
  };

  readonly onLeave = (event: DragEvent): void => {
    if (!this.#host.element.renderRoot.contains(event.relatedTarget as Node | null))
      this.#host.store.set({ dropping: false });
  };

  readonly onDrop = (event: DragEvent): void => {
    // Item types are known only on drop. A folder has an entry.
    const dropped = [...(event.dataTransfer?.items ?? [])].flatMap((item) => {
      const entry = item.webkitGetAsEntry?.();
      return (entry?.isDirectory ? entry : item.getAsFile()) ?? [];
    });
    this.#host.store.set({ dropping: false });
    if (!dropped.length) return;
    event.preventDefault();
    this.#openFiles(dropped);
  };

  #openFiles(files: readonly Dropped[]): void {
    const [file] = files;
    if (files.length > 1 || !(file instanceof File))
      this.attempt('Opening the files', () => this.#parts.files.analyse(files));
    // Saved settings: repeats the analysis that they belong to.
    else if (/json$/i.test(file.type || file.name)) void this.#parts.settings.load(file);
    else if (!this.#host.kind.takesFile?.(file)) this.#openFile(file);
  }

  #openFile(file: File): void {
    this.#parts.analysis.chosen = file;
    void this.#parts.source.openFile(file);
  }

  readonly onFile = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = ''; // the same file may be chosen again
    if (files.length) this.#openFiles(files);
  };

  hostConnected(): void {
    this.#stopPasting ??= pasteInto(this.#host.element, (file) => this.#openFile(file));
  }

  hostDisconnected(): void {
    this.#stopPasting?.();
    this.#stopPasting = null;
  }

  updated(): void {
    loadedTools()?.oneStop(this.#host.element.shadowRoot);
  }

  left(): void {
    this.#host.store.set({ dropping: false, menu: null });
  }
}
