/** English strings of the elements. Other languages have the same structure, see de.ts. */
import type { FoveolaErrorCode } from '../../src/index.ts';
import * as face from '../face/face.en.ts';
import * as filter from '../filter/filter.en.ts';
import { later } from './later.en.ts';
import * as track from '../track/track.en.ts';
import * as vessels from '../vessels/vessels.en.ts';

/** Reasons why a button is disabled, and how to enable it. */
const why = {
  noSource: 'Open a source first.',
  loading: 'Wait until the source is open.',
  noVideo: 'A single image cannot be played.',
  pageVideo: 'The page paused its video. Resume it there.',
  analysing: 'The analysis must end first.',
  noRows: 'Record or analyze something first.',
  noResult: 'Wait for the vessels first.',
  noUndo: 'Nothing has changed yet.',
  noRedo: 'Nothing was undone.',
  allDefault: 'All settings are at their defaults.',
  noMask: 'Paint over something first.',
};

export const en = {
  pupilTracking: 'Pupil tracking',
  // Toolbar
  play: 'Play',
  pause: 'Pause',
  record: 'Record',
  stopRecording: 'Stop recording',
  stop: 'Stop',
  copied: 'Image copied',
  file: 'Open file',
  camera: 'Camera',
  stopCamera: 'Stop camera',
  settings: 'Settings',
  toolbar: 'Controls',
  exportMenu: 'Export',
  more: 'More',
  saveTable: 'Save table',
  // Analysis
  analyse: 'Analyze recording',
  notAnalysed: 'Not analyzed yet.',
  cancelAnalysis: 'Cancel the analysis',
  analysis: 'Analysis of the recording',
  cancel: 'Cancel',
  frameCount: (count: number) => (count === 1 ? '1 frame' : `${count} frames`),
  /** Progress of a file download. Null: its length is unknown. */
  megabytes: (loaded: string, total: string | null) => (total === null ? `${loaded} MB` : `${loaded} of ${total} MB`),
  secondsLeft: (seconds: number) => `${seconds} s left`,
  // Settings
  undo: 'Undo',
  redo: 'Redo',
  undone: 'Undone',
  redone: 'Redone',
  choosePreset: 'choose …',
  settingsLoaded: 'Settings loaded',
  calibrated: 'Calibrated',
  shapeKeys: 'Arrow keys move, Shift and arrow keys resize, Delete removes.',
  why,
  /** Effects of parameters that differ from the parameter tables, which are in English. */
  effects: {} as Record<string, string>,
  // Stage
  empty: 'No recording yet',
  emptyHint: 'Drop a video or an image of an eye here, or choose a source. Nothing leaves this page.',
  startCamera: 'Start camera',
  chooseFile: 'Choose a file',
  drop: 'Drop to open',
  loading: 'Loading …',
  stage: 'Video with the tracked pupil',
  face: face.words,
  filter: filter.words,
  vessels: vessels.words,
  // States, shown as a badge and read aloud
  states: {
    idle: 'No source',
    loading: 'Loading',
    running: 'Running',
    paused: 'Paused',
    finished: 'Finished',
    tracking: 'Tracking',
    lost: 'No pupil',
    blink: 'Blink',
    recording: 'Recording',
    analysing: 'Analyzing',
    hidden: 'Paused while hidden',
    error: 'Error',
  },
  recordingStarted: 'Recording started',
  recordingStopped: (rows: number) => `Recording stopped. Rows: ${rows}`,
  marked: (label: string) => `Marker ${label}`,
  // Readout
  diameter: 'Diameter',
  /** Share of the frames. */
  found: 'Found',
  blinks: 'Blinks',
  center: 'Center',
  confidence: 'Confidence',
  unsure: 'The pupil is not clear.',
  frameRate: 'Frames/s',
  dropped: 'Dropped frames',
  /** The person's eyes. */
  eyes: { left: 'left eye', right: 'right eye' },
  eyeLetters: { left: 'L', right: 'R' },
  /** If it is not known which eye it is: its half of the image, as displayed. */
  halves: ['left in the image', 'right in the image'],
  chart: 'Pupil diameter over time',
  seconds: 's',
  track: track.words,
  // Errors: a title each, then the advice. The library's message with the exact name, address or number is below.
  errors: {
    'no-webgl2': 'No WebGL2',
    'context-lost': 'The graphics context was lost',
    'wasm-blocked': 'WebAssembly is blocked on this page',
    'worker-blocked': 'The worker is blocked on this page',
    'worker-lost': 'The worker failed',
    'engine-stopped': 'The worker failed repeatedly',
    'asset-missing': 'A file of the package was not found',
    'asset-blocked': 'A file of the package could not be loaded',
    'camera-denied': 'Camera access was denied',
    'camera-missing': 'No camera',
    'camera-blocked-by-policy': 'A policy of the page blocks the camera',
    'insecure-context': 'The camera needs a secure page (https)',
    'built-in-replaced': 'This page has replaced built-in functions',
    'source-unsupported': 'This source cannot be used',
    'source-not-ready': 'The source is not ready',
    'source-tainted': 'The source is protected by its server',
    'network-failed': 'The connection failed',
    'decode-failed': 'The file could not be decoded',
    'image-too-large': 'The image is too large',
    'model-load': 'A model could not be loaded',
    'model-format': 'A model has the wrong format',
    'model-checksum': 'A model is damaged',
    'invalid-argument': 'A setting is not valid',
    'out-of-memory': 'Not enough memory',
    'storage-full': 'Storage is full',
    'storage-failed': 'Storage cannot be used',
    'clipboard-refused': 'Clipboard access was denied',
    aborted: 'Cancelled',
    disposed: 'Closed',
    internal: 'Something went wrong',
  } satisfies Record<FoveolaErrorCode, string> as Record<FoveolaErrorCode, string>,
  ...later,
};

export type Strings = typeof en;
