/** Events and the screen in the files of BIDS: physioevents of an eye, and events of the task. */
import { eventKinds } from '../results/event-list.ts';
import { notice, type Marker } from '../results/recording.ts';
import type { EventSpan } from '../results/types.ts';
import { version } from '../results/version.ts';
import { RecordCheck } from './check.ts';
import type { BlinkSpan } from './report.ts';

/** A step of a test, such as a flash, as in the result of `<foveola-pupil-test>`. */
export interface BidsStep {
  readonly type: string;
  readonly label?: string | null;
  /** The eye that a flash lit. */
  readonly eye?: 'both' | 'left' | 'right' | null;
  /** ms. */
  readonly onset: number;
  /** Null if the step was interrupted. */
  readonly offset: number | null;
}

/** The screen that gaze refers to or that showed the stimuli. */
export interface BidsScreen {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly millimetresPerPixel: number;
  /** From eye to screen, mm. */
  readonly distance: number;
  /** Hz. */
  readonly refreshRate?: number;
}

export interface BidsFile {
  name: string;
  text: string;
}

/** Lists of events of toBids. */
export interface BidsEvents {
  /** Blinks, closures and losses of this eye, as listed by `cleanSeries`. */
  events?: readonly EventSpan[];
  /** Blinks only, for sources without other events. */
  blinks?: readonly BlinkSpan[];
  /** Steps of a test: flashes, tasks. */
  steps?: readonly BidsStep[];
  markers?: readonly Marker[];
}

export const check: RecordCheck = new RecordCheck('toBids');
export const field = (value: number, digits: number) =>
  Number.isFinite(value) ? String(Number(value.toFixed(digits))) : 'n/a';
export const lines = (rows: readonly (readonly string[])[]) => rows.map((row) => `${row.join('\t')}\n`).join('');
export const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
/** A text as a field of a table. */
const cell = (text: string | null) => text?.replace(/\s+/g, ' ').trim() || 'n/a';

/** An event in both tables. */
export interface BidsEvent {
  onset: number;
  /** ms. NaN if it is not known. */
  duration: number;
  type: string | null;
  message: string | null;
}

/** Sorted by onset. Null if the caller passes no list of any kind. */
export function eventsOf({ events, blinks, steps, markers }: BidsEvents): BidsEvent[] | null {
  if (!events && !blinks && !steps && !markers) return null;
  const path = events ? 'events' : 'blinks';
  const given: readonly (BlinkSpan & Partial<EventSpan>)[] = events ?? blinks ?? [];
  const covered = check.objects(path, given, path).map(({ kind = 'blink', onset, offset }, i): BidsEvent => {
    const type = check.oneOf(`${path}[${i}].kind`, events ? given[i]!.kind : kind, eventKinds);
    return { ...spanOf(`${path}[${i}]`, onset, offset), type, message: null };
  });
  const shownSteps = check.objects('steps', steps ?? [], 'steps').map((step, i): BidsEvent => {
    const type = check.text(`steps[${i}].type`, step.type);
    if (!type) check.fail(`steps[${i}].type`, "must be a text, such as 'flash'.");
    const eye = step.eye ? check.oneOf(`steps[${i}].eye`, step.eye, ['both', 'left', 'right']) : null;
    const label = check.text(`steps[${i}].label`, step.label);
    const light = eye && eye !== 'both' && `light in the ${eye} eye`;
    const message = [label, light].filter(Boolean).join(', ') || null;
    return { ...spanOf(`steps[${i}]`, step.onset, step.offset), type: cell(type), message };
  });
  const marks = check.objects('markers', markers ?? [], 'markers').map(({ label, timestamp }, i): BidsEvent => {
    const message = check.text(`markers[${i}].label`, label);
    return { onset: check.known(`markers[${i}].timestamp`, timestamp), duration: 0, type: null, message };
  });
  return [...covered, ...shownSteps, ...marks].sort((a, b) => a.onset - b.onset);
}

function spanOf(path: string, onset: number, offset: number | null) {
  const start = check.known(`${path}.onset`, onset);
  return { onset: start, duration: offset === null ? NaN : check.known(`${path}.offset`, offset, start) - start };
}

const levels: Readonly<Record<string, string>> = {
  blink: 'The lid covered the pupil for the duration of a blink.',
  closure: 'The lid covered the pupil for longer.',
  loss: 'The pupil was lost for an unknown reason.',
  flash: 'The screen showed a light.',
  ask: 'The screen showed a task.',
  show: 'The screen showed a text.',
  text: 'The screen showed a text.',
  adapt: 'Adaptation to the screen.',
  pause: 'Pause.',
  wait: 'Waiting for a marker.',
};
const eyelid: Readonly<Record<string, string>> = { blink: '1', closure: '1' };

const typesOf = (events: readonly BidsEvent[]) => {
  const used = [...new Set(events.flatMap(({ type }) => type ?? []))];
  return {
    Description: 'Kind of event. n/a: a marker.',
    Levels: Object.fromEntries(used.map((type) => [type, levels[type] ?? 'Step of the test.'])),
  };
};

export function physioEvents(base: string, events: readonly BidsEvent[]): BidsFile[] {
  const rows = events.map(({ onset, duration, type, message }) => [
    ...[field(onset, 3), field(duration / 1000, 6), type ?? 'n/a', cell(message)],
    (type && eyelid[type]) ?? 'n/a',
  ]);
  const sidecar = {
    Columns: ['onset', 'duration', 'trial_type', 'message', 'blink'],
    Description: `Blinks, closures and losses of the pupil, steps of the test and markers. ${notice}`,
    OnsetSource: 'timestamp',
    onset: { Description: 'Time of the event, or of the first frame with a covered pupil.', Units: 'ms' },
    duration: { Description: 'Duration of the event, or until the first frame with a visible pupil.', Units: 's' },
    trial_type: typesOf(events),
    message: { Description: 'Label of the step or of the marker.' },
    blink: { Description: 'Whether the eye is shut. n/a: not known.', Levels: { 0: 'open', 1: 'shut' } },
  };
  return [
    { name: `${base}_physioevents.tsv.gz`, text: lines(rows) },
    { name: `${base}_physioevents.json`, text: json(sidecar) },
  ];
}

/** Events of the task, in seconds like StartTime, and the screen that showed them. */
export function taskEvents(
  name: string,
  task: string,
  { timestamp, startTime = 0, screen }: { timestamp: ArrayLike<number>; startTime?: number; screen?: BidsScreen },
  all: readonly BidsEvent[],
): BidsFile[] {
  const events = all.filter(({ type }) => !eventKinds.includes(type as (typeof eventKinds)[number]));
  const rows = events.map(({ onset, duration, type, message }) => [
    ...[field(startTime + (onset - timestamp[0]!) / 1000, 6), field(duration / 1000, 6), type ?? 'n/a', cell(message)],
  ]);
  const sidecar = {
    TaskName: task,
    trial_type: typesOf(events),
    message: { Description: 'Label of the step or of the marker.' },
    ...(screen && { StimulusPresentation: screenOf(screen) }),
  };
  return [
    { name: `${name}_events.tsv`, text: lines([['onset', 'duration', 'trial_type', 'message'], ...rows]) },
    { name: `${name}_events.json`, text: json(sidecar) },
  ];
}

/** In meters. */
function screenOf(screen: BidsScreen) {
  check.object('screen', screen);
  const pixels = (side: 'width' | 'height') => {
    const value = check.known(`screen.${side}`, screen[side], 1);
    if (!Number.isInteger(value)) check.fail(`screen.${side}`, `must be a whole number of pixels, not ${value}.`);
    return value;
  };
  const [width, height] = [pixels('width'), pixels('height')];
  const size = check.known('screen.millimetresPerPixel', screen.millimetresPerPixel, 1e-6, 100) / 1000;
  const metres = (value: number) => Number(value.toPrecision(6));
  const { refreshRate } = screen;
  return {
    ScreenDistance: metres(check.known('screen.distance', screen.distance, 1e-6) / 1000),
    ScreenOrigin: ['top', 'left'],
    ScreenResolution: [width, height],
    ScreenSize: [metres(width * size), metres(height * size)],
    ...(refreshRate !== undefined && { ScreenRefreshRate: check.known('screen.refreshRate', refreshRate, 1e-6) }),
    SoftwareName: 'foveola',
    SoftwareVersion: version,
  };
}
