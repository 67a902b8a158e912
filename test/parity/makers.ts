/**
 * Inputs that are no planes, or planes of special content, for the parity test: by kind, or by stage and place, for
 * example 'flow/track-points 2'. What else a stage needs to be compared: parameters, pixels that may differ.
 */
import type { MakeInput, Params } from './cases.ts';
import { faceMakers, settleFaces } from './faces.ts';
import { networkMakers } from './network.ts';
import { flowMakers, settleFlow } from './flow.ts';
import { objectMakers, settleObjects } from './objects.ts';
import { vesselsMakers } from './vessels.ts';
import { pupilMakers, settlePupil } from './pupil.ts';

/** A search for circles: radii and a region that a small image holds, or does not. */
const circleQuestion: MakeInput = (width, height, i, random) => {
  const whole = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const minRadius = whole(1, 12);
  const region = { x: whole(-3, width), y: whole(-3, height), width: whole(0, 40), height: whole(0, 40) };
  return {
    minRadius,
    maxRadius: minRadius + whole(0, 5),
    angleStep: Math.PI / [10, 20, 26, 4, 2, 50][whole(0, 5)]!,
    region: i % 2 ? region : undefined,
    oriented: i % 3 === 1,
    least: whole(1, 9),
  };
};

/** Counters of votes with zeros around. */
const votes: MakeInput = (width, height, i, random) => {
  const [across, down] = [width + 2, height + 2];
  const data = Int32Array.from({ length: across * down }, (_, at) => {
    const [x, y] = [at % across, Math.floor(at / across)];
    const inside = x > 0 && y > 0 && x < across - 1 && y < down - 1;
    return inside ? Math.floor(random() * (i % 2 ? 4 : 400)) : 0;
  });
  return { width: across, height: down, format: 'i32', data };
};

/** A mask of a rectangle or two: every patch of a filling is looked for in the whole picture. */
const fewHoles: MakeInput = (width, height, i, random) => {
  const data = new Uint8Array(width * height);
  const side = width * height > 5000 ? 4 : 9;
  for (let n = 0; n < 1 + (i % 2); n++) {
    const [left, top] = [Math.floor(random() * width), Math.floor(random() * height)];
    const [right, bottom] = [left + 1 + random() * side, top + 1 + random() * side];
    for (let y = top; y < Math.min(height, bottom); y++)
      for (let x = left; x < Math.min(width, right); x++) data[y * width + x] = 255;
  }
  // The limits of textures are no matter of the search: nothing to fill there.
  return { width, height, format: 'u8', data: Math.max(width, height) > 4200 ? data.fill(0) : data };
};

export const makers: Readonly<Record<string, MakeInput>> = {
  'inpaint/fill 1': fewHoles,
  circles: circleQuestion,
  'edges/line-peaks 0': votes,
  ...faceMakers,
  ...flowMakers,
  ...networkMakers,
  ...objectMakers,
  ...vesselsMakers,
  ...pupilMakers,
};

/** Parameters of a stage where samples of its table would compare roundings, or take too long. */
export const settled: Readonly<Record<string, (params: Params, i: number) => Params>> = {
  ...settleFaces,
  // More peaks than are wanted, also many more, and some of equal votes.
  'edges/line-peaks': (params, i) => ({
    ...params,
    threshold: [100, 0, 3, 250][i % 4]!,
    max: [100, 7, 3000, 1][i % 4]!,
  }),
  // Within what the samples are.
  'image/above': (params, i) => ({ ...params, mapLevel: [0, 0.5, -0.3, 2, 1e-3][i % 5]! }),
  // A window that lies in the hole: then the whole picture is searched.
  'inpaint/fill': (params, i) => (i % 3 === 2 ? { ...params, searchWindow: 1 } : params),
  ...settleFlow,
  ...settleObjects,
  ...settlePupil,
};

/** Share of a stage's results that may differ: samples on the border between two answers. */
export const borderline: Readonly<Record<string, number>> = {
  'flow/dense': 0.002,
  'flow/windows': 0.002,
  'flow/refine': 0.005,
  'flow/maps': 0.005,
  // Saddles, where rounding decides between a dark line and a bright one, and so for the sigma or for none.
  'vessels/vesselness-maps': 5e-4,
};
