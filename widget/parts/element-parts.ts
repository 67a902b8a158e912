/** The parts of every element, each with the parts that it depends on. */
import { ActionController } from './action-controller.ts';
import { AnalysisController } from './analysis-controller.ts';
import { ExportController } from './export-controller.ts';
import { FilesController } from './files-controller.ts';
import { type ElementFace, Host } from './host.ts';
import type { AnyResult, ElementKind } from './kind.ts';
import type { Strings } from '../strings/index.ts';
import { KeepController } from './keep-controller.ts';
import { PictureController } from './picture-controller.ts';
import { PlayerController } from './player-controller.ts';
import { Recorder } from './recorder.ts';
import { RecorderController } from './recorder-controller.ts';
import { SessionController } from './session-controller.ts';
import { SettingsController } from './settings-controller.ts';
import { SourceController } from './source-controller.ts';
import { StateController } from './state-controller.ts';
import { ToolsController } from '../tools/load.ts';

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
