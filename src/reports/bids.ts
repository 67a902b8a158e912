/**
 * Pupil and gaze as files of BIDS 1.11 eye tracking (PhysioType 'eyetrack'). One recording per eye, without a header
 * line, with the columns timestamp, x_coordinate, y_coordinate and pupil_size. Blinks, closures, losses, steps of a test
 * and markers are physioevents on the same clock. Sidecars contain only fields of the BIDS schema 1.11.2
 * (rules/sidecars/continuous.yaml, rules/tabular_data/physio.yaml, rules/checks/eyetrack.yaml).
 */
import { sideUnknown } from '../results/laterality.ts';
import { notice } from '../results/recording.ts';
import type { Laterality } from '../results/types.ts';
import { shown } from '../runtime/check.ts';
import { version } from '../results/version.ts';
import {
  check,
  eventsOf,
  field,
  json,
  lines,
  physioEvents,
  taskEvents,
  type BidsEvents,
  type BidsFile,
  type BidsScreen,
} from './bids-events.ts';

export interface BidsInput extends BidsEvents {
  /** Prefix of the file names, made of entities, with a task: 'sub-01_task-light'. */
  name: string;
  /** The eye of the person. 'cyclopean' if both eyes were combined. */
  recordedEye: 'left' | 'right' | 'cyclopean';
  /** Milliseconds, in increasing order. */
  timestamp: ArrayLike<number>;
  /** Position of gaze or pupil. NaN if it is not known. Pass both x and y, or neither. */
  x?: ArrayLike<number>;
  y?: ArrayLike<number>;
  /**
   * Coordinate system of x and y. 'eye-in-head' for the pupil in the image of the eye. 'gaze-on-screen' needs `screen`.
   */
  coordinateSystem?: 'gaze-on-screen' | 'gaze-in-world' | 'eye-in-head';
  coordinateUnit?: 'pixel' | 'mm' | 'cm' | 'deg';
  /** Diameter. NaN if it is not known. */
  pupil?: ArrayLike<number>;
  pupilUnit?: 'px' | 'mm';
  /** Samples per second. Default: computed from the timestamps. */
  rate?: number;
  /** Seconds from the start of the related activity (a scan, a task) to the first sample. */
  startTime?: number;
  screen?: BidsScreen;
  camera?: string;
  /** Settings of tracking and cleaning. They become RawDataFilters, and `fit` also PupilFitMethod. */
  parameters?: Record<string, unknown>;
}

const entities = /^sub-[A-Za-z0-9]+(_[a-z]+-[A-Za-z0-9]+)*$/;
/** BIDS counts recorded eyes. Here, a number always means the same eye. */
const labels = { left: 'eye1', right: 'eye2', cyclopean: 'cyclopean' } as const;

/**
 * Returns the files of one eye: physio, physioevents if there are events, and events (of the task) if there are steps,
 * markers or a screen. Two eyes share the latter. Names that end with .gz are for compressed files. `bidsBytes` does the
 * compression. Throws 'invalid-argument'.
 */
export function toBids(input: BidsInput): BidsFile[] {
  check.object('the input', input);
  const { name } = input;
  checkSamples(input);
  const recordedEye = check.oneOf('recordedEye', input.recordedEye, ['left', 'right', 'cyclopean']);
  const base = `${name}_recording-${labels[recordedEye]}`;
  const task = /_task-([A-Za-z0-9]+)/.exec(name)![1]!;
  const events = eventsOf(input);
  const { steps, markers, screen } = input;
  return [
    { name: `${base}_physio.tsv.gz`, text: lines(samplesOf(input)) },
    { name: `${base}_physio.json`, text: json(physioSidecar(input, recordedEye, task)) },
    ...(events ? physioEvents(base, events) : []),
    ...(steps || markers || screen ? taskEvents(name, task, input, events ?? []) : []),
  ];
}

function checkSamples({ name, recordedEye, timestamp, x, y, pupil, pupilUnit, startTime = 0, ...input }: BidsInput) {
  if (typeof name !== 'string' || !entities.test(name) || !/_task-/.test(name) || /_recording-/.test(name))
    check.fail('name', `must have the form 'sub-01_task-light', without recording, not ${shown(name)}.`);
  if ((recordedEye as Laterality) === 'unknown') check.fail('recordedEye', `must be 'left' or 'right': ${sideUnknown}`);
  const length = timestamp?.length ?? 0;
  if (length < 1) check.fail('timestamp', 'must have at least one sample.');
  if ((x === undefined) !== (y === undefined)) check.fail(x ? 'y' : 'x', 'is missing. Pass both coordinates or none.');
  for (const [path, values] of Object.entries({ x, y, pupil }))
    if (values && values.length !== length)
      check.fail(path, `must have ${length} samples, like timestamp, not ${values.length}.`);
  for (let i = 0; i < length; i++) check.known(`timestamp[${i}]`, timestamp[i], i ? timestamp[i - 1] : undefined);
  if (pupil) check.oneOf('pupilUnit', pupilUnit, ['px', 'mm']);
  if (x) {
    const systems = ['gaze-on-screen', 'gaze-in-world', 'eye-in-head'] as const;
    const system = check.oneOf('coordinateSystem', input.coordinateSystem, systems);
    check.oneOf('coordinateUnit', input.coordinateUnit, ['pixel', 'mm', 'cm', 'deg']);
    if (system === 'gaze-on-screen' && !input.screen)
      check.fail(
        'screen',
        "is missing. BIDS requires size, resolution and distance of the screen for 'gaze-on-screen'.",
      );
  }
  check.known('startTime', startTime);
}

function samplesOf({ timestamp, x, y, pupil }: BidsInput): string[][] {
  return Array.from({ length: timestamp.length }, (_, i) => [
    field(timestamp[i]!, 3),
    field(x?.[i] ?? NaN, 3),
    field(y?.[i] ?? NaN, 3),
    ...(pupil ? [field(pupil[i]!, 4)] : []),
  ]);
}

/** 'method robust; fit ellipse; smooth {"cutoff":1.5}', without the quotes of texts. */
const settings = (parameters: Record<string, unknown>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');

function physioSidecar(input: BidsInput, recordedEye: BidsInput['recordedEye'], task: string) {
  const { x, pupil, pupilUnit, startTime = 0, coordinateUnit } = input;
  const camera = check.text('camera', input.camera);
  const parameters = check.plain('parameters', input.parameters ?? {});
  const position = (direction: string) =>
    x ? { Description: `${direction}.`, Units: coordinateUnit } : { Description: 'Not recorded.' };
  return {
    TaskName: task,
    Columns: ['timestamp', 'x_coordinate', 'y_coordinate', ...(pupil ? ['pupil_size'] : [])],
    SamplingFrequency: samplingFrequency(input, input.timestamp.length),
    StartTime: startTime,
    PhysioType: 'eyetrack',
    RecordedEye: recordedEye,
    SampleCoordinateSystem: x ? input.coordinateSystem : 'eye-in-head',
    Manufacturer: 'foveola',
    ...(camera && { ManufacturersModelName: camera }),
    SoftwareVersions: `foveola ${version}. ${notice}`,
    EyeTrackingMethod: 'video',
    ...(typeof parameters.fit === 'string' && { PupilFitMethod: parameters.fit }),
    ...(Object.keys(parameters).length && { RawDataFilters: settings(parameters) }),
    timestamp: { Description: 'Time of the frame on the clock of the recording.', Units: 'ms' },
    x_coordinate: position('Horizontal position, to the right'),
    y_coordinate: position('Vertical position, downward'),
    ...(pupil && {
      pupil_size: { Description: 'Diameter of the pupil.', Units: pupilUnit === 'mm' ? 'mm' : 'pixel' },
    }),
  };
}

function samplingFrequency({ rate, timestamp }: BidsInput, length: number): number {
  if (rate !== undefined) return check.known('rate', rate, 1e-6);
  const duration = timestamp[length - 1]! - timestamp[0]!;
  if (!(duration > 0)) check.fail('rate', 'is missing, and the timestamps do not define it.');
  return Number(((1000 * (length - 1)) / duration).toPrecision(6));
}

/** Returns the bytes of a file, compressed if its name ends with .gz. */
export async function bidsBytes({ name, text }: BidsFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Blob([text]);
  const stream = name.endsWith('.gz') ? bytes.stream().pipeThrough(new CompressionStream('gzip')) : bytes.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
