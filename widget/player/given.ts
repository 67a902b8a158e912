/** What the player's file gets of its element. In the CDN scripts Lit is inside, and there may be one Lit only. */
import type { html, nothing } from 'lit';
import type { canvasIsNoisy, FoveolaError, FoveolaErrorCode, frames, soundOf } from '../../src/index.ts';
import type { AnalysisController } from '../parts/analysis-controller.ts';
import type { Host } from '../parts/host.ts';
import type { AnyResult, Settings } from '../parts/kind.ts';
import type { progressBar } from '../parts/progress.ts';
import type { PictureController } from '../parts/picture-controller.ts';
import type { RecorderController } from '../parts/recorder-controller.ts';
import type { SessionController } from '../parts/session-controller.ts';
import type { StateController } from '../parts/state-controller.ts';
import type { button } from '../parts/views.ts';
import type { PictureWriter, stackRecording, VideoWriter } from './video-writer.ts';

export interface WriterModule {
  VideoWriter: typeof VideoWriter;
  PictureWriter: typeof PictureWriter;
  stackRecording: typeof stackRecording;
}

/** What stays in the element whether the player is loaded or not. */
export interface PlayerControl {
  /** Of the recording that is open; null where none is. */
  readonly video: HTMLVideoElement | null;
  /** Seconds between which it is played again and again. */
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
  /** As trackers get them now. */
  parameters(): Settings;
  /** One of the page's own class. */
  error(code: FoveolaErrorCode, message: string): FoveolaError;
  /** Shows what went wrong. */
  failed(error: unknown, doing: string): void;
}
