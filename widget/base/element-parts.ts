/** The parts of every element, each with the parts that it depends on, and the view that they share. */
import { ActionController } from './action-controller.ts';
import { AnalysisController } from '../tools/analysis-controller.ts';
import { ExportController, FilesController, KeepController } from '../tools/files.ts';
import { type ElementFace, Host } from './host.ts';
import type { AnyResult, ChartMenu, ElementKind } from './kind.ts';
import type { Strings } from '../strings/index.ts';
import { PictureController, imageFiles } from './picture-controller.ts';
import { PlayerController } from '../tools/player-controller.ts';
import { Recorder } from '../tools/recorder.ts';
import { RecorderController } from '../tools/recorder-controller.ts';
import { SessionController } from './session-controller.ts';
import { SettingsController } from '../tools/settings-controller.ts';
import { SourceController } from './source-controller.ts';
import { StateController } from './state-controller.ts';
import { ToolsController } from '../tools/load.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { type Primary, toolbar, type ToolbarModel } from './toolbar.ts';
import { errorPanel, emptyStage } from './views.ts';

// The parts of every element, each with the parts that it depends on.

export class ElementParts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly state: StateController<R>;
  readonly picture: PictureController<R>;
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
  readonly actions: ActionController<R>;
  /** Only of elements with charts. */
  charts: ChartMenu | null = null;

  constructor(element: ElementFace, kind: () => ElementKind<R>) {
    const host = (this.host = new Host(element, kind));
    const state = (this.state = new StateController(host));
    const picture = (this.picture = new PictureController(host, state));
    const settings = (this.settings = new SettingsController(host, state));
    const session = (this.session = new SessionController(host, state, picture, settings));
    this.analysis = new AnalysisController(host, state, picture, settings, session);
    const recorder = new Recorder(element);
    this.recorder = new RecorderController(host, state, settings, session, this.analysis, recorder);
    this.keep = new KeepController(host, state, recorder);
    this.source = new SourceController(host, state, picture, settings, session);
    const { analysis, recorder: recording } = this;
    this.player = new PlayerController({
      host,
      state,
      picture,
      session,
      analysis,
      recorder: recording,
      parameters: () => settings.parameters,
      toggle: () => this.actions.act('toggle'),
      unplayable: () => this.unplayable,
    });
    this.files = new FilesController({
      ...{ host, state, settings, source: this.source, analysis },
      failed: (error) => session.onFailure(error),
    });
    this.tools = new ToolsController(host, state);
    this.exports = new ExportController(host, recording, this.tools, (work) =>
      this.actions.attempt('The export', work),
    );
    this.actions = new ActionController(host, this);
  }

  get shown() {
    return this.host.shown;
  }

  /** The open source. Null if none is open. */
  get feed() {
    return this.host.shown.feed;
  }

  get strings(): Strings {
    return this.host.strings;
  }

  /** Reason why the source cannot be played. False if it can. */
  get unplayable(): string | false {
    const { why } = this.strings;
    const { current } = this.session;
    if (!current) return this.unready;
    if (this.analysis.running) return why.analysing;
    if (!current.moving) return why.noVideo;
    return current.heldByPage && why.pageVideo;
  }

  /** Reason why the source cannot be used. False if one is open. */
  get unready(): string | false {
    const { why } = this.strings;
    return !this.session.current && (this.state.phase === 'loading' ? why.loading : why.noSource);
  }
}

// The common view of all elements: stage with overlay, state, error, progress, readout, camera settings, toolbar,
// panel, help.

/** The usual next step for this source. Null if the empty stage has the buttons for it. */
function primaryOf<R extends AnyResult>(parts: ElementParts<R>): Primary | null {
  const { strings: s, analysis, recorder, actions, session, shown, host } = parts;
  const own = host.kind.primary?.();
  if (own !== undefined && !analysis.running) return own;
  const { act } = actions;
  if (analysis.running)
    return { word: s.cancel, label: s.cancelAnalysis, kind: 'quiet', key: 'A', act: () => act('analyse') };
  if (!shown.feed) return null;
  if (analysis.possible && !shown.analysed && !shown.recording)
    return { word: s.analyse, key: 'A', act: () => act('analyse') };
  if (session.current?.moving && !shown.analysed)
    return {
      word: shown.recording ? s.stop : s.record,
      ...(shown.recording && { label: s.stopRecording }),
      kind: shown.recording ? 'record on' : 'record',
      key: 'R',
      act: () => act('record'),
    };
  return { word: s.saveTable, disabled: !recorder.rows && s.why.noRows, act: () => act('csv') };
}

function toolbarOf<R extends AnyResult>(parts: ElementParts<R>): TemplateResult {
  const { strings, unready, recorder, source, settings, shown, host, player } = parts;
  const { kind, element } = host;
  const plays = parts.session.current?.moving === true && !player.video;
  const model: ToolbarModel = {
    strings,
    playing: plays
      ? shown.phase === 'running' || (shown.phase === 'loading' && parts.session.current?.running === true)
      : null,
    noPlay: parts.unplayable,
    primary: primaryOf(parts),
    noExport: !recorder.rows && unready,
    camera: source.camera.open,
    settings: settings.table ? element.settingsOpen : null,
    menu: shown.menu,
  };
  return toolbar(model, parts.actions.toolbar, kind.buttons?.() ?? nothing);
}

function badges<R extends AnyResult>({ host, state, strings, shown }: ElementParts<R>): TemplateResult {
  return html`<div class="badges">
    <span
      class="badge state ${shown.phase === 'loading' || shown.opening || host.kind.busy?.() ? 'spinner' : ''}"
      part="badge"
      >${shown.opening ? strings.states.loading : state.text}</span
    >
    ${shown.recording ? html`<span class="badge rec" part="badge">${strings.states.recording}</span>` : nothing}
  </div>`;
}

function stage<R extends AnyResult>(parts: ElementParts<R>, around: unknown): TemplateResult {
  const { strings: s, host, actions, picture, shown } = parts;
  const { feed, phase } = shown;
  const { element, kind } = host;
  const media = feed && !feed.external ? feed.element : null;
  if (media) {
    media.classList.add('media');
    media.setAttribute('part', 'media');
    if (media instanceof HTMLImageElement) media.alt = '';
  }
  if (shown.pictureStands) picture.canvas.className = 'media picture';
  const empty = !feed && phase !== 'loading';
  return html`<div
    class="stage ${element.mirror ? 'mirror' : ''} ${feed ? '' : 'none'}"
    part="stage"
    tabindex="0"
    role="group"
    aria-label=${s.stage}
  >
    ${media ?? nothing}
    <slot name="media" dir=${around}></slot>
    ${shown.pictureStands ? picture.canvas : nothing}
    <canvas class="overlay" part="overlay" aria-hidden="true"></canvas>
    ${feed ? (kind.tools?.() ?? nothing) : nothing}
    ${empty ? emptyStage(s, element.camera !== null, actions.toolbar.file, actions.toolbar.camera) : nothing}
    ${empty ? nothing : badges(parts)} ${shown.dropping ? html`<div class="drop">${s.drop}</div>` : nothing}
  </div>`;
}

export function elementView<R extends AnyResult>(parts: ElementParts<R>): TemplateResult {
  const { strings: s, host, actions, state, source, settings, shown, tools } = parts;
  const { element, kind } = host;
  const { feed, phase } = shown;
  const { camera } = source;
  // Slotted content keeps the text direction of the page.
  const around = element.closest('[dir]')?.getAttribute('dir') ?? nothing;
  return html`<div
    class="base ${feed?.external && !source.slotted ? 'external' : ''}"
    part="base"
    role="group"
    lang=${s.language}
    dir=${s.direction}
    aria-label=${kind.title()}
    @keydown=${actions.onKey}
    @focusin=${actions.onFocus}
    @dragenter=${actions.onDrag}
    @dragover=${actions.onDrag}
    @dragleave=${actions.onLeave}
    @drop=${actions.onDrop}
  >
    ${stage(parts, around)} ${parts.player.panel}
    ${
      element.controls
        ? html`<slot name="controls" dir=${around}>${toolbarOf(parts)}</slot>${tools.show(
              shown.menu,
              ({ menuPanel }, menu) => menuPanel(parts, menu),
            )}`
        : nothing
    }
    ${
      state.error
        ? html`<slot name="error" dir=${around}
            >${errorPanel(s, state.error, tools.advice(state.error), actions.toolbar.file, actions.toolbar.camera)}</slot
          >`
        : nothing
    }
    ${parts.exports.render()}
    ${tools.show(camera.open && element.controls && camera.abilities, ({ cameraSettings }, abilities) =>
      cameraSettings(s, abilities, element.mirror, actions.camera),
    )}
    ${tools.show(element.settingsOpen && settings.table, ({ settingsPanel }) =>
      settingsPanel(parts, kind.panelExtra?.() ?? nothing),
    )}
    ${parts.analysis.render((result) => tools.show(result, ({ summary }) => summary(parts, result)))}
    ${feed || phase === 'loading' ? kind.readout() : nothing} ${parts.keep.panel} ${parts.files.panel}
    ${tools.show(shown.help, ({ helpPanel }) => helpPanel(s, () => actions.act('help'), kind.keys?.(), kind.unusedKeys?.()))}
    <input
      class="source-file"
      type="file"
      multiple
      accept=${`video/*,${imageFiles}`}
      hidden
      tabindex="-1"
      aria-label=${s.file}
      @change=${actions.onFile}
    />
    <div class="visually-hidden" role="status" aria-live="polite">${shown.announced}</div>
  </div>`;
}
