/**
 * What an element says of itself: the table from which the parts that all elements share learn what is tracked, drawn,
 * recorded and shown. And what they tell each other while a source comes, is processed and goes.
 */
import type {
  Capabilities,
  FoveolaError,
  Column,
  EventList,
  EyeEvent,
  FrameTiming,
  ParameterTable,
  ResultBackend,
} from '../../src/index.ts';
import type { KeptDetail } from '../kept/kept-recording.ts';
import type { nothing, PropertyValues, TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import type { AnalysisResult } from './analysis.ts';
import type { ElementEngine, ElementTracker } from './engine.ts';
import type { Feed } from './feed.ts';
import type { View } from './overlay.ts';
import type { KeyHelp, ToolbarModel } from './views.ts';

// The events of the elements by name, for `addEventListener`. The manifest lists the same; a test compares them.

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

/** What every result has. */
export interface AnyResult {
  timestamp: number;
  dropped: number;
  /** The side that computed it, where it says that. */
  backend?: ResultBackend;
  /** What was known of the frames before it went with the engine's worker. */
  restarted?: true;
}

/** Values of parameters by their names. */
export type Settings = Record<string, unknown>;

export type Rendered = TemplateResult | typeof nothing;

/** Said to every part of an element in the order in which they were added, and to the element last. */
export interface Hooks<R> {
  /** A source is to be opened: as it was given, or its address; null: none. Another one each time a camera is opened. */
  sourceChosen?(source: unknown): void;
  /** A source is open; its tracker is made next. */
  opened?(feed: Feed): void;
  /** A new source is open. */
  begin?(feed: Feed): void;
  /** A frame was processed, of what plays or of an analysis: overlay, chart, readout, recording. */
  present?(result: R, timing: FrameTiming): void;
  /** A frame whose result is known is shown again: nothing was measured. */
  recalled?(result: R): void;
  /** The page has had the event of this result. */
  published?(result: R): void;
  /** A frame or the opening of a source has failed. */
  failed?(): void;
  /** The source gives no more frames to an analysis that plays it. */
  unsupplied?(error: FoveolaError): void;
  /** The tracker has other parameters from now on. */
  parametersChanged?(parameters: Settings): void;
  /** Playing has begun or ended, or may have. */
  playback?(): void;
  /** Where the picture lies in the stage has changed. */
  viewChanged?(view: View, overlay: HTMLCanvasElement): void;
  /** Nothing is known any more of the picture that is shown. */
  forgetFrame?(): void;
  /** What was measured goes with its source, before the next one is opened. */
  forget?(): void;
  /** What is being recorded ends. */
  endRecording?(): void;
  /** The source is about to be closed: what the user did to it goes with it. */
  closing?(): void;
  /** An analysis begins, or its rows are complete; `analysisEnded`: it is shown. */
  analysis?(step: 'begins' | AnalysisResult): void;
  analysisEnded?(): void;
  /** A video is written: it begins, of its next frame this is the result, it has ended. Nothing was measured by that. */
  writing?(step: 'begins' | R | 'ended'): void;
  /** A marker was set, or taken back. */
  marked?(label: string, timestamp: number): void;
  unmarked?(label: string, timestamp: number): void;
  /** The element was rendered again. */
  updated?(changed: PropertyValues): void;
  /** The element is gone from the page for good; whatever a part holds goes too. */
  left?(): void;
}

export interface ElementKind<R extends AnyResult> extends Hooks<R> {
  /** Name of the whole for assistive technology. */
  title(): string;
  /** Words of this element in the places of the general ones. */
  words?(general: Strings): Strings;

  /** A promise where models are loaded first. `analysis`: for a recording that is analysed from its beginning. */
  createTracker(
    engine: ElementEngine,
    parameters: Settings,
    analysis: boolean,
  ): ElementTracker<R> | Promise<ElementTracker<R>>;
  /** Null: the result says nothing yet. */
  meaningOf(result: R): Meaning | null;
  /** Parameters that change nothing that is measured. */
  readonly unmeasured?: readonly string[];
  /** Further properties with which a new tracker begins, and the source starts again. */
  readonly reloadOn?: readonly string[];
  /** Frames are processed only where they stand: paused, or by a step. */
  standingOnly?(): boolean;
  /** Results hold whole pictures: they are not kept to be shown again. */
  readonly largeResults?: boolean;
  /** Takes a file that is no source, where it is one of its own; returns whether it did. */
  takesFile?(file: File): boolean;
  /** One of several files is about to be opened: what was said of another one holds for it too. */
  nextFile?(): void;
  /** Cannot be analysed frame by frame. */
  readonly notAnalysable?: boolean;

  /** What is drawn hides what must not be seen: it stays, though the frame below it may be the next one. */
  covers?(): boolean;
  /** Draws the result of the picture that is shown over it. */
  draw(): void;
  columns(): readonly Column[];
  rowsOf(result: R, timing: FrameTiming): number[][];
  /** Blinks and the like, where its results have them. */
  eventsOf?(result: R): readonly EyeEvent[];
  /** A result that is shown again, as it is known now. */
  settled?(result: R, events: EventList): R;
  /** How its recordings are exported, for one that is written piece by piece. */
  exportOptions?(): object;

  /** What the panel offers; null: there is none. */
  table?(): ParameterTable;
  /** Parameters that are properties of the element under the same name; null there means: not given. */
  readonly ownParameters?: readonly string[];
  /** Parameters that stand first in the panel (all, where the table has none of them), and those that it does not show. */
  readonly panelFirst?: readonly string[];
  readonly panelHidden?: readonly string[];
  /** What the panel shows and changes, where that is not all that is given: what is given there, and what a change means. */
  panelGiven?(): Settings;
  panelChange?(changes: Settings): Settings;
  /** Named settings that come with the element; each gives some parameters and leaves the others. */
  readonly presets?: Readonly<Record<string, Settings>>;
  /** What the tracker gets of what was given. */
  parameters?(given: Settings): Settings;
  /** What a setting is when it is not given, where the table does not say; undefined: only a new tracker knows. */
  defaultOf?(name: string): unknown;
  /** Checks the settings that are in no table and returns the others. */
  checkSettings?(settings: Settings): Settings;
  /** Further settings in the panel. */
  panelExtra?(): Rendered;

  /** Numbers and the like below the picture. */
  readout(): Rendered;
  /** Layers over the picture, for instance a ShapeTool's element. */
  tools?(): unknown;
  /** In the place of the progress of an analysis. */
  progress?(analysis: () => Rendered): Rendered;
  /** Buttons of the element's own in the toolbar, made by `button` of views.ts. */
  buttons?(): Rendered;
  /** Changes what the toolbar offers. */
  toolbar?(model: ToolbarModel): ToolbarModel;
  /** A switch of the toolbar for border points and the like; null where there are none now. */
  pointsShown?(): boolean | null;
  togglePoints?(): void;
  /** Keys of the element's own, for the list of keys, and common keys that it has no use for, by their names. */
  keys?(): KeyHelp;
  unusedKeys?(): readonly string[];
  /** Does what a key of the element's own asks for; returns whether it was one. */
  onKey?(event: KeyboardEvent): boolean;
  /** Words for the badge and for the announcement; undefined: the usual ones. */
  stateText?(): string | undefined;
}
