import '../base/clean-page.ts'; // before Lit
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import {
  flashesInSecond,
  FoveolaError,
  type Laterality,
  type Marker,
  type PlannedStep,
  type Protocol,
  type PupilResult,
  QualityMeter,
  readScreen,
  type RecordingQuality,
  type StimulusScreen,
  version,
  asFoveolaError,
} from '../../src/index.ts';
import { asOurs, loadPart, shown, wordsIn } from '../../src/internal.ts';
import { guard, type Refused, takeGiven } from '../base/given-values.ts';
import { aboutOf, type AboutProperties, download, fileName } from '../base/page.ts';
import type { KeptDetail } from '../tools/storage/keeping.ts';
import { elementStyle } from '../base/element.style.ts';
import type { ElementState, StateDetail } from '../base/kind.ts';
import type { FoveolaPupil } from '../pupil/pupil.component.ts';
import { stringsFor, type Strings } from '../strings/index.ts';
import { TestDialog } from './dialog.ts';
import type * as Panels from './panels/panels.ts';
import { protocolFrom, TestScreen } from './screen.ts';
import { Steady } from './steady.ts';
import { words as english, type TestWords } from './pupil-test.en.ts';
import { pupilTestStyle } from './pupil-test.style.ts';
import { TestJournal, testJson, type PupilTestResult } from './test-record.ts';
import { type Asked, preparation, sourceFault, type TestActions } from './views.ts';

export type PupilTestState = 'ready' | 'running' | 'paused' | 'done';
export type { PupilTestResult, TestSample, TestStep } from './test-record.ts';

export interface FoveolaPupilTestEventMap extends HTMLElementEventMap {
  'foveola-result': CustomEvent<PupilResult>;
  'foveola-test-state': CustomEvent<{ state: PupilTestState }>;
  'foveola-test-marker': CustomEvent<Marker>;
  'foveola-test-result': CustomEvent<PupilTestResult>;
  'foveola-kept': CustomEvent<KeptDetail>;
  'foveola-error': CustomEvent<FoveolaError>;
}

/** Milliseconds between two assessments of the image, and seconds that an assessment covers. */
const JUDGE_EVERY = 500;
const JUDGED = 3;

/**
 * Runs a pupil test. It shows a protocol (adapt, flash, pause, texts, tasks) on the screen while `<foveola-pupil>`
 * measures. It sets a marker at the visible onset of each step, and returns samples, markers and quality as one result.
 * Everything is computed in the page, and nothing is uploaded. For research use, not a medical device.
 *
 * @element foveola-pupil-test
 *
 * @attr {string} protocol - `light-reflex`, `swinging-flashlight`, `rest`, `cognitive-load`, `red-blue`, `unrest`,
 *   `dark-adaptation`, `near-response`, or a protocol as JSON.
 * @attr {string} screen - Description of the screen as JSON: luminance, wavelengths, field of view and lag.
 * @attr {string} src - URL of a video, as in `<foveola-pupil>`.
 * @attr {string} camera - Offers a camera: empty for any camera, `user`, `environment`, or a device id.
 * @attr {boolean} mirror - Shows the image mirrored.
 * @attr {'facing'|'mirrored'|'unknown'} view - Orientation of the person in the image, as in `<foveola-pupil>`. If it
 *   is not known, the element asks before a test of two eyes.
 * @attr {'left'|'right'|'unknown'} eye - In tests of one eye: the person's left or right eye.
 * @attr {string} method - Detector, as in `<foveola-pupil>`.
 * @attr {number} millimetres-per-pixel - Calibration. Without it diameters are in pixels.
 * @attr {'auto'|'gpu'|'wasm'} backend - Compute backend.
 * @attr {string} asset-base - Folder of the package's files, if they are not next to the script.
 * @attr {string} marker-keys - Keys that set a marker while the test runs, as in `1 2 3`.
 * @attr {boolean} allow-fast-flashes - Also runs protocols that flash more than three times per second.
 * @attr {boolean} no-fullscreen - Does not request fullscreen. The test then fills the window.
 * @attr {string} lang - Language of the interface (`en`, `de`).
 * @attr {'agreed'|''} save-recordings - Saves samples and markers on the device while a test runs, once the user has
 *   agreed.
 *
 * @attr {string} state - State: `ready`, `running`, `paused` or `done`.
 *
 * @prop {Protocol | string | null} protocol - A protocol, its JSON, or the name of a shipped protocol.
 * @prop {StimulusScreen | string | null} screen - Description of the screen, or its JSON.
 *
 * @fires {CustomEvent<PupilResult>} foveola-result - A frame was processed. Does not bubble.
 * @fires {CustomEvent<{ state: PupilTestState }>} foveola-test-state - The test has started, paused, resumed or ended.
 * @fires {CustomEvent<Marker>} foveola-test-marker - A marker was set, on the clock of the frames.
 * @fires {CustomEvent<PupilTestResult>} foveola-test-result - The test has ended. `complete` indicates whether it was
 *   finished.
 * @fires {CustomEvent<KeptDetail>} foveola-kept - The recordings saved on the device were listed or have changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed. The element also shows the error.
 *
 * @csspart base - The whole element.
 * @csspart panel - The panel before the test.
 * @csspart summary - The summary after the test.
 * @csspart screen - What the person sees during the test.
 * @csspart button - Every button.
 */
export class FoveolaPupilTest extends LitElement {
  static readonly version = version;
  static override styles = [elementStyle, pupilTestStyle];

  @property({ converter: (text) => text }) protocol: Protocol | string | null = 'light-reflex';
  @property({ converter: (text) => text }) screen: StimulusScreen | string | null = null;
  @property() src: string | null = null;
  @property() camera: string | null = null;
  @property({ type: Boolean, reflect: true }) mirror = false;
  @property() method: FoveolaPupil['method'] = null;
  @property() view: FoveolaPupil['view'] = null;
  @property() eye: FoveolaPupil['eye'] = null;
  @property({ type: Number, attribute: 'millimetres-per-pixel' }) millimetresPerPixel: number | null = null;
  @property() backend: 'auto' | 'gpu' | 'wasm' = 'auto';
  @property({ attribute: 'asset-base' }) assetBase: string | null = null;
  @property({ attribute: 'marker-keys' }) markerKeys = '';
  @property({ type: Boolean, attribute: 'allow-fast-flashes' }) allowFastFlashes = false;
  @property({ type: Boolean, attribute: 'no-fullscreen' }) noFullscreen = false;
  /** As in `<foveola-pupil>`: samples and markers of a test are saved on the device while it runs. */
  @property({ attribute: 'save-recordings' }) saveRecordings: string | null = null;
  /** Encrypts saved recordings. */
  @property({ attribute: false }) recordingKey: FoveolaPupil['recordingKey'] = null;
  /** As in `<foveola-pupil>`: the page around a frame receives the height of the document. */
  @property({ attribute: 'frame-height' }) frameHeight: string | null = null;
  /** As in `<foveola-pupil>`: the subject, for file names, tables and reports. */
  @property() subject: string | null = null;
  /** Session of a study, like `subject`. */
  @property() session: string | null = null;
  /** Trial of a study, like `subject`. */
  @property() trial: string | null = null;
  /** A note for tables and reports. */
  @property() note: string | null = null;
  /** Any source of the API, or a MediaStream. Takes precedence over `src` and `camera`. */
  @property({ attribute: false }) source: FoveolaPupil['source'] = null;
  @property({ reflect: true }) state: PupilTestState = 'ready';

  @state() private phase: ElementState = 'idle';
  @state() private quality: RecordingQuality | null = null;
  @state() private failure: FoveolaError | null = null;
  @state() private announced = '';
  @state() private connected = '';

  #protocol: Protocol | null = null;
  #meter = new QualityMeter(1, JUDGED);
  #steady = new Steady();
  #judgedAt = -Infinity;
  #screen: TestScreen | null = null;
  #described: StimulusScreen | null = null;
  #journal: TestJournal | null = null;
  #result: PupilTestResult | null = null;
  /** The test before, or one that the user opened, for a comparison. */
  #earlier: PupilTestResult | null = null;
  /** Whether the result is shown. Otherwise the element prepares a test. */
  #reviewing = false;
  /** Panels that load once the element is shown. */
  #panels: typeof Panels | null = null;
  readonly #dialog = new TestDialog(this, (at) => this.#answer(at));
  readonly #refused: Refused = new Map();
  readonly #listening: (() => void)[] = [];
  /** Eye of the first pupil in the last frame. */
  #seen: Laterality = 'unknown';

  /** Result of the last test. Null before the first test has ended. */
  get result(): PupilTestResult | null {
    return this.#result;
  }

  /** Progress of the test, 0 to 1. Steps that wait for the person do not count. */
  get progress(): number {
    return this.#screen?.run.progress(performance.now()) ?? (this.#result?.complete ? 1 : 0);
  }

  /** The measuring element. It has separate settings, recordings and exports. */
  get tracker(): FoveolaPupil | null {
    return this.shadowRoot?.querySelector<FoveolaPupil>('foveola-pupil') ?? null;
  }

  /**
   * Starts the test.
   * @throws {FoveolaError} (rejects) 'invalid-argument' for a protocol that is invalid or flashes too fast,
   *   'source-not-ready' if no frames arrive yet
   */
  async start(): Promise<void> {
    if (this.#screen) return;
    const { tracker } = this;
    const protocol = (this.#protocol ??= this.#read());
    const fault = sourceFault(this.#words, this.phase, this.quality);
    if (!tracker || fault) throw new FoveolaError('source-not-ready', fault);
    this.#earlier = this.#result ?? this.#earlier;
    this.#result = this.failure = null;
    this.#reviewing = false;
    const marked = (marker: Marker) => this.#emit('test-marker', marker);
    const journal = (this.#journal = new TestJournal(protocol, this.#described, () => this.tracker, marked));
    const screen = (this.#screen = new TestScreen(protocol, {
      show: (planned) => this.#show(planned),
      seen: (planned, at) => journal.seen(planned, at),
      over: (planned, at) => journal.over(planned, at),
      ended: ({ state }) => this.#ended(state === 'finished'),
    }));
    if (!tracker.recording) tracker.record();
    this.#setState('running', this.#words.running);
    await this.updateComplete;
    this.#dialog.prepare(protocol.luminance ?? 0);
    await this.#dialog.enlarge();
    if (screen.run.state !== 'ready') return; // ended meanwhile
    this.#dialog.open();
    screen.begin(performance.now());
  }

  /** Ends the running test. Measured data is kept. */
  stop(): void {
    this.#screen?.abort(performance.now());
  }

  /** Pauses the test. `resume` repeats the interrupted step from its start. */
  pause(): void {
    if (this.#screen?.run.state !== 'running') return;
    this.#screen.pause(performance.now());
    this.#journal!.mark('pause', performance.now());
    this.#setState('paused', this.#words.paused);
    this.#dialog.show(null, this.#words.paused);
  }

  resume(): void {
    if (this.state !== 'paused') return;
    this.#journal?.mark('resume', performance.now());
    this.#setState('running', this.#words.running);
    this.#screen?.resume(performance.now());
  }

  /**
   * Sets a marker in the test, and ends a step that waits for it. Returns the marker, or null if no test is running.
   * @param at milliseconds on the page's time line (performance.now), default now
   */
  mark(label: string, at = performance.now()): Marker | null {
    if (!Number.isFinite(at))
      throw new FoveolaError('invalid-argument', `mark: at must be milliseconds, not ${shown(at)}.`);
    if (!this.#screen) return null;
    label = String(label);
    const marker = this.#journal!.mark(label, at);
    this.#screen.signal(label, at);
    return marker;
  }

  /** Exports the samples of the last test with its markers, in the columns of `<foveola-pupil>`. */
  async exportCsv(): Promise<string> {
    return (await this.tracker?.exportCsv()) ?? '';
  }

  /** Describes the table of `exportCsv()` as JSON: settings, version, and its columns with units. */
  async exportCsvJson(): Promise<string> {
    return (await this.tracker?.exportCsvJson()) ?? '';
  }

  /**
   * Exports the last test as JSON: protocol, samples, steps, markers, quality. Rejects with 'source-not-ready' before
   * the first test.
   */
  exportJson(): Promise<string> {
    if (!this.#result)
      return Promise.reject(new FoveolaError('source-not-ready', 'No test result exists yet. Run a test first.'));
    return Promise.resolve(testJson({ ...aboutOf(this.#about), ...this.#result }));
  }

  /** Exports the last test as a page to print. Rejects with 'source-not-ready' before the first test. */
  async exportReport(): Promise<string> {
    if (!this.#result) throw new FoveolaError('source-not-ready', 'No test result exists yet. Run a test first.');
    const { printedTest } = await this.#load();
    try {
      return printedTest({ ...aboutOf(this.#about), ...this.#result }, this.millimetresPerPixel);
    } catch (error) {
      throw asOurs(error);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    for (const end of this.#listening.splice(0)) end();
    this.connected = '';
  }

  /** @throws {FoveolaError} (rejects) 'asset-missing', 'asset-blocked' */
  async #load(): Promise<typeof Panels> {
    if (this.#panels) return this.#panels;
    const panels = await loadPart(
      'test-panels.js',
      () => import('./panels/panels.ts'),
      'Choice of the protocol, devices and measures of a test',
      'use exportJson',
    );
    const Sheet = this.ownerDocument.defaultView?.CSSStyleSheet;
    if (Sheet && this.shadowRoot) {
      const sheet = new Sheet();
      sheet.replaceSync(panels.panelsCss);
      this.shadowRoot.adoptedStyleSheets = [...this.shadowRoot.adoptedStyleSheets, sheet];
    }
    this.#panels = panels;
    this.requestUpdate();
    return panels;
  }

  protected override firstUpdated(): void {
    void this.#load().catch((error) => this.#fail(error));
  }

  protected static override finalize(): void {
    guard(this);
    super.finalize();
  }

  protected override willUpdate(changed: PropertyValues): void {
    takeGiven(this, changed, this.#refused);
    if (changed.has('protocol') || changed.has('allowFastFlashes') || changed.has('screen')) this.#prepare();
    this.#refused.forEach((error, name) => changed.has(name) && this.#fail(error));
  }

  /** Throws 'invalid-argument' if the protocol or the description of the screen is invalid. */
  #read(): Protocol {
    this.#described = this.screen ? readScreen(this.screen) : null;
    return protocolFrom(this.protocol, this.allowFastFlashes);
  }

  #prepare(): void {
    this.stop();
    this.#reviewing = false;
    try {
      const protocol = (this.#protocol = this.#read());
      this.#meter = new QualityMeter(protocol.eyes ?? 1, JUDGED);
      this.#steady = new Steady(protocol.eyes ?? 1);
      this.failure = null;
    } catch (error) {
      this.#protocol = null;
      this.#fail(error);
    }
  }

  protected override render(): TemplateResult {
    const words = this.#words;
    const language = this.#language;
    const strings = this.#strings;
    const protocol = this.#protocol;
    const failure = this.failure?.message ?? null;
    const title = words.title(protocol ? wordsIn(protocol.title, language) : '');
    const running = this.state === 'running' || this.state === 'paused';
    return html`<div
      class="base"
      part="base"
      role="group"
      lang=${strings.language}
      dir=${strings.direction}
      aria-label=${title}
    >
      <foveola-pupil
        controls
        analyse="manual"
        src=${this.src ?? nothing}
        camera=${this.camera ?? nothing}
        ?mirror=${this.mirror}
        method=${this.method ?? nothing}
        eyes=${protocol?.eyes ?? 1}
        view=${this.view ?? nothing}
        eye=${this.eye ?? nothing}
        frame-height=${this.frameHeight ?? nothing}
        .subject=${this.subject}
        .session=${this.session}
        .trial=${this.trial}
        .note=${this.note}
        millimetres-per-pixel=${this.millimetresPerPixel ?? nothing}
        backend=${this.backend}
        asset-base=${this.assetBase ?? nothing}
        lang=${language}
        save-recordings=${this.saveRecordings ?? nothing}
        .recordingKey=${this.recordingKey}
        .source=${this.source}
        @foveola-result=${this.#onResult}
        @foveola-state=${this.#onState}
      ></foveola-pupil>
      ${
        protocol === null
          ? html`<div class="panel" part="panel"><p class="warning" role="alert">${failure}</p></div>`
          : this.#reviewing
            ? this.#resultView()
            : preparation(words, language, this.#preparing(protocol, failure), strings.number, this.#actions)
      }
      ${running ? this.#dialog.render(title, words) : nothing}
      <div class="visually-hidden" role="status" aria-live="polite">${this.announced}</div>
    </div>`;
  }

  #preparing(protocol: Protocol, failure: string | null): Parameters<typeof preparation>[2] {
    const language = this.#language;
    const flashes = flashesInSecond(protocol) > 0;
    const setup = this.#panels?.setupView(
      this.#panels.panelWords(language, this.#words),
      { protocol, language, number: this.#strings.number, connected: this.connected, screen: this.#described ?? {} },
      {
        change: (given) => this.#change(given),
        describe: (screen) => (this.screen = screen),
        save: (one) => download(JSON.stringify(one, null, 1), `${one.id}.json`, 'application/json'),
        connect: (device) => void this.#connect(device),
      },
    );
    const { quality, phase } = this;
    return {
      ...{ protocol, failure, flashes, quality, phase, steady: this.#steady, seconds: JUDGED, asked: this.#asked },
      setup: setup ?? nothing,
    };
  }

  /** The panels have it. An error that keeps them from loading is shown in its place. */
  #resultView(): unknown {
    const failure = this.failure && html`<p class="warning" role="alert">${this.failure.message}</p>`;
    const panels = this.#panels;
    if (!panels) return failure;
    const words = panels.panelWords(this.#language, this.#words);
    const model = {
      ...{ language: this.#language, number: this.#strings.number, failure, steady: this.#steady },
      ...{ result: this.#result!, phase: this.phase, quality: this.quality },
      ...{ earlier: this.#earlier, millimetresPerPixel: this.millimetresPerPixel },
    };
    return panels.summary(words, model, this.#actions);
  }

  get #actions(): TestActions {
    const save = (text: Promise<string>, extension: string, type: string) =>
      void text.then(
        (content) => download(content, fileName(`${this.#result?.protocol.id}.`, extension, '', this.#about), type),
        (error) => this.#fail(error),
      );
    return {
      choose: (side) => this.#choose(side),
      start: () => void this.start().catch((error) => this.#fail(error)),
      back: () => {
        this.#prepare();
        this.requestUpdate();
      },
      csv: () => {
        save(this.exportCsv(), 'csv', 'text/csv');
        save(this.exportCsvJson(), 'csv.json', 'text/plain');
      },
      json: () => save(this.exportJson(), 'json', 'application/json'),
      report: () => save(this.exportReport(), 'html', 'text/html'),
      compare: (text) => this.#compare(text),
    };
  }

  /** Takes an earlier test from the user, as saved by `exportJson`. */
  #compare(text: string): void {
    try {
      this.#earlier = this.#panels!.savedTest(text);
      this.failure = null;
    } catch (error) {
      this.#fail(error);
    }
    this.requestUpdate();
  }

  /** Takes a protocol from the user. An invalid one is reported, and the test keeps its protocol. */
  #change(given: Protocol | string): boolean {
    try {
      this.protocol = protocolFrom(given, this.allowFastFlashes);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Question about unknown eyes, including one that has been answered. */
  get #asked(): { choices: readonly Asked[]; value: string } | null {
    if (this.#protocol?.eyes !== 2) return { choices: ['unknown', 'left', 'right'], value: this.eye ?? 'unknown' };
    const known = this.#seen !== 'unknown' && this.view === null; // the orientation in which a camera shows a person
    return known ? null : { choices: ['unknown', 'facing', 'mirrored'], value: this.view ?? 'unknown' };
  }

  #choose(side: Asked): void {
    if (side === 'left' || side === 'right' || this.#protocol?.eyes !== 2) this.eye = side as FoveolaPupil['eye'];
    else this.view = side;
  }

  get #language(): string {
    return this.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || 'en';
  }

  get #strings(): Strings {
    return stringsFor(this.#language);
  }

  get #words(): TestWords {
    return this.#panels?.testWords(this.#language) ?? english;
  }

  /** The measuring element knows what the user has entered in it. */
  get #about(): AboutProperties {
    return this.tracker ?? this;
  }

  #show(planned: PlannedStep | null): void {
    const step = planned?.step;
    const text = step && 'text' in step ? wordsIn(step.text, this.#language) : '';
    this.#dialog.show(planned, text);
    if (!step) return;
    const words = this.#words;
    const lasts = step.type === 'text' ? '' : `, ${words.seconds(this.#strings.number(step.duration / 1000, 0))}`;
    this.announced = text || `${words.steps[step.type]}${lasts}`;
  }

  /** Records the person's answer to the current step. */
  #answer(at: number): void {
    if (this.#screen?.run.step?.step.type === 'ask') this.#journal!.mark('answer', at);
    this.#screen?.answer(at);
  }

  #ended(complete: boolean): void {
    const { tracker } = this;
    if (tracker?.recording) tracker.record();
    this.#screen = null;
    this.#result = this.#journal!.result(complete);
    this.#journal = null;
    this.#reviewing = true;
    this.#dialog.close();
    this.#setState('done', complete ? this.#words.finished : this.#words.aborted);
    this.#emit('test-result', this.#result);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('.summary .first')?.focus({ preventScroll: true }),
    );
  }

  #setState(state: PupilTestState, announced: string): void {
    this.state = state;
    this.announced = announced;
    this.#emit('test-state', { state });
  }

  #emit<T>(name: string, detail: T, bubbles = true): void {
    this.dispatchEvent(new CustomEvent(`foveola-${name}`, { detail, bubbles, composed: bubbles }));
  }

  #fail(error: unknown): void {
    this.failure = asFoveolaError(error, 'The test');
    this.#emit('error', this.failure);
  }

  async #connect(name: 'MIDI' | 'Serial'): Promise<void> {
    try {
      const { listenToMidi, listenToSerial } = await this.#load();
      const listen = name === 'MIDI' ? listenToMidi : listenToSerial;
      this.#listening.push(await listen((label, at) => void this.mark(label, at)));
      this.connected = name;
    } catch (error) {
      this.#fail(new FoveolaError('source-not-ready', `${name}: ${(error as Error).message}`, { cause: error }));
    }
  }

  /** Pupils of a source that does not run are not tracked. */
  readonly #onState = ({ detail }: CustomEvent<StateDetail>): void => {
    this.phase = detail.state;
    if (detail.state === 'running') return;
    this.quality = null;
    this.#meter.clear();
    this.#steady = new Steady(this.#protocol?.eyes ?? 1);
  };

  readonly #onResult = ({ detail }: CustomEvent<PupilResult>): void => {
    const { eye } = detail.pupils[0]!;
    if (eye !== this.#seen) {
      this.#seen = eye;
      this.requestUpdate();
    }
    this.#journal?.add(detail);
    this.#meter.add(detail);
    if (this.#steady.add(detail)) this.requestUpdate();
    this.#emit('result', detail, false);
    if (Math.abs(detail.timestamp - this.#judgedAt) < JUDGE_EVERY) return;
    this.#judgedAt = detail.timestamp;
    if (!this.#screen && this.phase === 'running') this.quality = this.#meter.judge();
  };
}
