/** How far the skin reaches out around the head: what hair, hats and masks lie on. */
import type { FaceModel } from './model.ts';
import type { Mesh } from './scene.ts';

/** The middle of the head that is looked out from, in the model's axes. */
export const CENTER = [0, 4, 1.5];

const TURN = 72;
const [LOW, ROWS, STEP] = [-13, 34, 0.5];
const DOME = 12;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A table over azimuth (wrapped) and rows, whose holes are filled from their surroundings. */
class Table {
  private values: Float32Array;
  constructor(readonly rows: number) {
    this.values = new Float32Array(TURN * rows);
  }

  most(column: number, row: number, value: number): void {
    if (row < 0 || row >= this.rows) return;
    const at = row * TURN + column;
    if (value > this.values[at]) this.values[at] = value;
  }

  finish(): void {
    for (let round = 0; round < 12; round++) {
      const from = this.values;
      const to = from.slice();
      const last = round > 9; // two rounds of smoothing
      for (let row = 0; row < this.rows; row++)
        for (let column = 0; column < TURN; column++) {
          const at = row * TURN + column;
          if (from[at] > 0 && !last) continue;
          let [sum, count] = [0, 0];
          for (const [i, j] of [
            [0, 0],
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ]) {
            const r = row + j;
            if (r < 0 || r >= this.rows) continue;
            const v = from[r * TURN + ((column + i + TURN) % TURN)];
            if (v > 0) [sum, count] = [sum + v, count + 1];
          }
          if (count) to[at] = sum / count;
        }
      this.values = to;
    }
  }

  at(azimuth: number, row: number): number {
    const fx = (((azimuth + 540) % 360) / 360) * TURN - 0.5;
    const x0 = Math.floor(fx);
    const y = Math.max(0, Math.min(this.rows - 1.001, row));
    const y0 = Math.floor(y);
    const get = (x: number, r: number) => this.values[r * TURN + ((x + TURN) % TURN)];
    const top = get(x0, y0) + (get(x0 + 1, y0) - get(x0, y0)) * (fx - x0);
    const bottom = get(x0, y0 + 1) + (get(x0 + 1, y0 + 1) - get(x0, y0 + 1)) * (fx - x0);
    return top + (bottom - top) * (y - y0);
  }
}

export class HeadProfile {
  private readonly sides = new Table(ROWS);
  private readonly dome = new Table(DOME);

  constructor(mesh: Mesh, { skinEnd, triangles, material }: FaceModel) {
    const p = mesh.position;
    const see = (x: number, y: number, z: number) => {
      // without the ears
      if (Math.abs(x) > 7.9 && z < 3.5 && y > -2 && y < 7) return;
      const [dx, dy, dz] = [x - CENTER[0], y - CENTER[1], z - CENTER[2]];
      const across = Math.hypot(dx, dz);
      const column = Math.floor(((Math.atan2(dx, dz) / (2 * Math.PI) + 0.5) * TURN) % TURN);
      this.sides.most(column, Math.floor((y - LOW) / STEP), across);
      const height = Math.atan2(dy, across) / (Math.PI / 2);
      if (height >= 0) this.dome.most(column, Math.min(DOME - 1, Math.floor(height * DOME)), Math.hypot(across, dy));
    };
    for (let i = 0; i < 3 * skinEnd; i += 3) see(p[i], p[i + 1], p[i + 2]);
    for (let t = 0; t < material.length; t++) {
      if (material[t] > 1) continue;
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
      see((p[a] + p[b]) / 2, (p[a + 1] + p[b + 1]) / 2, (p[a + 2] + p[b + 2]) / 2);
      see((p[a] + p[b] + p[c]) / 3, (p[a + 1] + p[b + 1] + p[c + 1]) / 3, (p[a + 2] + p[b + 2] + p[c + 2]) / 3);
    }
    this.sides.finish();
    this.dome.finish();
  }

  /** Distance of the skin from the upright axis, azimuth in degrees (0 front, 90 the person's left) at height y. */
  around(azimuth: number, y: number): number {
    return this.sides.at(azimuth, (y - LOW) / STEP - 0.5);
  }

  /** Distance of the skin from the middle of the head, in a direction above it: elevation 0 to 90 degrees. */
  above(azimuth: number, elevation: number): number {
    return this.dome.at(azimuth, (elevation / 90) * DOME - 0.5);
  }

  /** A point of a shell `out` cm off the skin. */
  point(azimuth: number, y: number, out: number): [number, number, number] {
    const r = this.around(azimuth, y) + out;
    return [CENTER[0] + r * Math.sin(radians(azimuth)), y, CENTER[2] + r * Math.cos(radians(azimuth))];
  }
}

/** A cap over the head that may hang down: hair, hats, scarves. */
export interface Shell {
  part: number;
  /** Down to this height. */
  bottom: number;
  /** cm off the skin, by azimuth, height and the depth inside the edge. */
  thick: (azimuth: number, y: number, inside: number) => number;
  /** cm inside the edge, below 0 outside. */
  inside: (azimuth: number, y: number) => number;
  /** How fast what hangs may fall back towards the neck: cm a cm. */
  drape: number;
}

const COLUMNS = 73;
const DOME_ROWS = 18;

/** Rest coordinates: cm across and along the strands, cm inside the edge. */
export function addShell(mesh: Mesh, profile: HeadProfile, { part, bottom, thick, inside, drape }: Shell): void {
  const first = mesh.count;
  const hanging = Math.max(0, Math.ceil((CENTER[1] - bottom) / 0.8));
  const radius = new Float32Array(COLUMNS);
  for (let row = 0; row < DOME_ROWS + hanging; row++)
    for (let i = 0; i < COLUMNS; i++) {
      const azimuth = -180 + (360 * i) / (COLUMNS - 1);
      const [s, c] = [Math.sin(radians(azimuth)), Math.cos(radians(azimuth))];
      const across = radians(azimuth) * 9;
      if (row < DOME_ROWS) {
        const elevation = 90 - (90 * row) / (DOME_ROWS - 1);
        const skin = profile.above(azimuth, elevation);
        const up = Math.sin(radians(elevation));
        const edge = inside(azimuth, CENTER[1] + skin * up);
        const r = skin + thick(azimuth, CENTER[1] + skin * up, edge);
        const flat = r * Math.cos(radians(elevation));
        radius[i] = flat;
        mesh.vertex(
          CENTER[0] + flat * s,
          CENTER[1] + r * up,
          CENTER[2] + flat * c,
          across,
          radians(90 - elevation) * 10,
          edge,
        );
      } else {
        const y = CENTER[1] - 0.8 * (row - DOME_ROWS + 1);
        const edge = inside(azimuth, y);
        const r = Math.max(profile.around(azimuth, y) + thick(azimuth, y, edge), radius[i] - 0.8 * drape);
        radius[i] = r;
        mesh.vertex(CENTER[0] + r * s, y, CENTER[2] + r * c, across, 15 + CENTER[1] - y, edge);
      }
    }
  for (let row = 0; row + 1 < DOME_ROWS + hanging; row++)
    for (let i = 0; i + 1 < COLUMNS; i++) {
      const a = first + row * COLUMNS + i;
      const corners = [a, a + 1, a + COLUMNS, a + COLUMNS + 1];
      if (corners.every((k) => mesh.rest[3 * k + 2] < -1)) continue;
      mesh.triangle(a, a + COLUMNS, a + 1, part);
      mesh.triangle(a + 1, a + COLUMNS, a + COLUMNS + 1, part);
    }
}
