/**
 * Dependencies that the player's file gets from its element. The CDN scripts contain Lit, and only one copy of Lit may
 * exist.
 */
import type { html, nothing } from 'lit';
import type { canvasIsNoisy, FoveolaError, FoveolaErrorCode, frames, soundOf } from '../../src/index.ts';
import type { AnalysisController } from '../parts/analysis-controller.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, Settings } from '../base/kind.ts';
import type { progressBar } from '../base/engine.ts';
import type { PictureController } from '../base/picture-controller.ts';
import type { RecorderController } from '../parts/recorder-controller.ts';
import type { SessionController } from '../base/session-controller.ts';
import type { StateController } from '../base/state-controller.ts';
import type { button } from '../base/views.ts';
import type { PictureWriter, stackRecording, VideoWriter } from './video-writer.ts';

export interface WriterModule {
  VideoWriter: typeof VideoWriter;
  PictureWriter: typeof PictureWriter;
  stackRecording: typeof stackRecording;
}

/** Player state that stays in the element even while the player is not loaded. */
export interface PlayerControl {
  /** Video of the open recording. Null if none is open. */
  readonly video: HTMLVideoElement | null;
  /** Time span in seconds that is played in a loop. */
  range: readonly [from: number, to: number] | null;
  rate: number;
}

export interface PlayerGiven<R extends AnyResult> {
  readonly host: Host<R>;
  readonly state: StateController<R>;
  readonly picture: PictureController<R>;
  readonly session: SessionController<R>;
  readonly analysis: AnalysisController<R>;
  readonly recorder: RecorderController<R>;
  readonly control: PlayerControl;
  readonly html: typeof html;
  readonly nothing: typeof nothing;
  readonly button: typeof button;
  readonly progressBar: typeof progressBar;
  readonly frames: typeof frames;
  readonly soundOf: typeof soundOf;
  readonly canvasIsNoisy: typeof canvasIsNoisy;
  loadVideoWriter(): Promise<WriterModule>;
  /** Current parameters of the trackers. */
  parameters(): Settings;
  /** Creates an error of the page's class. */
  error(code: FoveolaErrorCode, message: string): FoveolaError;
  /** Shows an error. */
  failed(error: unknown, doing: string): void;
}
