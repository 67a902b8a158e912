/** A test while it runs: its protocol on the screen. */
import {
  checkFlashRate,
  FoveolaError,
  type Protocol,
  protocols,
  readProtocol,
  ProtocolRun,
  type PlannedStep,
} from '../../src/index.ts';

// Reads the protocol of a test: the name of a shipped protocol, JSON, or a protocol object.

/** Throws 'invalid-argument' if the protocol is missing or invalid, or flashes too fast without permission. */
export function protocolFrom(given: Protocol | string | null, allowFastFlashes: boolean): Protocol {
  if (typeof given === 'string' && Object.hasOwn(protocols, given)) return protocols[given as keyof typeof protocols];
  if (typeof given === 'string' && !/^\s*\{/.test(given))
    throw new FoveolaError(
      'invalid-argument',
      `Protocol: '${given.slice(0, 40)}' is unknown. Use ${Object.keys(protocols).join(', ')}, or pass JSON.`,
    );
  const read = readProtocol(given);
  if (!allowFastFlashes) checkFlashRate(read);
  return read;
}

// Runs a protocol on the screen. The screen changes in an animation frame, and the change counts as seen at the next one:
// by then the browser has submitted the frame. The display adds its delay, which is constant and unknown to the page.

/** Animation frames of the page. Tests replace them. */
export interface Frames {
  request(callback: (at: number) => void): number;
  cancel(handle: number): void;
}

const pageFrames: Frames = {
  request: (callback) => requestAnimationFrame(callback),
  cancel: (handle) => cancelAnimationFrame(handle),
};

interface ScreenEvents {
  /** Shows this step now. Null: no step. */
  show(planned: PlannedStep | null): void;
  /** The step became visible at this time, on the page's time line (performance.now). */
  seen(planned: PlannedStep, at: number): void;
  /** The step is no longer visible, starting at this time. */
  over(planned: PlannedStep, at: number): void;
  /** The protocol is finished or was aborted. */
  ended(run: ProtocolRun): void;
}

/** Limits of the frame interval in ms: 240 to 24 Hz. */
const SHORTEST = 4;
const LONGEST = 42;

export class TestScreen {
  readonly run: ProtocolRun;
  readonly #events: ScreenEvents;
  readonly #frames: Frames;
  #handle: number | null = null;
  #interval = 1000 / 60;
  #last: number | null = null;
  #shown: PlannedStep | null = null;
  /** The previous step, while it is still visible. */
  #before: PlannedStep | null = null;
  #unseen = false;
  #over = false;

  constructor(protocol: Protocol, events: ScreenEvents, frames: Frames = pageFrames) {
    this.run = new ProtocolRun(protocol);
    this.#events = events;
    this.#frames = frames;
  }

  begin(at: number): void {
    this.run.begin(at);
    this.#schedule();
  }

  answer(at: number): void {
    if (this.#unseen || this.#shown === null) return; // a step that was not visible yet cannot be answered
    this.run.answer(at);
    this.#ends();
  }

  signal(label: string, at: number): void {
    this.run.signal(label, at);
    this.#ends();
  }

  pause(at: number): void {
    if (this.run.state !== 'running') return;
    this.run.pause(at);
    this.#stop();
    this.#change(null, at);
  }

  resume(at: number): void {
    this.run.resume(at);
    if (this.run.state === 'running') this.#schedule();
  }

  abort(at: number): void {
    this.run.abort(at);
    this.#ends();
  }

  #schedule(): void {
    this.#handle ??= this.#frames.request(this.#frame);
  }

  #stop(): void {
    if (this.#handle !== null) this.#frames.cancel(this.#handle);
    this.#handle = null;
    this.#last = null;
  }

  readonly #frame = (at: number): void => {
    this.#handle = null;
    if (this.#last !== null) this.#interval = Math.min(LONGEST, Math.max(SHORTEST, at - this.#last));
    this.#last = at;
    // An external marker may have ended the step before.
    if (this.#unseen && this.run.step === this.#shown) this.#tellSeen(at);
    // A change becomes visible one frame later, so the frame closest to the end of the step is chosen.
    const { due } = this.run;
    if (at + 1.5 * this.#interval >= due) this.run.advance(Math.max(due, at + this.#interval));
    if (this.run.step !== this.#shown) this.#change(this.run.step, at);
    if (this.#ends()) return;
    this.#schedule();
  };

  #tellSeen(at: number): void {
    this.#unseen = false;
    this.run.seen(at);
    if (this.#before) this.#events.over(this.#before, at);
    this.#before = null;
    if (this.#shown) this.#events.seen(this.#shown, at);
  }

  #change(planned: PlannedStep | null, at: number): void {
    if (this.#shown && this.#unseen) this.#shown = null; // it was never visible
    this.#before = this.#shown ?? this.#before;
    this.#shown = planned;
    this.#unseen = planned !== null;
    this.#events.show(planned);
    if (!planned && this.#before) {
      this.#events.over(this.#before, at + this.#interval);
      this.#before = null;
    }
  }

  #ends(): boolean {
    const { state } = this.run;
    if (state !== 'finished' && state !== 'aborted') return false;
    if (this.#over) return true;
    this.#over = true;
    const at = this.#last ?? performance.now();
    this.#stop();
    if (this.#shown) this.#change(null, at);
    this.#events.ended(this.run);
    return true;
  }
}
