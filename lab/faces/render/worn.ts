/** Hair, hats, glasses, masks, hands and clothes as triangles on a person's head, in the model's axes. */
import { clamp, smoothStep } from '../../eyes/arithmetic.ts';
import { noiseTile, TILE } from '../../eyes/texture.ts';
import { addGlasses } from './glasses.ts';
import { addHand } from './hand.ts';
import type { FaceModel } from './model.ts';
import { addShell, HeadProfile, type Shell } from './profile.ts';
import { Part, turning, tube, type Mesh } from './scene.ts';
import type { FaceSettings } from './settings.ts';

const MASK = TILE - 1;

export function addWorn(mesh: Mesh, settings: FaceSettings, model: FaceModel): void {
  const { hair, hat, glasses, mask, hand } = settings.worn;
  if (glasses) addGlasses(mesh, glasses, model);
  if (!hair && !hat && !mask && !hand) return;
  const profile = new HeadProfile(mesh, model);
  if (mask) addMask(mesh, profile, mask);
  if (hand) addHand(mesh, profile, hand);
  if (hair && hat?.kind !== 'scarf') addShell(mesh, profile, hairShell(settings));
  if (hat) addHat(mesh, profile, hat);
}

/** Height of a hair line around a head, cm: azimuth in degrees from the front. */
const LINE: [number, number][] = [
  [0, 0],
  [35, -0.5],
  [52, -1.8],
  [64, -4],
  [76, -7.5],
  [86, -9.6],
  [91, -8.5],
  [96, -6],
  [108, -6],
  [117, -11],
  [130, -15],
  [180, -16.5],
];

function alongLine(line: readonly [number, number][], x: number): number {
  let i = 0;
  while (i + 2 < line.length && line[i + 1][0] < x) i++;
  const [[ax, ay], [bx, by]] = [line[i], line[i + 1]];
  return ay + ((by - ay) * clamp(x - ax, 0, bx - ax)) / (bx - ax);
}

function hairShell({ worn, seed }: FaceSettings): Shell {
  const hair = worn.hair!;
  const [thickest, top] = worn.hat ? [Math.min(0.5, hair.thick), 0.1] : [hair.thick, hair.top];
  const tile = noiseTile(4);
  const bumps = (azimuth: number, y: number) =>
    tile[((Math.floor(y * 5) + seed) & MASK) * TILE + ((Math.floor(azimuth * 0.7) + (seed >>> 7)) & MASK)];
  const lineAt = (azimuth: number) => {
    const far = Math.abs(azimuth);
    const temple = hair.temples * Math.exp(-(((far - 42) / 18) ** 2));
    const natural = hair.line + temple + (alongLine(LINE, far) * (hair.line + 5.5)) / 16.5;
    if (!hair.fringe || far > 66) return natural;
    const cut = hair.fringe.to + hair.fringe.slope * azimuth;
    return Math.min(natural, cut + (natural - cut) * smoothStep(48, 66, far));
  };
  return {
    part: Part.hair,
    bottom: hair.bottom - 1,
    drape: 0.12,
    inside: (azimuth, y) => {
      const side = azimuth > 0 ? hair.sides[0] : hair.sides[1];
      const hanging = Math.min(
        (Math.abs(azimuth) - side - 2 * Math.sin(0.4 * y + seed) * hair.waves) * 0.16,
        y - hair.bottom,
      );
      return Math.max(y - lineAt(azimuth), hanging);
    },
    thick: (azimuth, y, inside) => {
      const full = thickest + top * smoothStep(6, 14, y) + hair.curls * 0.35 * bumps(azimuth, y);
      const least = hair.fringe && Math.abs(azimuth) < 66 ? 0.45 : 0.12;
      return Math.max(least, least + (full - least) * smoothStep(-0.3, 2.5, inside));
    },
  };
}

type Hat = NonNullable<FaceSettings['worn']['hat']>;

function addHat(mesh: Mesh, profile: HeadProfile, { kind, height, tilt, thick }: Hat): void {
  const line = (azimuth: number) => height - 2.5 + 2.5 * Math.cos((azimuth * Math.PI) / 180) + tilt * azimuth * 0.3;
  if (kind === 'scarf') {
    const opening = 44 + 6 * thick;
    addShell(mesh, profile, {
      part: Part.hat,
      bottom: -17,
      drape: 0.35,
      thick: () => 0.35 + 0.5 * thick,
      inside: (azimuth, y) =>
        Math.max(y - height - 0.5, (Math.abs(azimuth) - opening - 1.2 * Math.min(0, y + 2)) * 0.16, -8.6 - y),
    });
    return;
  }
  addShell(mesh, profile, {
    part: Part.hat,
    bottom: height - 6,
    drape: 0,
    thick: (_, y, inside) =>
      0.5 * thick +
      0.3 +
      (kind === 'beanie' && inside < 4 ? 0.5 : 0) +
      (kind === 'brim' ? 2.5 * smoothStep(9, 13, y) : 0),
    inside: (azimuth, y) => y - line(azimuth),
  });
  if (kind !== 'cap' && kind !== 'brim') return;
  const most = kind === 'cap' ? 62 : 180;
  const [columns, rows, first] = [37, 5, mesh.count];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const azimuth = -most + (2 * most * i) / (columns - 1);
      const share = j / (rows - 1);
      const wide = kind === 'cap' ? 7 * Math.sqrt(Math.max(0, 1 - (azimuth / most) ** 2)) : 5 + 3 * thick;
      const [x, y, z] = profile.point(azimuth, Math.max(4, line(azimuth)), 0.3 + 0.4 * thick + wide * share);
      mesh.vertex(
        x,
        y + 0.2 - 1.4 * share * share - 0.1 * (kind === 'cap' ? Math.abs(x) * share : 0),
        z,
        0.3 * azimuth,
        9 * share,
        9,
      );
    }
  mesh.grid(first, rows, columns, Part.hat);
}

function addMask(mesh: Mesh, profile: HeadProfile, { top, tight }: NonNullable<FaceSettings['worn']['mask']>): void {
  const [columns, rows, most, first] = [31, 17, 76, mesh.count];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const azimuth = -most + (2 * most * i) / (columns - 1);
      const far = Math.abs(azimuth) / most;
      const upper = top + (-1.2 - top) * far * far;
      const lower = -8.4 + 4.4 * far * far;
      const y = upper + ((lower - upper) * j) / (rows - 1);
      // stretched from the nose to the cheeks and the chin
      let out = 0;
      for (let k = -2; k <= 2; k++)
        for (let l = -1; l <= 1; l++)
          out = Math.max(out, profile.around(azimuth + 5 * k, Math.max(y, -7) + 0.7 * l) - 0.2 * Math.abs(k) + 0.1);
      const [x, , z] = profile.point(azimuth, y, tight + out - profile.around(azimuth, y));
      mesh.vertex(x, y, z, 0.12 * azimuth, y, 0);
    }
  mesh.grid(first, rows, columns, Part.mask);
  for (const side of [1, -1])
    for (const y of [-1.6, -3.6]) {
      const from = profile.point(side * 70, y, tight);
      tube(mesh, [from, [side * 8.1, 0.5, 1.8]], () => 0.09, Part.mask, 4);
    }
}

/** Height, half width, half depth and how far back of rings from the neck down, cm. */
const RINGS = [
  [-10.6, 7.1, 7.3, -0.3],
  [-11.7, 8.8, 8, -0.7],
  [-12.9, 11, 8.4, -1.1],
  [-14.2, 13.6, 8.9, -1.5],
  [-16, 16.8, 9.7, -2],
  [-18.5, 19.5, 10.5, -2.2],
  [-23, 21.5, 11.5, -2],
  [-34, 22.5, 12.5, -1],
  [-60, 23, 13, -1],
];

/** Shoulders in cloth, below the head, which is in its place already; they follow its turn in part. */
export function addBody(mesh: Mesh, settings: FaceSettings, pivot: readonly number[]): void {
  const { yaw, pitch, roll, worn } = settings;
  const { collar, turtle, wide } = worn.cloth;
  const first = mesh.count;
  const columns = 41;
  RINGS.forEach(([y, w, d, back], row) => {
    for (let i = 0; i < columns; i++) {
      const angle = (2 * Math.PI * i) / (columns - 1);
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      const front = row < 3 ? 1.6 * Math.max(0, c) : 0; // the neckline is lower in front
      mesh.vertex(wide * w * s, y - front, d * c + back, 8 * angle, y, 0);
    }
  });
  mesh.grid(first, RINGS.length, columns, Part.cloth);
  const band = turtle ? 5 : collar;
  if (band > 0) {
    const at = mesh.count;
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < columns; i++) {
        const angle = 0.25 + ((2 * Math.PI - 0.5) * i) / (columns - 1);
        const open = turtle ? 1 : 1 + 0.12 * j;
        const r = (7.4 + (turtle ? -0.4 : 0.25 * j)) * open;
        mesh.vertex(
          r * Math.sin(angle),
          -13.6 + (band * j) / 2 - 1.4 * Math.max(0, Math.cos(angle)),
          r * Math.cos(angle) - 0.5,
          8 * angle,
          3 * j,
          0,
        );
      }
    mesh.grid(at, 3, columns, Part.cloth);
  }
  // The neck goes where the head takes it.
  const turn = turning(yaw, pitch, roll);
  const neck = [0, -12, -1].map((v, k) => v - pivot[k]);
  const shift = [0, 1, 2].map((k) => turn[3 * k] * neck[0] + turn[3 * k + 1] * neck[1] + turn[3 * k + 2] * neck[2]);
  mesh.place(first, turning(0.4 * yaw, 0.15 * pitch, 0.25 * roll), [0, -12, -1], shift);
}
