import { cosine, sine } from './arithmetic.ts';
import { pointAt } from './ellipse.ts';
import { depthInside, polyline } from './strokes.ts';
import type { Ellipse, Lids, Scene, Spot, Stroke, Truth } from './scene.ts';

const DIRECTIONS = 360;
export const LED = 1;
export const LASH = 2;
export const LID = 4;

/** Which of 360 border points are hidden, and by what (bits); grows as spots and hairs are added. */
export class BorderCover {
  readonly flags = new Uint8Array(DIRECTIONS);
  private readonly x = new Float64Array(DIRECTIONS);
  private readonly y = new Float64Array(DIRECTIONS);

  /** Points are equally spaced in the ellipse's own angle. */
  constructor(pupil: Ellipse, lids: Lids) {
    for (let i = 0; i < DIRECTIONS; i++) {
      const p = pointAt(pupil, (2 * Math.PI * i) / DIRECTIONS);
      this.x[i] = p.x;
      this.y[i] = p.y;
      if (underLid(lids, p.x, p.y)) this.flags[i] |= LID;
    }
  }

  addStroke(stroke: Stroke): void {
    const points = polyline(stroke);
    for (let i = 0; i < DIRECTIONS; i++) if (depthInside(points, this.x[i], this.y[i]) > -0.25) this.flags[i] |= LASH;
  }

  /** Adds the hair unless more than `limit` of the border would then be hidden by hairs and lids. */
  tryStroke(stroke: Stroke, limit: number): boolean {
    const before = this.flags.slice();
    this.addStroke(stroke);
    if (this.share(LASH | LID) <= limit || before.every((flag, i) => flag === this.flags[i])) return true;
    this.flags.set(before);
    return false;
  }

  addSpot(spot: Spot): void {
    for (let i = 0; i < DIRECTIONS; i++) if (within(spot, this.x[i], this.y[i])) this.flags[i] |= LED;
  }

  share(bits: number): number {
    let count = 0;
    for (const flag of this.flags) if (flag & bits) count++;
    return count / DIRECTIONS;
  }
}

function underLid(lids: Lids, x: number, y: number): boolean {
  const column = Math.min(lids.upper.length - 1, Math.max(0, Math.round(x)));
  return y < lids.upper[column] || y > lids.lower[column];
}

function within(spot: Spot, x: number, y: number): boolean {
  return (x - spot.x) * (x - spot.x) + (y - spot.y) * (y - spot.y) < spot.radius * spot.radius;
}

/** Share of the pupil's disc under the lids alone, from 1200 points of equal area. */
export function lidShare(pupil: Ellipse, lids: Lids): number {
  return discShare(pupil, (x, y) => underLid(lids, x, y));
}

function discShare(pupil: Ellipse, hidden: (x: number, y: number) => boolean): number {
  const c = cosine(pupil.angle);
  const s = sine(pupil.angle);
  let count = 0;
  let total = 0;
  for (let j = -19; j <= 19; j++) {
    for (let i = -19; i <= 19; i++) {
      if (i * i + j * j > 380) continue;
      total++;
      const a = (i / 19.5) * 0.5 * pupil.major;
      const b = (j / 19.5) * 0.5 * pupil.minor;
      if (hidden(pupil.x + c * a - s * b, pupil.y + s * a + c * b)) count++;
    }
  }
  return count / total;
}

/** The exact truth of a scene that has an eye. */
export function truthOf(scene: Scene): Truth {
  const { pupil, lids, strokes, spots } = scene;
  const cover = new BorderCover(pupil, lids);
  const reach = pupil.major / 2 + 4;
  const near = strokes.filter(
    (s) =>
      Math.min(s.x0, s.x1, s.x2) < pupil.x + reach &&
      Math.max(s.x0, s.x1, s.x2) > pupil.x - reach &&
      Math.min(s.y0, s.y1, s.y2) < pupil.y + reach &&
      Math.max(s.y0, s.y1, s.y2) > pupil.y - reach,
  );
  for (const stroke of near) cover.addStroke(stroke);
  for (const spot of spots) cover.addSpot(spot);
  const lines = near.map(polyline);
  const lid = lidShare(pupil, lids);
  const occluded = discShare(
    pupil,
    (x, y) =>
      underLid(lids, x, y) || spots.some((s) => within(s, x, y)) || lines.some((l) => depthInside(l, x, y) > -0.25),
  );
  const blink = lid > 0.8;
  return {
    present: !blink,
    blink,
    eyeless: false,
    partial: lid > 0.3 && !blink,
    ellipse: { ...pupil },
    circle: { x: pupil.x, y: pupil.y, r: (pupil.major + pupil.minor) / 4 },
    occluded,
    border: { lid: cover.share(LID), lash: cover.share(LASH), led: cover.share(LED) },
  };
}

export function eyelessTruth(): Truth {
  return {
    present: false,
    blink: false,
    eyeless: true,
    partial: false,
    ellipse: null,
    circle: null,
    occluded: 1,
    border: { lid: 0, lash: 0, led: 0 },
  };
}
