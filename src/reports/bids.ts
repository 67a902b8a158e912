/**
 * Pupil and gaze as tables in the format of BIDS eye tracking (PhysioType 'eyetrack'). One recording per eye, without a
 * header line, with the columns timestamp, x_coordinate, y_coordinate and pupil_size. A JSON file next to it describes
 * the columns. Blinks, closures and losses are in a table of events. Field names follow the schema of the BIDS
 * specification (rules/sidecars/continuous.yaml).
 */
import { eventKinds } from '../results/event-list.ts';
import { sideUnknown } from '../results/laterality.ts';
import { notice } from '../results/recording.ts';
import type { EventSpan, Laterality } from '../results/types.ts';
import { shown } from '../runtime/check.ts';
import { version } from '../results/version.ts';
import { RecordCheck } from './check.ts';
import type { BlinkSpan } from './report.ts';

export interface BidsInput {
  /** Prefix of the file names, made of entities: 'sub-01_task-light'. */
  name: string;
  /** The eye of the person. 'cyclopean' if both eyes were combined. */
  recordedEye: 'left' | 'right' | 'cyclopean';
  /** Milliseconds, in increasing order. */
  timestamp: ArrayLike<number>;
  /** Position of gaze or pupil. NaN if it is not known. Pass both x and y, or neither. */
  x?: ArrayLike<number>;
  y?: ArrayLike<number>;
  /** Coordinate system of x and y. 'eye-in-head' for the pupil in the image of the eye. */
  coordinateSystem?: 'gaze-on-screen' | 'gaze-in-world' | 'eye-in-head';
  coordinateUnit?: 'pixel' | 'mm' | 'cm' | 'deg';
  /** Diameter. NaN if it is not known. */
  pupil?: ArrayLike<number>;
  pupilUnit?: 'px' | 'mm';
  /** Samples per second. Default: computed from the timestamps. */
  rate?: number;
  /** Seconds from the start of the related activity (a scan, a task) to the first sample. */
  startTime?: number;
  /** Blinks, closures and losses of this eye, as listed by `cleanSeries`. */
  events?: readonly EventSpan[];
  /** Blinks only, for sources without other events. */
  blinks?: readonly BlinkSpan[];
  camera?: string;
  parameters?: Record<string, unknown>;
}

export interface BidsFile {
  name: string;
  text: string;
}

const check: RecordCheck = new RecordCheck('toBids');
const entities = /^sub-[A-Za-z0-9]+(_[a-z]+-[A-Za-z0-9]+)*$/;
const field = (value: number, digits: number) =>
  Number.isFinite(value) ? String(Number(value.toFixed(digits))) : 'n/a';

/**
 * Returns the files of one eye. Names that end with .gz are for compressed files. `bidsBytes` does the compression.
 * Throws 'invalid-argument'.
 */
export function toBids(input: BidsInput): BidsFile[] {
  check.object('the input', input);
  const { name, timestamp, x, y, pupil, blinks, startTime = 0 } = input;
  const events = input.events ?? (blinks && check.objects('blinks', blinks, 'blinks').map(asEvent));
  if (typeof name !== 'string' || !entities.test(name))
    check.fail('name', `must have the form 'sub-01_task-light', not ${shown(name)}.`);
  if ((input.recordedEye as Laterality) === 'unknown')
    check.fail('recordedEye', `must be 'left' or 'right': ${sideUnknown}`);
  const recordedEye = check.oneOf('recordedEye', input.recordedEye, ['left', 'right', 'cyclopean']);
  const length = timestamp?.length ?? 0;
  if (length < 1) check.fail('timestamp', 'must have at least one sample.');
  if ((x === undefined) !== (y === undefined)) check.fail(x ? 'y' : 'x', 'is missing. Pass both coordinates or none.');
  for (const [path, values] of Object.entries({ x, y, pupil }))
    if (values && values.length !== length)
      check.fail(path, `must have ${length} samples, like timestamp, not ${values.length}.`);
  for (let i = 0; i < length; i++) check.known(`timestamp[${i}]`, timestamp[i], i ? timestamp[i - 1] : undefined);
  if (pupil) check.oneOf('pupilUnit', input.pupilUnit, ['px', 'mm']);
  const system = x
    ? check.oneOf('coordinateSystem', input.coordinateSystem, ['gaze-on-screen', 'gaze-in-world', 'eye-in-head'])
    : 'eye-in-head';
  const unit = x ? check.oneOf('coordinateUnit', input.coordinateUnit, ['pixel', 'mm', 'cm', 'deg']) : 'pixel';
  check.known('startTime', startTime);
  const columns = ['timestamp', 'x_coordinate', 'y_coordinate', ...(pupil ? ['pupil_size'] : [])];
  const rows = Array.from({ length }, (_, i) =>
    [
      field(timestamp[i]!, 3),
      field(x?.[i] ?? NaN, 3),
      field(y?.[i] ?? NaN, 3),
      ...(pupil ? [field(pupil[i]!, 4)] : []),
    ].join('\t'),
  );
  const sidecar = {
    Columns: columns,
    SamplingFrequency: samplingFrequency(input, length),
    StartTime: startTime,
    PhysioType: 'eyetrack',
    RecordedEye: recordedEye,
    SampleCoordinateSystem: system,
    SampleCoordinateUnits: unit,
    EnvironmentCoordinates: 'top-left',
    Manufacturer: 'foveola',
    ...(input.camera && { ManufacturersModelName: check.text('camera', input.camera) }),
    SoftwareVersions: version,
    EyeTrackingMethod: 'video',
    FeatureDetectionSettings: check.plain('parameters', input.parameters ?? {}),
    Notice: notice,
    timestamp: { Description: 'Time of the frame on the clock of the recording.', Units: 'ms' },
    ...(x
      ? {
          x_coordinate: { Description: 'Horizontal position, to the right.', Units: unit },
          y_coordinate: { Description: 'Vertical position, downward.', Units: unit },
        }
      : {
          x_coordinate: { Description: 'Not recorded.' },
          y_coordinate: { Description: 'Not recorded.' },
        }),
    ...(pupil && {
      pupil_size: {
        Description: 'Diameter of the pupil.',
        Units: input.pupilUnit === 'mm' ? 'mm' : 'pixel',
      },
    }),
  };
  const base = `${name}_recording-${recordedEye}`;
  const files: BidsFile[] = [
    { name: `${base}_physio.tsv.gz`, text: rows.map((row) => `${row}\n`).join('') },
    { name: `${base}_physio.json`, text: `${JSON.stringify(sidecar, null, 2)}\n` },
  ];
  return events ? [...files, ...eventFiles(base, input.events ? 'events' : 'blinks', events)] : files;
}

const asEvent = (blink: BlinkSpan) => ({ ...blink, kind: 'blink' as const });

function samplingFrequency({ rate, timestamp }: BidsInput, length: number): number {
  if (rate !== undefined) return check.known('rate', rate, 1e-6);
  const duration = timestamp[length - 1]! - timestamp[0]!;
  if (!(duration > 0)) check.fail('rate', 'is missing, and the timestamps do not define it.');
  return Number(((1000 * (length - 1)) / duration).toPrecision(6));
}

function eventFiles(base: string, path: string, events: readonly Omit<EventSpan, 'final'>[]): BidsFile[] {
  const rows = check.objects(path, events, path).map(({ kind, onset, offset }, i) => {
    check.oneOf(`${path}[${i}].kind`, kind, eventKinds);
    check.known(`${path}[${i}].onset`, onset);
    check.known(`${path}[${i}].offset`, offset, onset);
    return [field(onset, 3), field((offset - onset) / 1000, 6), kind, kind === 'loss' ? 'n/a' : '1'].join('\t');
  });
  const sidecar = {
    Columns: ['onset', 'duration', 'trial_type', 'blink'],
    Description: 'Blinks, closures and losses of the pupil, found by foveola in its series.',
    ForeignIndexColumn: 'timestamp',
    trial_type: {
      Levels: {
        blink: 'The lid covered the pupil for the duration of a blink.',
        closure: 'The lid covered the pupil for longer.',
        loss: 'The pupil was lost for an unknown reason.',
      },
    },
    onset: {
      Description: 'Time of the first frame with a covered pupil, on the clock of the column timestamp.',
      Units: 'ms',
    },
    duration: { Description: 'Duration until the first frame with a visible pupil.', Units: 's' },
    blink: { Description: '1: the eye is closed. n/a: not known.', Levels: { 0: 'open', 1: 'shut' } },
    Notice: notice,
  };
  return [
    { name: `${base}_physioevents.tsv.gz`, text: rows.map((row) => `${row}\n`).join('') },
    { name: `${base}_physioevents.json`, text: `${JSON.stringify(sidecar, null, 2)}\n` },
  ];
}

/** Returns the bytes of a file, compressed if its name ends with .gz. */
export async function bidsBytes({ name, text }: BidsFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Blob([text]);
  const stream = name.endsWith('.gz') ? bytes.stream().pipeThrough(new CompressionStream('gzip')) : bytes.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
