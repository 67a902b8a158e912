import { clamp, smoothStep } from './arithmetic.ts';
import { IRIS_ANGLES, IRIS_RADII, noiseTile, TILE } from './texture.ts';
import { axes, halfPlaneCover } from './ellipse.ts';
import type { Scene, Spot, Wave } from './scene.ts';

const MASK = TILE - 1;

/** Skin everywhere: pores and folds out of noise tiles, small glints, the lid crease, the shaded lid margins. */
export function paintSkin(image: Float32Array, scene: Scene): void {
  const { width, height, lids, seed, skinAmplitude: amplitude } = scene;
  const fine = noiseTile(1);
  const medium = noiseTile(4);
  const coarse = noiseTile(16);
  const ox = (seed * 131) & MASK;
  const oy = (seed * 197) & MASK;
  const level = scene.levels.skin;
  const unit = lids.halfWidth / 15;
  const margin = 1 / (0.5 * unit);
  const rim = 0.9 * unit;
  // the fold is pulled flat as the lid closes
  const crease = 0.2 * level * (1 - 0.75 * clamp(lids.closure, 0, 1));
  for (let y = 0; y < height; y++) {
    const row = ((y + oy) & MASK) * TILE;
    const coarseRow = (((y >> 1) + ox) & MASK) * TILE;
    for (let x = 0; x < width; x++) {
      const above = lids.upper[x] - y;
      const below = y - lids.lower[x];
      const p = y * width + x;
      if (above < -1 && below < -1) {
        image[p] = 0;
        continue;
      }
      const c = (x + ox) & MASK;
      const n = 0.5 * fine[row + c] + 0.45 * medium[row + c] + 0.55 * coarse[coarseRow + (((x >> 1) + oy) & MASK)];
      let v = level + amplitude * n;
      const glint = fine[row + c] + medium[row + c] - 2.6;
      if (glint > 0) v += amplitude * 1.8 * glint;
      if (above > below) {
        const q = (above - scene.creaseDepth) / (0.45 * unit);
        v -= crease / ((1 + q * q) * (1 + q * q));
        const m = above * margin;
        v -= (0.3 * level) / (1 + m * m);
      } else {
        // the wet rim of the lower lid is bright, a shallow fold lies below it
        if (below < rim) v += 0.1 * level * (1 - below / rim);
        const q = (below - 4 * unit) / (1.2 * unit);
        v -= (0.08 * level) / ((1 + q * q) * (1 + q * q));
      }
      image[p] = v;
    }
  }
}

/**
 * Sclera, limbus, iris and pupil inside the lids. A pixel of the pupil's border takes the area of it that lies inside
 * the ellipse, so the half-level contour is the ellipse.
 */
export function paintEyeball(image: Float32Array, scene: Scene): void {
  const { width, height, lids, limbus, pupil, waves, levels, seed, irisAmplitude, iris } = scene;
  const medium = noiseTile(4);
  const ox = (seed * 89) & MASK;
  const rimAxes = axes(limbus);
  const pupilAxes = axes(pupil);
  const ratio = Math.min(0.95, pupil.major / limbus.major);
  const toRow = (IRIS_RADII - 1) / (1 - ratio);
  const shadowReach = 1 / (1.3 * (lids.halfWidth / 15));
  const textured = irisAmplitude > 0;
  const scleraAmplitude = textured ? 2.5 : 0;
  const most = waves ? 1 + waves.reduce((sum, { c, s }) => sum + Math.abs(c) + Math.abs(s), 0) : 1;
  const reach = (most * Math.max(pupil.major, pupil.minor)) / 2 + 2;
  let top = height;
  let bottom = -1;
  for (let x = 0; x < width; x++) {
    if (lids.lower[x] <= lids.upper[x]) continue;
    top = Math.min(top, Math.floor(lids.upper[x]));
    bottom = Math.max(bottom, Math.ceil(lids.lower[x]));
  }
  for (let y = Math.max(0, top); y <= Math.min(height - 1, bottom); y++) {
    const dy = y - limbus.y;
    const py = y - pupil.y;
    const nearRows = py > -reach && py < reach;
    const tileRow = ((y + ox) & MASK) * TILE;
    for (let x = 0; x < width; x++) {
      const upper = lids.upper[x];
      const open = Math.min(y + 0.5, lids.lower[x]) - Math.max(y - 0.5, upper);
      if (open <= 0) continue;
      const noise = textured ? medium[tileRow + ((x + ox) & MASK)] : 0;
      const sx = (x - lids.x) / lids.halfWidth;
      let v = levels.sclera * (1 - 0.35 * sx * sx) + scleraAmplitude * noise;

      const dx = x - limbus.x;
      const u = rimAxes.ux * dx + rimAxes.uy * dy;
      const w = rimAxes.vx * dx + rimAxes.vy * dy;
      const rho2 = u * u + w * w;
      if (rho2 < 1.21) {
        const rho = Math.sqrt(rho2);
        const px = x - pupil.x;
        let cover = 0;
        if (nearRows && px > -reach && px < reach) {
          const a = pupilAxes.ux * px + pupilAxes.uy * py;
          const b = pupilAxes.vx * px + pupilAxes.vy * py;
          const grown = waves ? 1 + wave(waves, a, b) : 1;
          cover = borderCover(pupilAxes, a / grown, b / grown);
        }
        if (cover < 1) {
          let inner = levels.iris;
          if (textured) {
            const t = clamp((rho - ratio) * toRow, 0, IRIS_RADII - 1) | 0;
            const diamond =
              w >= 0 ? (u >= 0 ? w / (u + w) : 1 - u / (w - u)) : u < 0 ? 2 + w / (u + w) : 3 + u / (u - w);
            const column = (diamond * (IRIS_ANGLES / 4)) & (IRIS_ANGLES - 1);
            inner += irisAmplitude * iris[t * IRIS_ANGLES + column];
          }
          const edge = rho < 0.93 ? 0 : smoothStep(0.93, 1.07, rho);
          inner += (v - inner) * edge;
          v = cover > 0 ? inner + (levels.pupil - inner) * cover : inner;
        } else v = levels.pupil;
        if (cover > 0) v += cover * scleraAmplitude * 0.3 * noise;
      }
      if (textured || scene.lidShadow > 0) {
        const depth = (y - upper) * shadowReach;
        if (depth < 6) v *= 1 - scene.lidShadow / (1 + (depth > 0 ? depth * depth : 0));
      }
      const p = y * width + x;
      image[p] = open >= 1 ? v : image[p] + (v - image[p]) * open;
    }
  }
}

/** The terms at the direction of (a, b), by the recurrence of cos and sin of multiples. */
function wave(waves: readonly Wave[], a: number, b: number): number {
  const g = Math.sqrt(a * a + b * b);
  if (g < 0.5) return 0;
  const c1 = a / g;
  const s1 = b / g;
  let c = 1;
  let s = 0;
  let k = 0;
  let sum = 0;
  for (const term of waves) {
    for (; k < term.k; k++) [c, s] = [c * c1 - s * s1, s * c1 + c * s1];
    sum += term.c * c + term.s * s;
  }
  return sum;
}

function borderCover(e: { ux: number; uy: number; vx: number; vy: number }, a: number, b: number): number {
  const g2 = a * a + b * b;
  if (g2 < 0.64) return 1;
  const g = Math.sqrt(g2);
  const gx = (a * e.ux + b * e.vx) / g;
  const gy = (a * e.uy + b * e.vy) / g;
  const slope = Math.sqrt(gx * gx + gy * gy);
  return halfPlaneCover((1 - g) / slope, gx / slope, gy / slope);
}

/** Brightness over the frame, 1 at the pupil's center; interpolated from a grid of 16 x 16 pixels. */
export function illuminate(image: Float32Array, scene: Scene): void {
  const { width, height, illumination: light, pupil, seed } = scene;
  const coarse = noiseTile(16);
  const cell = 16;
  const columns = Math.ceil(width / cell) + 2;
  const rows = Math.ceil(height / cell) + 2;
  const at = (x: number, y: number, i: number, j: number): number => {
    const X = (2 * x) / width - 1;
    const Y = (2 * y) / height - 1;
    const r2 = X * X + Y * Y;
    // a step of 8 tile cells to one of 16 px: folds as broad as a third of the eye
    const slow = coarse[(((j * 5 + seed * 13) & MASK) * TILE + ((i * 5 + seed * 7) & MASK)) | 0];
    return clamp(
      1 + light.x * X + light.y * Y - light.quadratic * r2 - light.vignette * r2 * r2 + light.unevenness * slow,
      0.12,
      3,
    );
  };
  const grid = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) grid[j * columns + i] = at(i * cell, j * cell, i, j);
  const gain = (x: number, y: number): number => {
    const fx = clamp(x, 0, width - 1) / cell;
    const fy = clamp(y, 0, height - 1) / cell;
    const i = Math.floor(fx);
    const j = Math.floor(fy);
    const a = grid[j * columns + i] + (grid[j * columns + i + 1] - grid[j * columns + i]) * (fx - i);
    const k = (j + 1) * columns + i;
    const b = grid[k] + (grid[k + 1] - grid[k]) * (fx - i);
    return a + (b - a) * (fy - j);
  };
  const scale = 1 / gain(pupil.x, pupil.y);
  for (let y = 0; y < height; y++) {
    const fy = y / cell;
    const j = Math.floor(fy);
    const f = fy - j;
    for (let i = 0; i * cell < width; i++) {
      const k = j * columns + i;
      let value = (grid[k] * (1 - f) + grid[k + columns] * f) * scale;
      const next = (grid[k + 1] * (1 - f) + grid[k + columns + 1] * f) * scale;
      const step = (next - value) / cell;
      const end = Math.min(width, (i + 1) * cell);
      for (let x = i * cell; x < end; x++) {
        image[y * width + x] *= value;
        value += step;
      }
    }
  }
}

/** A saturated spot; its profile is a smooth step of half opacity at the radius, with a wide faint halo. */
export function paintSpot(image: Float32Array, width: number, height: number, spot: Spot): void {
  const haloReach = spot.halo > 0 ? spot.radius * 3 : 0;
  const reach = Math.max(spot.radius + spot.edge, haloReach);
  const left = Math.max(0, Math.ceil(spot.x - reach));
  const right = Math.min(width - 1, Math.floor(spot.x + reach));
  const top = Math.max(0, Math.ceil(spot.y - reach));
  const bottom = Math.min(height - 1, Math.floor(spot.y + reach));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const dx = x - spot.x;
      const dy = y - spot.y;
      const d = Math.sqrt(dx * dx + dy * dy);
      const p = y * width + x;
      if (d < haloReach) {
        const q = 1 - d / haloReach;
        image[p] += spot.halo * q * q;
      }
      const opacity = smoothStep(spot.radius + spot.edge, spot.radius - spot.edge, d);
      if (opacity > 0) image[p] += (spot.level - image[p]) * opacity;
    }
  }
}
