/** Data dictionary of exported tables, in the JSON file next to a CSV. */
import { clocks } from './export-pupil.ts';
import { eventKinds } from './event-list.ts';
import { eyeSides } from './laterality.ts';
import type { Column } from './recording.ts';

/** A column of a table, as described in the JSON file. */
export interface ColumnNote {
  name: string;
  unit?: string;
  /** All values of a column that has a fixed list of values. */
  values?: readonly string[];
  description: string;
}

const flag = ['0', '1'];
const kinds = [...eventKinds, 'marker', 'saccade'];

/** Meaning, unit and values by the name of the column. A description that ends with `:` precedes the eye. */
const notes: Readonly<Record<string, [description: string, unit?: string, values?: readonly string[]]>> = {
  filename: ['Name of the source'],
  timestamp: ['Time of the frame. It never decreases', 'ms'],
  algorithm: ['Method'],
  diameter: ['Diameter of the pupil'],
  undistortedDiameter: ['Always empty, because lens distortion is not corrected', 'px'],
  physicalDiameter: ['Diameter of the pupil. Only with a calibration', 'mm'],
  diameterMm: ['Diameter of the pupil. Only with a calibration', 'mm'],
  width: ['Minor axis of the ellipse, or width of the box', 'px'],
  height: ['Major axis of the ellipse, or height of the box', 'px'],
  major: ['Major axis of the ellipse', 'px'],
  minor: ['Minor axis of the ellipse', 'px'],
  axisRatio: ['Minor axis divided by major axis'],
  center_x: ['Center of the pupil, to the right', 'px'],
  center_y: ['Center of the pupil, downwards', 'px'],
  x: ['Position to the right', 'px'],
  y: ['Position downwards', 'px'],
  ellipseX: ['Center of the ellipse, to the right', 'px'],
  ellipseY: ['Center of the ellipse, downwards', 'px'],
  angle: ['Direction of the minor axis, from +x towards +y (down)'],
  circumference: ['Circumference of the ellipse', 'px'],
  confidence: ['Confidence of the result, from 0 to 1'],
  outlineConfidence: ['Share of the outline with a clear edge, from 0 to 1'],
  frame: ['Number of the frame in the source, starting at 0'],
  clock: ['Origin of the timestamp', undefined, clocks],
  mediaTime: ['Position in the recording', 'ms'],
  pupil: ['0: the eye in the left half of the frame, 1: the eye in its right half'],
  eye: ["The person's eye", undefined, eyeSides],
  found: ['1: found in this frame', undefined, flag],
  blink: ['1: during a blink', undefined, flag],
  event: ['Event that covers the frame. Empty: none', undefined, eventKinds],
  corrected: ['Correction by hand that changed the row', undefined, ['outline', 'exclude', 'blink', 'open']],
  series: ['Filled or smoothed diameter'],
  series_source: ['Origin of the filled diameter', undefined, ['measured', 'interpolated', 'missing']],
  series_smoothed: ['1: smoothed', undefined, flag],
  glint_x: ['Brightest reflection near the pupil, to the right', 'px'],
  glint_y: ['Brightest reflection near the pupil, downwards', 'px'],
  glintX: ['Brightest reflection near the pupil, to the right', 'px'],
  glintY: ['Brightest reflection near the pupil, downwards', 'px'],
  covered_by_lids: ['Share of the pupil that the lids cover, from 0 to 1'],
  coveredByLids: ['Share of the pupil that the lids cover, from 0 to 1'],
  iris: ['Longer axis of the iris', 'px'],
  irisDiameter: ['Longer axis of the iris', 'px'],
  dropped: ['Number of frames missing directly before this one'],
  throttled: ['How many of the missing frames max-fps left out'],
  backend: ['Backend that computed the frame', undefined, ['wasm', 'gpu', 'both']],
  target: ['Number of the target'],
  by: ['What found the target', undefined, ['none', 'tracker', 'detector', 'both']],
  learning: ['1: the model of the target learned from this frame', undefined, flag],
  face: ['Number of the face. It stays the same while the face is tracked'],
  score: ['Score of the detector'],
  detected: ['1: detected in this frame. 0: tracked', undefined, flag],
  yaw: ['Rotation of the head to the side', 'rad'],
  pitch: ['Rotation of the head up or down', 'rad'],
  roll: ['Tilt of the head', 'rad'],
  poseResidual: ['Residual of the head pose'],
  leftEyeOpening: ['Height of the left eye, divided by its width'],
  rightEyeOpening: ['Height of the right eye, divided by its width'],
  mouthOpening: ['Height of the mouth, divided by its width'],
  landmarkConfidence: ['Confidence of the landmarks, from 0 to 1'],
  leftEyeOpenness: ['Openness of the left eye, relative to its own open height'],
  rightEyeOpenness: ['Openness of the right eye, relative to its own open height'],
  gazeYaw: ['Direction of the gaze to the side', 'rad'],
  gazePitch: ['Direction of the gaze up or down', 'rad'],
  marker: ['Labels of the markers since the last row'],
  kind: ['Kind of the event', undefined, kinds],
  onset: ['Start of the event, on the clock of the timestamps', 'ms'],
  offset: ['End of the event', 'ms'],
  duration: ['Duration of the event', 'ms'],
  final: ['0: the event had not ended', undefined, flag],
  label: ['Label of the marker'],
  amplitude: ['Amplitude of the saccade, in the unit of the gaze'],
};

const endings: Readonly<Record<string, string>> = {
  left: 'left eye',
  right: 'right eye',
  pupil0: 'eye in the left half of the frame',
  pupil1: 'eye in the right half of the frame',
};

/** The columns of a table with units, values and descriptions. `known`: notes of the columns themselves. */
export const describeColumns = (names: readonly string[], known: readonly Column[] = []): ColumnNote[] =>
  names.map((name) =>
    describeColumn(
      name,
      known.find((column) => column.name === name),
    ),
  );

function describeColumn(name: string, column?: Column): ColumnNote {
  const [, stem = name, ending] = /^(.*?)_(left|right|pupil[01])$/.exec(name) ?? [];
  // PupilEXT's columns for two eyes have the letter before the unit.
  const [, before = stem, letter, unitOf] = /^(.*?)([AB])?(?:_(px|mm|ms|deg))?$/.exec(stem) ?? [];
  const key = [stem, before, before + (/^_[xy]$/.test(stem.slice(-2)) ? '' : (letter ?? ''))].find(
    (one) => one in notes,
  );
  const pair = /^center([AB])_([xy])$/.exec(stem);
  const landmark = /^([xy])(\d+)$/.exec(name);
  if (landmark)
    return {
      name,
      unit: 'px',
      description: `Landmark ${landmark[2]}, ${landmark[1] === 'x' ? 'to the right' : 'downwards'}.`,
    };
  const [text, unit, values] = notes[pair ? `center_${pair[2]}` : (key ?? '')] ?? [name];
  const half = pair?.[1] ?? letter;
  const whose = ending ? endings[ending] : half && endings[half === 'A' ? 'pupil0' : 'pupil1'];
  const known = column?.unit ?? (unitOf as string | undefined) ?? unit;
  const list = column?.values ?? values;
  return {
    name,
    ...(known && { unit: known }),
    ...(list && { values: list }),
    description: `${text}${whose ? `, ${whose}` : ''}.`,
  };
}
