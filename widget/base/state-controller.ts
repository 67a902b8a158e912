/** State of an element as seen by pages: state attributes for CSS, state events, errors, announcements. */
import type { FoveolaError } from '../../src/index.ts';
import type { ElementState, Meaning, StateDetail, AnyResult } from './kind.ts';
import type { Host } from './host.ts';

const announceAfter = 1200;
const unknown: Meaning = { tracking: false, blink: false };
/** Errors that the element causes itself. They are not reported. */
const isOwn = ({ code }: FoveolaError) => code === 'aborted' || code === 'disposed';

export class StateController<R extends AnyResult> {
  readonly #host: Host<R>;
  #announceTimer = 0;

  constructor(host: Host<R>) {
    this.#host = host;
    host.add(this);
  }

  get #shown() {
    return this.#host.shown;
  }

  get phase(): ElementState {
    return this.#shown.phase;
  }

  get meaning(): Meaning {
    return this.#shown.meaning ?? unknown;
  }

  /** The last error. Null after the next valid source. */
  get error(): FoveolaError | null {
    return this.#shown.failure ?? this.#shown.shortfall;
  }

  /** A frame exists, but the tracked object is not in it. */
  get #lost(): boolean {
    const { meaning } = this.#shown;
    return meaning !== null && !meaning.tracking && !meaning.blink;
  }

  setPhase(phase: ElementState): void {
    if (!this.#host.store.set({ phase })) return;
    const { element } = this.#host;
    element.toggleAttribute('running', phase === 'running');
    element.toggleAttribute('analysing', phase === 'analysing');
    if (phase === 'idle' || phase === 'loading' || phase === 'error') this.setMeaning(null);
    this.#changed();
  }

  /** Called for each result. Attributes are only changed if needed. Null: nothing is known. */
  setMeaning(next: Meaning | null): void {
    const { meaning } = this.#shown;
    if (next?.tracking === meaning?.tracking && next?.blink === meaning?.blink) return;
    const [before, wasLost] = [this.meaning, this.#lost];
    this.#host.store.set({ meaning: next && { tracking: next.tracking, blink: next.blink } });
    const { tracking, blink } = this.meaning;
    if (tracking === before.tracking && blink === before.blink && this.#lost === wasLost) return;
    const { element } = this.#host;
    element.toggleAttribute('tracking', tracking);
    element.toggleAttribute('blink', blink);
    element.toggleAttribute('lost', this.#lost);
    this.#changed();
  }

  setRecording(recording: boolean): void {
    if (!this.#host.store.set({ recording })) return;
    this.#host.element.toggleAttribute('recording', recording);
    this.#changed();
  }

  /** Shows an error and reports it. */
  fail(error: FoveolaError): void {
    if (isOwn(error)) return;
    const { failure } = this.#shown;
    const repeated = failure?.code === error.code && failure.message === error.message;
    this.#host.store.set({ failure: error });
    this.#host.element.setAttribute('error', error.code);
    this.setPhase('error');
    if (!repeated) this.#host.emit('error', error);
  }

  clearFailure(): void {
    if (this.#host.store.set({ failure: null })) this.#showCode();
  }

  /** Shows and reports a problem that does not stop the element. Null: it is solved or no longer relevant. */
  setShortfall(shortfall: FoveolaError | null): void {
    if (shortfall && isOwn(shortfall)) return;
    this.#host.store.set({ shortfall });
    this.#showCode();
    if (shortfall) this.#host.emit('error', shortfall);
  }

  #showCode(): void {
    const { error } = this;
    if (error) this.#host.element.setAttribute('error', error.code);
    else this.#host.element.removeAttribute('error');
  }

  /** Text of the badge and the announcement. */
  get text(): string {
    const own = this.#host.kind.stateText?.();
    if (own !== undefined) return own;
    const { phase } = this;
    const words = this.#host.strings.states;
    if (phase !== 'running' && phase !== 'paused' && phase !== 'finished') return words[phase];
    if (this.meaning.blink) return words.blink;
    if (this.meaning.tracking) return phase === 'running' ? words.tracking : words[phase];
    return this.#lost ? words.lost : words[phase];
  }

  /** Announces text to screen readers. */
  announce(announced: string): void {
    clearTimeout(this.#announceTimer);
    this.#host.store.set({ announced });
  }

  /** Removes the last announcement, which is no longer true. */
  silence(): void {
    this.#host.store.set({ announced: '' });
  }

  #changed(): void {
    const { phase: state, recording } = this.#shown;
    this.#host.emit<StateDetail>('state', { state, recording, ...this.meaning });
    clearTimeout(this.#announceTimer);
    // Short blinks are not announced, lasting states are.
    this.#announceTimer = window.setTimeout(() => this.#host.store.set({ announced: this.text }), announceAfter);
  }

  hostDisconnected(): void {
    clearTimeout(this.#announceTimer);
  }

  left(): void {
    clearTimeout(this.#announceTimer);
  }
}
