import { clamp, cosine, sine, smoothStep } from './arithmetic.ts';
import { axes, pointAt } from './ellipse.ts';
import type { Random } from './random.ts';
import type { Ellipse, Lids, Scene, Spot } from './scene.ts';

/** What people wear on and before their eyes. Lengths in pixels. */

/** Liner along the lids and shadow above the upper one. */
export interface Makeup {
  /** Thickness of the liner, on the upper and on the lower lid; 0: none. */
  upper: number;
  lower: number;
  level: number;
  /** Factor of the skin's level between lid and crease. */
  shadow: number;
}

/** A rim (superellipse of fourth order) with the bar towards the ear. */
export interface Rim {
  x: number;
  y: number;
  a: number;
  b: number;
  thickness: number;
  level: number;
  /** Side of the ear: 1 or -1. */
  side: number;
}

/** The image of a window in a spectacle lens or in the cornea: a quadrangle with a cross. */
export interface Pane {
  x: number;
  y: number;
  a: number;
  b: number;
  turn: number;
  lean: number;
  soft: number;
  bar: number;
  level: number;
  opacity: number;
}

/** A soft contact lens: its edge on the sclera, and the inner edge of a tinted one on the iris. */
export interface ContactLens {
  edge: Ellipse;
  line: number;
  width: number;
  tint: number;
  inner: Ellipse;
}

export function chooseMakeup(random: Random, k: number): Makeup {
  const lower = random.unit() < 0.5;
  return {
    upper: k * random.uniform(0.5, 2),
    lower: lower ? k * random.uniform(0.4, 1) : 0,
    level: random.uniform(10, 45),
    shadow: random.unit() < 0.5 ? random.uniform(0.45, 0.85) : 1,
  };
}

export function paintMakeup(image: Float32Array, width: number, height: number, lids: Lids, made: Makeup): void {
  for (let x = 0; x < width; x++) {
    const u = (x - lids.x) / lids.halfWidth;
    if (Math.abs(u) > 1.02) continue;
    const taper = 0.35 + 0.65 * (1 - u * u);
    const line = (edge: number, thick: number) => {
      if (thick <= 0) return;
      const t = thick * taper;
      for (let y = Math.max(0, Math.floor(edge - t - 1)); y <= Math.min(height - 1, Math.ceil(edge + t + 1)); y++) {
        const cover = 0.92 * clamp(0.7 * t + 0.5 - Math.abs(y - edge), 0, 1);
        const p = y * width + x;
        image[p] += (made.level - image[p]) * cover;
      }
    };
    const upper = lids.upper[x];
    const reach = 0.42 * lids.halfWidth * taper;
    if (made.shadow < 1)
      for (let y = Math.max(0, Math.floor(upper - reach)); y < Math.min(height, upper); y++)
        image[y * width + x] *= 1 - (1 - made.shadow) * smoothStep(upper - reach, upper - 0.4 * reach, y);
    line(upper - 0.2 * made.upper, made.upper);
    line(lids.lower[x] + 0.3 * made.lower, made.lower);
  }
}

/** A rim around the eye that leaves the pupil free. */
export function chooseRim(random: Random, scene: Scene, k: number): Rim {
  const { lids, pupil } = scene;
  const metal = random.unit() < 0.35;
  const thickness = k * (metal ? random.uniform(0.5, 1.2) : random.uniform(1.5, 4.5));
  const rim: Rim = {
    x: lids.x + k * random.normal(0, 3),
    y: lids.y + k * random.normal(1, 2.5),
    a: k * random.uniform(18, 27),
    b: k * random.uniform(12, 20),
    thickness,
    level: metal ? random.uniform(60, 230) : random.uniform(8, 70),
    side: random.unit() < 0.5 ? 1 : -1,
  };
  const room = pupil.major / 2 + thickness + 2 * k;
  rim.x = clamp(rim.x, pupil.x - rim.a * 0.75 + room, pupil.x + rim.a * 0.75 - room);
  rim.y = clamp(rim.y, pupil.y - rim.b * 0.75 + room, pupil.y + rim.b * 0.75 - room);
  return rim;
}

export function paintRim(image: Float32Array, width: number, height: number, rim: Rim): void {
  const { a, b, thickness, level, side } = rim;
  const bar = rim.y - 0.45 * b;
  for (let y = 0; y < height; y++) {
    const v = (y - rim.y) / b;
    const v4 = v * v * v * v;
    for (let x = 0; x < width; x++) {
      const u = (x - rim.x) / a;
      const f = u * u * u * u + v4;
      // Distance from the rim's middle line to first order.
      const slope = Math.sqrt((16 * u * u * u * u * u * u) / (a * a) + (16 * v * v * v * v * v * v) / (b * b)) + 1e-6;
      let depth = 0.5 * thickness - Math.abs(f - 1) / slope;
      if ((x - rim.x) * side > a) depth = Math.max(depth, 0.8 * thickness - Math.abs(y - bar));
      const cover = clamp(depth + 0.5, 0, 1);
      if (cover <= 0) continue;
      const p = y * width + x;
      // A little light along the upper edge of the rim.
      const shine = clamp(1 - depth / (0.3 * thickness + 0.5), 0, 1) * (y < rim.y ? 14 : 4);
      image[p] += (level + shine - image[p]) * cover;
    }
  }
}

export function choosePane(random: Random, pupil: Ellipse, k: number, strength: number): Pane {
  const a = k * random.uniform(0.6, 4);
  const away = pupil.major * random.uniform(0.1, 1.4);
  const towards = random.uniform(0, 2 * Math.PI);
  return {
    x: pupil.x + away * cosine(towards),
    y: pupil.y + away * sine(towards),
    a,
    b: a * random.uniform(0.6, 1.6),
    turn: random.normal(0, 0.25),
    lean: random.normal(0, 0.3),
    soft: Math.max(0.7, k * random.uniform(0.03, 0.3)),
    bar: random.unit() < 0.5 ? a * random.uniform(0.05, 0.15) : 0,
    level: random.uniform(150, 300),
    opacity: strength * random.uniform(0.3, 1),
  };
}

function paneCover(pane: Pane, x: number, y: number): number {
  const c = cosine(pane.turn);
  const s = sine(pane.turn);
  const dx = x - pane.x;
  const dy = y - pane.y;
  const v = c * dy - s * dx;
  const u = c * dx + s * dy + pane.lean * v;
  let inside = Math.min(pane.a - Math.abs(u), pane.b - Math.abs(v));
  if (pane.bar > 0) inside = Math.min(inside, Math.max(Math.abs(u), 0) - pane.bar, Math.abs(v) - pane.bar);
  return pane.opacity * smoothStep(-pane.soft, pane.soft, inside);
}

/** Share of the pupil's border under panes that hide it. */
export function paneShare(pupil: Ellipse, panes: readonly Pane[]): number {
  let hidden = 0;
  for (let i = 0; i < 180; i++) {
    const p = pointAt(pupil, (2 * Math.PI * i) / 180);
    if (panes.some((pane) => paneCover(pane, p.x, p.y) > 0.3)) hidden++;
  }
  return hidden / 180;
}

export function paintPane(image: Float32Array, width: number, height: number, pane: Pane): void {
  const reach = (pane.a + pane.b) * (1 + Math.abs(pane.lean)) + pane.soft + 1;
  for (let y = Math.max(0, Math.floor(pane.y - reach)); y <= Math.min(height - 1, pane.y + reach); y++)
    for (let x = Math.max(0, Math.floor(pane.x - reach)); x <= Math.min(width - 1, pane.x + reach); x++) {
      const cover = paneCover(pane, x, y);
      const p = y * width + x;
      if (cover > 0) image[p] += (pane.level - image[p]) * cover;
    }
}

/** The lamp once more in the two faces of a spectacle lens, beside the pupil's border. */
export function chooseGhosts(random: Random, pupil: Ellipse, k: number): Spot[] {
  const spots: Spot[] = [];
  for (let i = random.integer(1, 3); i > 0; i--) {
    const p = pointAt(pupil, random.uniform(0, 2 * Math.PI), random.uniform(1.4, 4.5));
    const radius = k * random.uniform(0.3, 1.3);
    spots.push({ ...p, radius, edge: 0.35 * radius, level: random.uniform(230, 320), halo: random.uniform(0, 30) });
  }
  return spots;
}

export function chooseLens(random: Random, scene: Scene, k: number): ContactLens {
  const { limbus, pupil } = scene;
  const size = random.uniform(1.12, 1.22);
  const grown = (e: Ellipse, by: number): Ellipse => ({ ...e, major: e.major * by, minor: e.minor * by });
  const edge = grown(limbus, size);
  edge.x += k * random.normal(0, 0.4);
  edge.y += k * random.normal(0.3, 0.4);
  const inner = grown(pupil, random.uniform(1.2, 1.7));
  inner.x += 0.08 * pupil.major * random.normal(0, 0.5);
  inner.y += 0.08 * pupil.major * random.normal(0, 0.5);
  return {
    edge,
    line: random.uniform(-25, 25),
    width: k * random.uniform(0.15, 0.4),
    tint: random.unit() < 0.4 ? random.uniform(-14, 14) : 0,
    inner,
  };
}

/** On the eyeball, before hairs and skin effects; the lids hide it. */
export function paintLens(image: Float32Array, scene: Scene, lens: ContactLens): void {
  const { width, height, lids, limbus } = scene;
  const outer = axes(lens.edge);
  const inner = axes(lens.inner);
  const rim = axes(limbus);
  const half = lens.width / (lens.edge.minor / 2);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (y < lids.upper[x] || y > lids.lower[x]) continue;
      const at = (e: typeof outer, cx: number, cy: number) => {
        const u = e.ux * (x - cx) + e.uy * (y - cy);
        const v = e.vx * (x - cx) + e.vy * (y - cy);
        return Math.sqrt(u * u + v * v);
      };
      const rho = at(outer, lens.edge.x, lens.edge.y);
      const p = y * width + x;
      image[p] += lens.line * clamp(1 - Math.abs(rho - 1) / half, 0, 1);
      if (lens.tint !== 0 && at(rim, limbus.x, limbus.y) < 0.97)
        image[p] += lens.tint * smoothStep(0.95, 1.05, at(inner, lens.inner.x, lens.inner.y));
    }
}
