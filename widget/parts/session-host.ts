/** What a session tells and asks of the element that it belongs to. */
import type { FoveolaError, FrameTiming, PresentedFrame } from '../../src/index.ts';
import type { Held } from './held-frame.ts';
import type { PageTime } from './page-time.ts';
import type { SupplyNews } from './supply.ts';
import type { Turns } from './turns.ts';

export interface SessionHost<R> {
  /** Frames a second that are processed at most; 0 for all. */
  readonly maxFps: number;
  /** Frames are processed only where they stand: paused, or by a step. */
  readonly standingOnly?: boolean;
  readonly pageTime: PageTime;
  /** Those of the engine. */
  readonly turns: Turns;
  /** `picture`: that of the frame, where the video may show another one by now. */
  onResult(result: R, timing: FrameTiming, picture?: Held | null): void;
  /** The video shows another picture, or is about to. */
  onPresented?(): void;
  onFrameFailure(error: FoveolaError): void;
  /** The frame went with the engine's worker; another worker goes on with the next one. */
  onInterruption(error: FoveolaError): void;
  onPlayback(): void;
  /** The source sends no pictures, or sends them again. */
  onSupply?(news: SupplyNews): void;
}

/** A result of an earlier time, and the times of its frame. */
export interface Known<R> {
  readonly result: R;
  readonly timing: FrameTiming;
}

/** What is known of the frame that is shown; null: it has to be processed. */
export type Recall<R> = (frame: PresentedFrame) => Known<R> | null;
