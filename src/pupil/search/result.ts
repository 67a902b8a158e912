/** Converts the state of a search to the public result. */
import type { Ellipse, Pupil } from '../../results/types.ts';
import type { PupilValues } from '../parameters.ts';
import type { Found, Last } from './method.ts';
import type { PupilSearch } from './search.ts';

/** Result of a frame without a pupil: numbers are NaN, never 0. */
export function nothingFound(confidence = 0): Pupil {
  return {
    eye: 'unknown',
    found: false,
    confidence,
    outlineConfidence: NaN,
    x: NaN,
    y: NaN,
    diameter: NaN,
    diameterMm: null,
    ellipse: null,
    circle: { x: NaN, y: NaN, r: NaN },
    blink: false,
    votes: NaN,
    points: NaN,
  };
}

function readPupil(search: PupilSearch, values: PupilValues): Pupil {
  const paper = values.variant === 'paper';
  const votes = search.get('votes');
  const points = search.get('points');
  // The paper has no measure of confidence, so the share of border points on the circle is used.
  const confidence = paper ? (points ? votes / points : 0) : 1 / (1 + Math.exp(-search.get('score')));
  // Without an outline, nothing is found at any minimum confidence. The paper reports every circle.
  const found = paper ? votes >= 5 : search.get('entered') > 0 && confidence >= values.minConfidence;
  if (!found) return nothingFound(confidence);
  const ellipse = outlineEllipse(search);
  const circle = { x: search.get('cx'), y: search.get('cy'), r: search.get('r') };
  const shape = values.fit === 'ellipse' && ellipse ? ellipse : circle;
  const diameter = values.fit === 'ellipse' && ellipse ? ellipse.major : 2 * circle.r;
  return {
    eye: 'unknown', // set by the tracker
    found: true,
    confidence,
    outlineConfidence: paper ? confidence : search.get('support') * Math.min(1, search.get('visible')),
    x: shape.x,
    y: shape.y,
    diameter,
    diameterMm: values.millimetresPerPixel > 0 ? diameter * values.millimetresPerPixel : null,
    ellipse: values.fit === 'ellipse' ? ellipse : null,
    circle,
    blink: false,
    votes,
    points,
    ...(values.outline ? { outline: search.outline() } : {}),
  };
}

/** Returns the result, and the start of the next frame. */
export function foundBy(search: PupilSearch, values: PupilValues): Found {
  const pupil = readPupil(search, values);
  return { pupil, last: pupil.found ? lastOf(search, pupil) : null };
}

function lastOf(search: PupilSearch, { x, y, diameter }: Pupil): Last {
  const ellipse = outlineEllipse(search);
  return { x, y, r: diameter / 2, ellipse, contrast: search.get('contrast'), dark: search.get('dark') };
}

/** Ellipse of the outline, or null. */
function outlineEllipse(search: PupilSearch): Ellipse | null {
  if (search.get('ellipse') !== 1) return null;
  return {
    x: search.get('ex'),
    y: search.get('ey'),
    major: 2 * search.get('ea'),
    minor: 2 * search.get('eb'),
    angle: axisAngle(search.get('eux'), search.get('euy')),
  };
}

/** Angle of an axis in [0, pi). */
function axisAngle(ux: number, uy: number): number {
  const angle = Math.atan2(uy, ux);
  return angle < 0 ? angle + Math.PI : angle >= Math.PI ? angle - Math.PI : angle;
}
