/**
 * State of a running protocol: the current step, when it started, and what ends it. It has no clock and no screen. The
 * caller passes the time (milliseconds that never decrease), displays `step` and reports when the person saw it.
 */
import { FoveolaError } from '../runtime/error.ts';
import { durationOf, planOf, type PlannedStep, type Protocol, type SeenStep } from './protocol.ts';

export type RunState = 'ready' | 'running' | 'paused' | 'finished' | 'aborted';

/** The events of a run, in order of time. */
export interface RunEvent {
  readonly type: 'begin' | 'step' | 'end' | 'answer' | 'signal' | 'pause' | 'resume' | 'finish' | 'abort';
  /** Time on the clock of the run. For the onset of a step: when the person saw it. */
  readonly at: number;
  /** For 'step' and 'end': index in the plan. */
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
  /** When the step was requested, and when the person saw it. */
  #asked = 0;
  #seen: number | null = null;
  /** Total duration of the previous steps that have a duration, ms. */
  #before = 0;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.plan = planOf(protocol);
  }

  get state(): RunState {
    return this.#state;
  }

  /** The step that the person sees now. Null before the start, at the end and during a pause. */
  get step(): PlannedStep | null {
    return this.#state === 'running' ? (this.plan[this.#index] ?? null) : null;
  }

  get index(): number {
    return this.#index;
  }

  /** Progress from 0 to 1. Only steps that have a duration count. */
  progress(at: number): number {
    const total = durationOf(this.plan);
    if (this.#state === 'finished') return 1;
    const { step } = this;
    const gone = step && step.step.type !== 'text' ? Math.min(step.step.duration, at - (this.#seen ?? at)) : 0;
    return total ? Math.min(1, (this.#before + gone) / total) : 0;
  }

  /** When the step ends by itself. Infinity if it waits for the person. */
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

  /** Reports that the step was on the screen at this time. Its duration starts here. */
  seen(at: number): void {
    if (this.#state !== 'running' || this.#seen !== null) return;
    this.#seen = Math.max(at, this.#asked);
    const { label } = this.step!.step as { label?: string };
    this.#tell({ type: 'step', at: this.#seen, index: this.#index, ...(label !== undefined && { label }) });
  }

  /** Moves on if the time of the step is over. Returns true if another step must be shown. */
  advance(at: number): boolean {
    if (this.#state !== 'running' || this.#seen === null || at < this.due) return false;
    return this.#next(at);
  }

  /** Reports that the person pressed the key. Returns true if another step must be shown. */
  answer(at: number): boolean {
    const { step } = this;
    if (!step || !waitsForPerson(step.step)) return false;
    this.#tell({ type: 'answer', at, index: this.#index });
    return this.#next(at);
  }

  /** Reports an external marker. Returns true if another step must be shown. */
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

  /** Restarts the interrupted step from its beginning, because half a flash measures nothing. */
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
