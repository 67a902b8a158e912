/**
 * A protocol while it runs: which step is on, since when, what ends it. It has no clock and no screen of its own: who runs
 * it tells the time (milliseconds that never go back), shows what `step` says and reports when that was seen.
 */
import { FoveolaError } from '../runtime/error.ts';
import { durationOf, planOf, type PlannedStep, type Protocol, type SeenStep } from './protocol.ts';

export type RunState = 'ready' | 'running' | 'paused' | 'finished' | 'aborted';

/** What happened, in the order in which it did. */
export interface RunEvent {
  readonly type: 'begin' | 'step' | 'end' | 'answer' | 'signal' | 'pause' | 'resume' | 'finish' | 'abort';
  /** On the clock of the run; a step's onset: when it was seen. */
  readonly at: number;
  /** Of 'step' and 'end': its number in the plan. */
  readonly index?: number;
  readonly label?: string;
}

const waitsForPerson = ({ type }: SeenStep): boolean => type === 'text' || type === 'ask';

export class ProtocolRun {
  readonly protocol: Protocol;
  readonly plan: readonly PlannedStep[];
  readonly events: RunEvent[] = [];
  #state: RunState = 'ready';
  #index = -1;
  /** When the step was asked for, and when it was seen. */
  #asked = 0;
  #seen: number | null = null;
  /** Milliseconds of the steps before this one that have a duration. */
  #before = 0;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.plan = planOf(protocol);
  }

  get state(): RunState {
    return this.#state;
  }

  /** What the person sees now; null before the beginning, at the end, and in a pause. */
  get step(): PlannedStep | null {
    return this.#state === 'running' ? (this.plan[this.#index] ?? null) : null;
  }

  get index(): number {
    return this.#index;
  }

  /** Of what has a duration, 0 to 1. */
  progress(at: number): number {
    const total = durationOf(this.plan);
    if (this.#state === 'finished') return 1;
    const { step } = this;
    const gone = step && step.step.type !== 'text' ? Math.min(step.step.duration, at - (this.#seen ?? at)) : 0;
    return total ? Math.min(1, (this.#before + gone) / total) : 0;
  }

  /** When the step ends by itself; Infinity for one that waits for the person. */
  get due(): number {
    const { step } = this;
    if (!step || step.step.type === 'text') return Infinity;
    return (this.#seen ?? this.#asked) + step.step.duration;
  }

  begin(at: number): void {
    if (this.#state !== 'ready')
      throw new FoveolaError('invalid-argument', 'This protocol run has already started or ended. Create a new one.');
    this.#state = 'running';
    this.#tell({ type: 'begin', at });
    this.#enter(0, at);
  }

  /** The step was on the screen at this time: its duration counts from there. */
  seen(at: number): void {
    if (this.#state !== 'running' || this.#seen !== null) return;
    this.#seen = Math.max(at, this.#asked);
    const { label } = this.step!.step as { label?: string };
    this.#tell({ type: 'step', at: this.#seen, index: this.#index, ...(label !== undefined && { label }) });
  }

  /** Goes on where the step's time is over; true where another one is to be shown. */
  advance(at: number): boolean {
    if (this.#state !== 'running' || this.#seen === null || at < this.due) return false;
    return this.#next(at);
  }

  /** The person has pressed the key; true where another step is to be shown. */
  answer(at: number): boolean {
    const { step } = this;
    if (!step || !waitsForPerson(step.step)) return false;
    this.#tell({ type: 'answer', at, index: this.#index });
    return this.#next(at);
  }

  /** A marker came from outside; true where another step is to be shown. */
  signal(label: string, at: number): boolean {
    if (this.#state !== 'running') return false;
    this.#tell({ type: 'signal', at, label });
    const { step } = this.step!;
    return step.type === 'wait' && step.for === label ? this.#next(at) : false;
  }

  pause(at: number): void {
    if (this.#state !== 'running') return;
    this.#state = 'paused';
    this.#tell({ type: 'pause', at });
  }

  /** Goes on with the step that was cut short, from its beginning: half a flash measures nothing. */
  resume(at: number): void {
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    this.#tell({ type: 'resume', at });
    this.#asked = at;
    this.#seen = null;
  }

  abort(at: number): void {
    if (this.#state === 'finished' || this.#state === 'aborted') return;
    this.#state = 'aborted';
    this.#tell({ type: 'abort', at });
  }

  #enter(index: number, at: number): void {
    this.#index = index;
    this.#asked = at;
    this.#seen = null;
  }

  #next(at: number): boolean {
    const { step } = this.step!;
    this.#tell({ type: 'end', at, index: this.#index });
    if (step.type !== 'text') this.#before += step.duration;
    if (this.#index + 1 < this.plan.length) {
      this.#enter(this.#index + 1, at);
      return true;
    }
    this.#state = 'finished';
    this.#tell({ type: 'finish', at });
    return false;
  }

  #tell(event: RunEvent): void {
    this.events.push(event);
  }
}
