/**
 * What every element of the package shows and offers: stage with overlay, state, toolbar, keyboard, drag and drop,
 * recording and export. A subclass adds its tracker, its drawing and its readout.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import {
  asFoveolaError,
  type CameraOptions,
  type Column,
  FoveolaError,
  type FrameTiming,
  type Marker,
  type Recording,
} from '../../src/index.ts';
import { AnalysisElement } from './analysis-element.ts';
import type { AnalysisResult } from './analysis.ts';
import { controlsStyle } from './controls.style.ts';
import { download, fileName } from './download.ts';
import { elementStyle } from './element.style.ts';
import type { FoveolaEventMap, FoveolaListener } from './events.ts';
import { forcedStyle } from './forced.style.ts';
import { actionFor, type Action } from './keyboard.ts';
import { pasteInto } from './paste.ts';
import { imageFiles } from './picture-files.ts';
import { type Circumstances, Recorder } from './recorder.ts';
import { takeSnapshot } from './snapshot.ts';
import { errorPanel } from './problem.ts';
import { panelStyle } from './panel.style.ts';
import { shapeStyle } from './shape.style.ts';
import {
  cameraSettings,
  emptyStage,
  helpPanel,
  type KeyHelp,
  toolbar,
  type ToolbarActions,
  type ToolbarModel,
} from './views.ts';

// The interface of the same name, below, gives its listeners the events of the map, without a line of code.
/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-unused-vars */
export abstract class FoveolaElement<
  R extends { timestamp: number; dropped: number },
  Events extends FoveolaEventMap<R> = FoveolaEventMap<R>,
> extends AnalysisElement<R> {
  /* eslint-enable */
  static override styles = [elementStyle, controlsStyle, panelStyle, shapeStyle, forcedStyle];

  protected abstract readonly columns: readonly Column[];
  protected abstract rowsOf(result: R, timing: FrameTiming): number[][];
  /** Name of the whole for assistive technology. */
  protected abstract title_(): string;
  protected abstract renderReadout(): TemplateResult | typeof nothing;
  /** Layers over the picture, for instance a ShapeTool's element. */
  protected renderTools(): unknown {
    return nothing;
  }
  /** Buttons of the element's own in the toolbar, made by `button` of views.ts. */
  protected renderButtons(): TemplateResult | typeof nothing {
    return nothing;
  }
  /** A switch of the toolbar for border points; null where there are none. */
  protected get pointsShown(): boolean | null {
    return null;
  }

  /** Changes what the toolbar offers. */
  protected toolbarFor(model: ToolbarModel): ToolbarModel {
    return model;
  }
  /** Keys of the element's own, for the list of keys. */
  protected get ownKeys(): KeyHelp {
    return [];
  }
  /** Common keys that the element has no use for, by their names in the dictionary. */
  protected get unusedKeys(): readonly string[] {
    return [];
  }
  /** Does what a key of the element's own asks for; returns whether it was one. */
  protected onOwnKey(_event: KeyboardEvent): boolean {
    return false;
  }
  /** What the file picker offers. */
  protected get accept(): string {
    return `video/*,${imageFiles}`;
  }

  protected readonly recorder = new Recorder();
  @state() private dropping = false;
  @state() private help = false;
  #markers = 0;

  /** Starts a recording, or ends the one that runs. Returns whether one runs now. */
  record(): boolean {
    if (this.recordingNow) {
      this.endRecording();
      return false;
    }
    const feed = this.session?.feed;
    if (!feed || !this.capabilities)
      throw new FoveolaError('source-not-ready', 'There is nothing to record yet. Open a source first.');
    this.cancelAnalysis();
    this.recorder.start(this.columns, this.#circumstances());
    this.setRecording(true);
    this.announce(this.strings.recordingStarted);
    return true;
  }

  /** The last recording as CSV. */
  exportCsv(): Promise<string> {
    return this.recorder.csv();
  }

  /** The last recording as JSON. */
  exportJson(): Promise<string> {
    return this.recorder.json();
  }

  /** The picture with the overlay, as PNG. */
  async snapshot(): Promise<Blob> {
    if (!this.feed || !this.overlay)
      throw new FoveolaError('source-not-ready', 'There is no picture yet. Open a source first.');
    return takeSnapshot({ ...this.feed, element: this.shownPicture! }, this.overlay, this.mirror);
  }

  protected override parametersChanged(parameters: Record<string, unknown>): void {
    this.recorder.changed({ ...this.defaults, ...parameters }, this.now());
  }

  /**
   * Puts a marker (a stimulus, an event) into the recording that runs, and on the chart.
   * @param timestamp milliseconds on the clock of the results; default now
   * @returns the marker as it was recorded; null when no recording runs
   */
  mark(label: string, timestamp?: number): Marker | null {
    const at = timestamp ?? this.now();
    if (!Number.isFinite(at))
      throw new FoveolaError('invalid-argument', `mark: timestamp must be milliseconds, not ${String(timestamp)}.`);
    this.marked(String(label), at);
    return this.recorder.mark(String(label), at);
  }

  #analysed: Recording | null = null;

  protected override keepAnalysis(step: true | AnalysisResult): void {
    if (step === true) {
      this.recorder.start(this.columns, this.#circumstances());
      this.#analysed = this.recorder.recording;
    } else if (this.recorder.recording === this.#analysed) {
      const { error: _, frames: __, ...note } = step;
      this.recorder.analysis = note;
      this.recorder.stop();
      this.requestUpdate();
    }
  }

  #circumstances(): Circumstances {
    return {
      feed: this.feed!,
      capabilities: this.capabilities!,
      parameters: { ...this.defaults, ...this.parameters() },
      clock: this.session!.clock.describe(),
    };
  }

  protected endRecording(): void {
    if (!this.recordingNow) return;
    this.recorder.stop();
    this.setRecording(false);
    this.announce(this.strings.recordingStopped(this.recorder.rows));
  }

  /** For the chart: a marker was set, or taken back. */
  protected marked(_label: string, _timestamp: number): void {}
  protected unmarked(_label: string, _timestamp: number): void {}

  #markByHand(): void {
    const marker = this.mark(`M${++this.#markers}`)!;
    const { label, timestamp } = marker;
    this.announce(this.strings.marked(label));
    this.remember({
      undo: () => {
        this.#markers--;
        this.recorder.unmark(marker);
        this.unmarked(label, timestamp);
      },
      redo: () => {
        this.#markers++;
        this.recorder.remark(marker);
        this.marked(label, timestamp);
      },
    });
  }

  protected override present(result: R, timing: FrameTiming): void {
    if (this.recorder.active)
      this.recorder.add(this.rowsOf(result, timing), timing, this.session?.clock.describe() ?? '');
  }

  // Errors of the element's own buttons are shown like all others; methods that a page calls throw.
  #attempt(doing: string, work: () => unknown): void {
    const fail = (error: unknown) => this.onFailure(asFoveolaError(error, doing));
    try {
      Promise.resolve(work()).catch(fail); // starts in the handler itself: browsers ask for a user's gesture
    } catch (error) {
      fail(error);
    }
  }

  readonly #actions: ToolbarActions = {
    toggle: () => this.#attempt('Playing', () => this.act('toggle')),
    step: () => this.#attempt('Stepping', () => this.act('step')),
    analyse: () => this.#attempt('The analysis', () => this.act('analyse')),
    record: () => this.#attempt('Recording', () => this.act('record')),
    mark: () => this.act('mark'),
    snapshot: () => this.#attempt('The snapshot', () => this.act('snapshot')),
    points: () => this.act('points'),
    help: () => this.act('help'),
    csv: () => this.#attempt('The export', async () => this.save(await this.exportCsv(), 'csv', 'text/csv')),
    json: () => this.#attempt('The export', async () => this.save(await this.exportJson(), 'json', 'application/json')),
    file: () => this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')!.click(),
    camera: () => (this.cameraControl.open ? this.stop() : void this.openCamera()),
    settings: () => this.act('settings'),
  };

  protected override saveSettings(json: string): void {
    this.save(json, 'settings.json', 'application/json');
  }

  /** Hands a file named after the source to the browser's downloads. */
  protected save(content: string | Blob, extension: string, type?: string, what?: string): void {
    download(content, fileName(this.recorder.sourceName || this.feed?.name || '', extension, what), type);
  }

  protected act(action: Action): unknown {
    // Both would move the same video.
    if (this.analysing && (action === 'toggle' || action === 'step' || action === 'record')) return undefined;
    switch (action) {
      case 'analyse':
        if (this.analysing) return this.cancelAnalysis();
        return this.analysable ? this.analyse() : undefined;
      case 'toggle':
        if (!this.session?.moving || this.session.heldByPage) return undefined;
        return this.paused || !this.session.active ? this.start() : void (this.paused = true);
      case 'step':
        return this.session && this.step();
      case 'record':
        return this.session && this.record();
      case 'snapshot':
        return this.session && this.snapshot().then((png) => this.save(png, 'png'));
      case 'mark':
        return this.recordingNow && this.#markByHand();
      case 'points':
        if (this.pointsShown !== null) this.togglePoints();
        return undefined;
      case 'settings':
        return this.#showSettings(!this.settingsOpen);
      case 'undo':
        return this.undo();
      case 'redo':
        return this.redo();
      case 'help':
        return this.#showHelp(!this.help);
      case 'escape':
        if (this.help) return this.#showHelp(false);
        return this.analysing ? this.cancelAnalysis() : this.#showSettings(false);
    }
  }

  protected togglePoints(): void {}

  async #showSettings(open: boolean): Promise<void> {
    if (!this.table) return;
    this.settingsOpen = open;
    await this.updateComplete;
    // Into the panel, and back to where it was opened.
    const place = open ? '.panel select, .panel input' : '.stage';
    this.renderRoot.querySelector<HTMLElement>(place)?.focus();
  }

  // The focus goes where the eye goes, and back.
  async #showHelp(help: boolean): Promise<void> {
    this.help = help;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(help ? '.help button' : '.stage')?.focus();
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (!event.defaultPrevented && this.onOwnKey(event)) return event.preventDefault();
    const action = actionFor(event);
    if (!action || (action === 'escape' && !this.help && !this.settingsOpen && !this.analysing)) return;
    if (action === 'settings' && !this.table) return;
    event.preventDefault(); // the space bar would scroll the page
    if (action !== 'toggle' && event.repeat && action !== 'step') return;
    this.#attempt('This', () => this.act(action));
  };

  #stopPasting: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopPasting ??= pasteInto(this, (file) => this.open(file));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopPasting?.();
    this.#stopPasting = null;
  }

  readonly #onDrag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.dropping = true;
  };

  readonly #onLeave = (event: DragEvent) => {
    if (!this.renderRoot.contains(event.relatedTarget as Node | null)) this.dropping = false;
  };

  readonly #onDrop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    this.dropping = false;
    if (!file) return;
    event.preventDefault();
    this.open(file);
  };

  #onFile(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = ''; // the same file may be chosen again
    if (file) this.open(file);
  }

  #camera(change: CameraOptions | 'flip'): void {
    this.#attempt('The camera', () =>
      change === 'flip' ? this.cameraControl.flip() : this.cameraControl.change(change),
    );
  }

  protected override render(): TemplateResult {
    const { strings: s, feed, phase } = this;
    const external = feed?.external ?? false;
    const { element } = feed ?? {};
    if (element && !external) {
      element.classList.add('media');
      element.setAttribute('part', 'media');
      if (element instanceof HTMLImageElement) element.alt = '';
    }
    const shown = !feed && phase !== 'loading';
    // What the page puts into the slots has the page's own direction.
    const around = this.closest('[dir]')?.getAttribute('dir') ?? nothing;
    return html`<div
      class="base ${external && !this.slottedSource ? 'external' : ''}"
      part="base"
      role="group"
      lang=${s.language}
      dir=${s.direction}
      aria-label=${this.title_()}
      @keydown=${this.#onKey}
      @dragenter=${this.#onDrag}
      @dragover=${this.#onDrag}
      @dragleave=${this.#onLeave}
      @drop=${this.#onDrop}
    >
      <div
        class="stage ${this.mirror ? 'mirror' : ''} ${feed ? '' : 'none'}"
        part="stage"
        tabindex="0"
        role="group"
        aria-label=${s.stage}
      >
        ${element && !external ? element : nothing}
        <slot name="media" dir=${around}></slot>
        ${this.renderAnalysisPicture()}
        <canvas class="overlay" part="overlay" aria-hidden="true"></canvas>
        ${feed ? this.renderTools() : nothing}
        ${shown ? emptyStage(s, this.camera !== null, this.#actions.file, this.#actions.camera) : nothing}
        ${feed || phase === 'loading' ? this.#badges() : nothing}
        ${this.dropping ? html`<div class="drop">${s.drop}</div>` : nothing}
      </div>
      ${this.error ? html`<slot name="error" dir=${around}>${errorPanel(s, this.error)}</slot>` : nothing}
      ${this.renderProgress()} ${feed || phase === 'loading' ? this.renderReadout() : nothing}
      ${
        this.cameraControl.open && this.cameraControl.abilities && this.controls
          ? cameraSettings(s, this.cameraControl.abilities, this.mirror, {
              device: (deviceId) => this.#camera({ deviceId }),
              size: (width, height) => this.#camera({ width, height }),
              rate: (frameRate) => frameRate && this.#camera({ frameRate }),
              mirror: (on) => (this.mirror = on),
              flip: () => this.#camera('flip'),
            })
          : nothing
      }
      ${this.controls ? html`<slot name="controls" dir=${around}>${this.#toolbar()}</slot>` : nothing}
      ${this.renderPanel()} ${this.help ? helpPanel(s, this.#actions.help, this.ownKeys, this.unusedKeys) : nothing}
      <input type="file" accept=${this.accept} hidden tabindex="-1" aria-label=${s.file} @change=${this.#onFile} />
      <div class="visually-hidden" role="status" aria-live="polite">${this.announced}</div>
    </div>`;
  }

  #badges(): TemplateResult {
    const { strings: s, phase } = this;
    return html`<div class="badges">
      <span class="badge state ${phase === 'loading' ? 'spinner' : ''}" part="badge">${this.stateText()}</span>
      ${this.recordingNow ? html`<span class="badge rec" part="badge">${s.states.recording}</span>` : nothing}
    </div>`;
  }

  /** Why nothing can be done with the source; false where one is open. */
  protected get unready(): string | false {
    const { why } = this.strings;
    return !this.session && (this.phase === 'loading' ? why.loading : why.noSource);
  }

  /** Why the source cannot be played. */
  get #unplayable(): string | false {
    const { session, strings: s } = this;
    if (!session) return this.unready;
    if (this.analysing) return s.why.analysing;
    if (!session.moving) return s.why.noVideo;
    return session.heldByPage && s.why.pageVideo;
  }

  #toolbar(): TemplateResult {
    const { strings, unready } = this;
    return toolbar(
      this.toolbarFor({
        strings,
        playing: this.phase === 'running',
        noPlay: this.#unplayable,
        noStep: unready || (this.analysing !== null && strings.why.analysing),
        noMeasure: unready,
        analysing: this.analysable ? this.analysing !== null : null,
        recording: this.recordingNow,
        rows: this.recorder.rows,
        points: this.pointsShown,
        camera: this.cameraControl.open,
        settings: this.table ? this.settingsOpen : null,
        help: this.help,
      }),
      this.#actions,
      this.renderButtons(),
    );
  }
}

export interface FoveolaElement<
  R extends { timestamp: number; dropped: number },
  Events extends FoveolaEventMap<R> = FoveolaEventMap<R>,
> {
  addEventListener<K extends keyof Events & string>(
    type: K,
    listener: FoveolaListener<Events[K]>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof Events & string>(
    type: K,
    listener: FoveolaListener<Events[K]>,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}
