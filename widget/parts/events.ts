/** The events of the elements by name, for `addEventListener`. The manifest lists the same; a test compares them. */
import type { Capabilities, FoveolaError } from '../../src/index.ts';
import type { KeptDetail } from '../kept/kept-recording.ts';

export type ElementState = 'idle' | 'loading' | 'running' | 'paused' | 'finished' | 'analysing' | 'error';

/** What a result means for the state attributes. */
export interface Meaning {
  tracking: boolean;
  blink: boolean;
}

export interface StateDetail extends Meaning {
  state: ElementState;
  recording: boolean;
}

/** How far the opening of a source, the loading of a model, an analysis or a filling is. */
export interface ProgressDetail {
  /** 0 to 1; null where the recording does not say how long it is. */
  done: number | null;
  /** Of an analysis: frames so far, and the time in the recording in milliseconds. */
  frames?: number;
  mediaTime?: number;
  /** Of a model: bytes that are there, and bytes of the whole; null where the server does not say. */
  loaded?: number;
  total?: number | null;
  /** Of a filling: patches so far. */
  patches?: number;
}

export interface FoveolaEventMap<R> extends HTMLElementEventMap {
  'foveola-ready': CustomEvent<Capabilities>;
  'foveola-result': CustomEvent<R>;
  'foveola-state': CustomEvent<StateDetail>;
  'foveola-error': CustomEvent<FoveolaError>;
  'foveola-progress': CustomEvent<ProgressDetail>;
  'foveola-kept': CustomEvent<KeptDetail>;
}

/** A listener as a function or as an object. */
export type FoveolaListener<E> = ((event: E) => unknown) | { handleEvent(event: E): unknown };
