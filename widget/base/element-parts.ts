/** The parts of every element, each with the parts that it depends on, and the view that they share. */
import { ActionController } from './action-controller.ts';
import { AnalysisController } from '../tools/analysis-controller.ts';
import { ExportController, FilesController, KeepController } from '../tools/files.ts';
import { type ElementFace, Host } from './host.ts';
import type { AnyResult, ElementKind } from './kind.ts';
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
import { errorPanel, emptyStage, toolbar, type ToolbarModel } from './views.ts';

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

  constructor(element: ElementFace, kind: () => ElementKind<R>) {
    const host = (this.host = new Host(element, kind));
    const state = (this.state = new StateController(host));
    const picture = (this.picture = new PictureController(host, state));
    const settings = (this.settings = new SettingsController(host, state));
    const session = (this.session = new SessionController(host, state, picture, settings));
    this.analysis = new AnalysisController(host, state, picture, settings, session);
    const recorder = new Recorder();
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

  /** Reason why the source cannot be used. False if one is open. */
  get unready(): string | false {
    const { why } = this.strings;
    return !this.session.current && (this.state.phase === 'loading' ? why.loading : why.noSource);
  }
}

// The common view of all elements: stage with overlay, state, error, progress, readout, camera settings, toolbar,
// panel, help.

/** Reason why the source cannot be played. */
function unplayable<R extends AnyResult>({ session, strings, analysis, unready }: ElementParts<R>): string | false {
  const { current } = session;
  if (!current) return unready;
  if (analysis.running) return strings.why.analysing;
  if (!current.moving) return strings.why.noVideo;
  return current.heldByPage && strings.why.pageVideo;
}

function toolbarOf<R extends AnyResult>(parts: ElementParts<R>): TemplateResult {
  const { strings, unready, analysis, recorder, source, settings, shown, host } = parts;
  const { kind, element } = host;
  const model: ToolbarModel = {
    strings,
    playing: shown.phase === 'running' || (shown.phase === 'loading' && parts.session.current?.running === true),
    noPlay: unplayable(parts),
    noStep: unready || (analysis.running && strings.why.analysing),
    noMeasure: unready,
    analysing: analysis.possible ? analysis.running : null,
    recording: shown.recording,
    rows: recorder.rows,
    exported: recorder.exportedName,
    exportsAnother: recorder.isOfAnother,
    points: kind.pointsShown?.() ?? null,
    camera: source.camera.open,
    settings: settings.table ? element.settingsOpen : null,
    help: shown.help,
  };
  return toolbar(kind.toolbar?.(model) ?? model, parts.actions.toolbar, kind.buttons?.() ?? nothing);
}

function badges<R extends AnyResult>({ state, strings, shown }: ElementParts<R>): TemplateResult {
  return html`<div class="badges">
    <span class="badge state ${shown.phase === 'loading' ? 'spinner' : ''}" part="badge">${state.text}</span>
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
  const { strings: s, host, actions, state, source, analysis, settings, shown, tools } = parts;
  const { element, kind } = host;
  const { feed, phase } = shown;
  const { camera } = source;
  const analysed = () => analysis.render();
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
    @dragenter=${actions.onDrag}
    @dragover=${actions.onDrag}
    @dragleave=${actions.onLeave}
    @drop=${actions.onDrop}
  >
    ${stage(parts, around)} ${parts.player.panel}
    ${state.error ? html`<slot name="error" dir=${around}>${errorPanel(s, state.error, tools.advice(state.error))}</slot>` : nothing}
    ${kind.progress ? kind.progress(analysed) : analysed()} ${feed || phase === 'loading' ? kind.readout() : nothing}
    ${parts.keep.panel} ${parts.files.panel}
    ${tools.show(camera.open && element.controls && camera.abilities, ({ cameraSettings }, abilities) =>
      cameraSettings(s, abilities, element.mirror, actions.camera),
    )}
    ${element.controls ? html`<slot name="controls" dir=${around}>${toolbarOf(parts)}</slot>` : nothing}
    ${parts.exports.render()}
    ${tools.show(element.settingsOpen && settings.table, ({ settingsPanel }) =>
      settingsPanel(parts, kind.panelExtra?.() ?? nothing),
    )}
    ${tools.show(shown.help, ({ helpPanel }) => helpPanel(s, actions.toolbar.help, kind.keys?.(), kind.unusedKeys?.()))}
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
