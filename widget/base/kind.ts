/**
 * The kind of an element: it defines for the shared parts what is tracked, drawn, recorded and shown. Also the
 * messages between parts while a source is opened, processed and closed.
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
import type { KeptDetail } from '../tools/storage/keeping.ts';
import type { nothing, PropertyValues, TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import type { AnalysisResult } from '../tools/analysis.ts';
import type { ElementEngine, ElementTracker } from './engine.ts';
import type { Feed } from './feed.ts';
import type { View } from './overlay.ts';
import type { Menus, Primary } from './toolbar.ts';
import type { KeyHelp } from './views.ts';

// Events of the elements by name, for `addEventListener`. The manifest has the same list, and a test compares both.

export type ElementState = 'idle' | 'loading' | 'running' | 'paused' | 'finished' | 'analysing' | 'error';

/** Effect of a result on the state attributes. */
export interface Meaning {
  tracking: boolean;
  blink: boolean;
}

export interface StateDetail extends Meaning {
  state: ElementState;
  recording: boolean;
}

/** Progress of opening a source, loading a model, an analysis or a filling. */
export interface ProgressDetail {
  /** 0 to 1. Null if the recording does not contain its duration. */
  done: number | null;
  /** Analysis: number of frames so far, and the media time in milliseconds. */
  frames?: number;
  mediaTime?: number;
  /** Model: loaded and total bytes. Null if the server does not report the size. */
  loaded?: number;
  total?: number | null;
  /** Filling: number of patches so far. */
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

/** Common fields of all results. */
export interface AnyResult {
  timestamp: number;
  dropped: number;
  /** Backend that computed the result, if it is reported. */
  backend?: ResultBackend;
  /** True if tracking state was lost with the engine's worker. */
  restarted?: true;
}

/** Values of parameters by their names. */
export type Settings = Record<string, unknown>;

export type Rendered = TemplateResult | typeof nothing;

/** Charts as the menus see them. */
export interface ChartMenu {
  /** Null until they have loaded. */
  readonly set: {
    readonly usable: boolean;
    run(work: (tools: { save(both: boolean): unknown; copy(all: boolean): unknown }) => unknown): void;
  } | null;
}

/** Settings of the element itself in the panel: above the first parameters, with them, and below them. */
export interface PanelExtra {
  readonly above?: Rendered;
  readonly first?: Rendered;
  readonly more?: Rendered;
}

/** Messages to every part of an element, in the order in which the parts were added, and to the element last. */
export interface Hooks<R> {
  /**
   * A source will be opened: the value that was set, or its URL. Null: none. A new value each time a camera is opened.
   */
  sourceChosen?(source: unknown): void;
  /** A source is open. Its tracker is created next. */
  opened?(feed: Feed): void;
  /** A new source is open. */
  begin?(feed: Feed): void;
  /** A frame was processed, during playback or an analysis: overlay, chart, readout, recording. */
  present?(result: R, timing: FrameTiming): void;
  /** A frame with a known result is displayed again. Nothing was measured. */
  recalled?(result: R): void;
  /** The event of this result was dispatched to the page. */
  published?(result: R): void;
  /** A frame or the opening of a source has failed. */
  failed?(): void;
  /** During an analysis by playback, the source no longer produces frames. */
  unsupplied?(error: FoveolaError): void;
  /** The tracker uses other parameters, starting now. */
  parametersChanged?(parameters: Settings): void;
  /** Playback has started or stopped, or may have. */
  playback?(): void;
  /** The position of the image in the stage has changed. */
  viewChanged?(view: View, overlay: HTMLCanvasElement): void;
  /** The result of the displayed image is no longer known. */
  forgetFrame?(): void;
  /** Measured data is discarded with its source, before the next source opens. */
  forget?(): void;
  /** The current recording ends. */
  endRecording?(): void;
  /** The source will be closed. User actions on it are discarded. */
  closing?(): void;
  /** An analysis starts, or its rows are complete. `analysisEnded`: its result is displayed. */
  analysis?(step: 'begins' | AnalysisResult): void;
  analysisEnded?(): void;
  /** A video is being written: it starts, the result of its next frame, it has ended. This is not a measurement. */
  writing?(step: 'begins' | R | 'ended'): void;
  /** A marker was set or removed. */
  marked?(label: string, timestamp: number): void;
  unmarked?(label: string, timestamp: number): void;
  /** The rows of the open recording were corrected by hand. Its events after the corrections. */
  corrected?(events: readonly EyeEvent[]): void;
  /** The element was rendered again. */
  updated?(changed: PropertyValues): void;
  /** The element was permanently removed from the page. Each part releases its resources. */
  left?(): void;
}

/** What an element measures: its tracker, and the meaning of a result in states, rows and events. */
interface MeasureKind<R extends AnyResult> {
  /**
   * Returns a promise if models have to load first. `analysis`: for a recording that is analyzed from its beginning.
   */
  createTracker(
    engine: ElementEngine,
    parameters: Settings,
    analysis: boolean,
  ): ElementTracker<R> | Promise<ElementTracker<R>>;
  /** Null: the result has no meaning yet. */
  meaningOf(result: R): Meaning | null;
  /** Parameters that do not affect the measurement. */
  readonly unmeasured?: readonly string[];
  /** Additional properties whose change restarts the source with a new tracker. */
  readonly reloadOn?: readonly string[];
  /** Only still frames are processed: paused, or after a step. */
  standingOnly?(): boolean;
  /** Results contain whole images, so they are not stored for display. */
  readonly largeResults?: boolean;
  /** The source cannot be analyzed frame by frame. */
  readonly notAnalysable?: boolean;
  /** Opened recordings play. They are analyzed only when the user asks for it. */
  readonly playsFirst?: boolean;
  /** The first frame of a recording that will be analyzed is on screen. Returns whether the analysis can start. */
  ready?(): boolean;
  /** The result should be checked by the user. */
  doubtful?(result: R): boolean;
  columns(): readonly Column[];
  rowsOf(result: R, timing: FrameTiming): number[][];
  /** Events in the result, such as blinks. */
  eventsOf?(result: R): readonly EyeEvent[];
  /** States of the lids that results can have, in the legend of the timeline. */
  readonly lids?: readonly ('blink' | 'closure')[];
  /** A stored result, updated with what is known now. */
  settled?(result: R, events: EventList): R;
  /** Export options in addition to the format. */
  exportOptions?(): object;
}

/** How an element shows a result: over the image, below it, and in words. */
interface DrawKind {
  /** Accessible name of the element. */
  title(): string;
  /** Strings of this element that replace general ones. */
  words?(general: Strings): Strings;
  /** Text of the badge and the announcement. Undefined: the usual text. */
  stateText?(): string | undefined;
  /** The badge turns. */
  busy?(): boolean;
  /** Draws the result of the displayed image over it. */
  draw(): void;
  /** The drawing hides something that must stay hidden. It stays even if the video may already show the next frame. */
  covers?(): boolean;
  /** Numbers and other content below the image. */
  readout(): Rendered;
  /** State of the toolbar switch for border points or similar. Null if the element has none now. */
  pointsShown?(): boolean | null;
  togglePoints?(): void;
}

/** The parameters of an element: their table and panel, and their conversion for the tracker. */
interface ParameterKind {
  /** Parameters in the panel. Null: no panel. */
  table?(): ParameterTable;
  /** Parameters that are also properties of the element with the same name. Null in the property means: not set. */
  readonly ownParameters?: readonly string[];
  /** If the panel does not show all set values: the values that it shows, and the effect of a change in it. */
  panelGiven?(): Settings;
  panelChange?(changes: Settings): Settings;
  /** Additional settings in the panel. */
  panelExtra?(): Rendered | PanelExtra;
  /** Converts the settings to the tracker's parameters. */
  parameters?(given: Settings): Settings;
  /** Default of a setting, if the table does not define it. Undefined: only a new tracker knows. */
  defaultOf?(name: string): unknown;
  /** Members of a settings file in addition to the settings, and their values from a loaded file. */
  moreSettings?(): Settings;
  takeSettings?(file: Settings): void;
  /** Checks the settings that are not in a table, and returns the others. */
  checkSettings?(settings: Settings): Settings;
}

/** The own tools of an element: layers over the image, buttons, keys, files. */
interface ToolKind {
  /** Layers over the image, for example a ShapeTool's element. */
  tools?(): unknown;
  /** Additional toolbar buttons, created by `button` of views.ts. */
  buttons?(): Rendered;
  /** The primary action, if it is not the usual one. Null: none now. Undefined: the usual one. */
  primary?(): Primary | null | undefined;
  /** Items of the menus that only this element has. */
  menus?(): Menus;
  /** Its exports replace the usual ones. */
  readonly ownExports?: boolean;
  /** Additional keys of the element for the list of keys, and names of common keys that it does not use. */
  keys?(): KeyHelp;
  unusedKeys?(): readonly string[];
  /** Handles an additional key of the element. Returns whether it did. */
  onKey?(event: KeyboardEvent): boolean;
  /** Handles a file that is not a source but belongs to this element. Returns whether it did. */
  takesFile?(file: File): boolean;
  /** The next file of a batch will be opened. Settings for the previous file also apply to it. */
  nextFile?(): void;
  /** A file of a batch has its result. Null: a batch begins. Resolves with whether it is in the table. */
  batched?(file: { name: string; file: File } | null): Promise<boolean>;
  /** Table of the files of a batch that have a result. */
  batchTable?(): HTMLElement | null;
}

/** The four contracts of an element, and the messages that it takes like its parts. */
export interface ElementKind<R extends AnyResult> extends Hooks<R>, MeasureKind<R>, DrawKind, ParameterKind, ToolKind {}
