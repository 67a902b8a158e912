/**
 * What a rendered eye consists of. Lengths in pixels unless the name says mm; angles in radians; x right, y down, the
 * center of the first pixel at (0, 0); gray levels 0..255.
 */

/** Full axes; angle of the major axis from +x towards +y in [0, pi), as in the package's results. */
export interface Ellipse {
  x: number;
  y: number;
  major: number;
  minor: number;
  angle: number;
}

export interface Truth {
  /** The pupil can be seen: neither eyeless nor blink. */
  present: boolean;
  /** Lids hide more than 80 % of the pupil's disc. */
  blink: boolean;
  eyeless: boolean;
  /** Lids hide 30 to 80 % of the disc (only in sequences): not to be scored. */
  partial: boolean;
  /** Exact border of the pupil, hidden parts included; null in eyeless frames. */
  ellipse: Ellipse | null;
  /** Same center, r = (major + minor) / 4: the circle through the border to second order of the ellipticity. */
  circle: { x: number; y: number; r: number } | null;
  /** Share of the disc hidden by lids, lashes or reflections. */
  occluded: number;
  /** Share of the border hidden by each. */
  border: { lid: number; lash: number; led: number };
}

export interface EyeFrame<Meta> {
  width: number;
  height: number;
  data: Uint8Array;
  truth: Truth;
  meta: Meta;
}

/** Lids as functions of the column: rows of the upper and of the lower margin. Open where lower > upper. */
export interface Lids {
  x: number;
  y: number;
  halfWidth: number;
  upper: Float32Array;
  lower: Float32Array;
  /** 0 open, 1 closed. */
  closure: number;
}

/** A hair: quadratic Bezier curve with a width that goes from `width` to `tip`. */
export interface Stroke {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  width: number;
  tip: number;
  level: number;
  opacity: number;
}

/** Corneal reflection: a saturated disc with a soft edge (half opacity at `radius`) and a faint halo. */
export interface Spot {
  x: number;
  y: number;
  radius: number;
  edge: number;
  level: number;
  halo: number;
}

export interface Levels {
  skin: number;
  sclera: number;
  iris: number;
  pupil: number;
}

/** Relative brightness over the frame: linear and quadratic in coordinates -1..1, and slow noise. */
export interface Illumination {
  x: number;
  y: number;
  quadratic: number;
  vignette: number;
  unevenness: number;
}

export interface Wave {
  k: number;
  c: number;
  s: number;
}

export interface Scene {
  width: number;
  height: number;
  /** Chooses where the noise tiles start. */
  seed: number;
  levels: Levels;
  pupil: Ellipse;
  /** Departure of the pupil's border from the ellipse, in its radii: terms c cos(k t) + s sin(k t), k from 3 on. */
  waves?: readonly Wave[];
  /** Outer border of the iris. */
  limbus: Ellipse;
  /** Texture amplitude in levels; 0 for flat surfaces. */
  irisAmplitude: number;
  skinAmplitude: number;
  iris: Float32Array;
  lids: Lids;
  creaseDepth: number;
  lidShadow: number;
  strokes: Stroke[];
  spots: Spot[];
  illumination: Illumination;
  /** Sigma of the Gaussian defocus in pixels. */
  defocus: number;
  /** Sigma of the sensor noise in levels. */
  noise: number;
  noiseSeed: number;
}
