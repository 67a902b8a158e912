// Constants by which disc and fovea are found, arteries distinguished from veins and calibers taken, by photographs and drawn retinas.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './lines.mjs';
import { wholeImages } from './photographs.mjs';

/** Drawn retinas: side, and what they differ in. */
const [DRAWN, SIDE] = [6, 900];
const ARTERIES = [
  [10.5, 9.6, 9, 8.4, 7.6, 7],
  [8.4, 7.8, 7.2, 6.6, 6, 5.2],
];
const VEINS = [
  [13.5, 12.6, 11.8, 11, 9.8, 8.6],
  [10.4, 9.6, 8.8, 8, 7, 6],
];
/** A caliber that is wrong by this share is worth nothing, and a place that is so many disc radii away. */
const [WRONG, AWAY] = [0.12, 1];

export const about = (images) =>
  `${images.filter(({ mark }) => mark).length} photographs whose disc and fovea were marked by hand (bench/vessels/parts/discs.json), long ones at half ` +
  `their size, and ${DRAWN} drawn retinas whose vessels are known. Worth: the mean of four: disc and fovea (1 at the mark, 0 from its radius on; a fovea ` +
  'where none is marked 0), vessels of the zone called artery or vein as drawn, CRAE and CRVE (1 where exact, 0 from 12 % on). Groups: photographs.';

export const constants = at('src/vessels/retina', [
  ['disc.ts', 'spread: 0.4', 0.3, 0.5],
  ['disc.ts', 'power: 1.5', 1.2, 1.9],
  ['disc.ts', 'long: 0.1', 0.07, 0.14],
  ['disc.ts', 'cap: 0.5', 0.38, 0.65],
  ['disc.ts', 'FLOOR = 0.3', 0.22, 0.4],
  ['disc.ts', 'usual: 0.083, spread: 0.35', 0.27, 0.45],
  ['disc.ts', 'WIDE = { inner: 0.6', 0.5, 0.7],
  ['disc.ts', 'WIDE = { inner: 0.6, outer: 1.45', 1.3, 1.65],
  ['disc.ts', 'TIGHT = { inner: 0.8', 0.7, 0.87],
  ['disc.ts', 'TIGHT = { inner: 0.8, outer: 1.2', 1.15, 1.3],
  ['disc.ts', 'STAY = 0.8', 0.6, 1.1],
  ['disc.ts', 'WEAK = 0.1', 0.07, 0.14],
  ['disc-edge.ts', 'CLOSE = 0.012', 0.009, 0.016],
  ['disc-edge.ts', 'RED = 0.5', 0.35, 0.7],
  ['disc-edge.ts', 'SEEN = 0.4', 0.3, 0.55],
  ['convergence.ts', 'NEAR = 0.04', 0.028, 0.055],
  ['convergence.ts', 'FAR = 0.4', 0.3, 0.52],
  ['convergence.ts', 'LEVEL = 0.1', 0.07, 0.14],
  ['fovea.ts', 'DARK = 0.5', 0.35, 0.7],
  ['fovea.ts', 'RING = [1.1', 0.9, 1.3],
  ['fovea.ts', 'RING = [1.1, 1.7', 1.5, 2],
  ['fovea.ts', 'FULL = 0.06', 0.04, 0.085],
  ['fovea.ts', 'DEEP = 0.08', 0.055, 0.11],
  ['fovea.ts', 'SEEN = 0.95', 0.85, 1],
  ['operation.ts', 'LEAST = { disc: 0.5', 0.4, 0.6],
  ['operation.ts', 'LEAST = { disc: 0.5, fovea: 0.15', 0.1, 0.22],
  ['kinds.ts', 'NARROW = 0.4', 0.3, 0.5],
  ['kinds.ts', 'sure: 0.95', 0.92, 0.98],
  ['depths.ts', 'OWN = [-0.25', -0.32, -0.19],
  ['depths.ts', 'BESIDE = [0.9', 0.8, 1],
  ['depths.ts', 'MORE = 1', 0.5, 1.5],
  ['depths.ts', 'AROUND = 2', 1, 3],
  ['zone.ts', 'SHORT = 0.3', 0.22, 0.4],
  ['zone.ts', 'SHARE = 0.4', 0.3, 0.5],
  ['zone-calibers.ts', 'COMPARED = { from: 1.5', 1.2, 1.8],
  ['zone-calibers.ts', 'COMPARED = { from: 1.5, to: 5', 4, 6],
  ['strands.ts', 'BESIDE = 2', 1, 3],
]);

async function drawnImages(importTs) {
  const { drawnPhotograph } = await importTs('test/vessels/drawn.ts');
  const { drawnRetina, kindAt, scene } = await importTs('test/vessels/scenes.ts');
  const { equivalent } = await importTs('src/vessels/retina/calibers.ts');
  return Array.from({ length: DRAWN }, (_, k) => {
    const [arteries, veins] = [ARTERIES[k % 2], VEINS[k % 2]];
    const own = drawnRetina(SIDE, 0.31 + 0.27 * k, { arteries, veins });
    const lines = own.lines.map((line) => (line.width >= 10 && k % 4 > 1 ? { ...line, reflex: 0.3 } : line));
    const look = { ...own, blur: 0.5 + (k % 3) / 2, noise: 1 + (k % 3), fundus: true, seed: 40 + k };
    const { width, height, data } = drawnPhotograph(scene(SIDE, lines, look));
    const degrees = Array.from({ length: 360 }, (_, angle) => kindAt(own, ((angle - 180) * Math.PI) / 180));
    const calibers = [equivalent(arteries, 'artery'), equivalent(veins, 'vein')];
    return { name: `drawn ${k}`, image: { width, height, data }, truth: { disc: own.disc, degrees, calibers } };
  });
}

/** Photographs and drawn retinas with the vessels that are found in them, which no constant of the list reaches. */
export async function prepare({ importTs, shared, root, openBrowser }) {
  if (!shared || !existsSync(path.join(shared, 'data/fundus'))) return null;
  const { photographs } = JSON.parse(readFileSync(path.join(root, 'bench/vessels/parts/discs.json'), 'utf8'));
  const names = Object.keys(photographs);
  const half = (name) => name.includes('hrf') || name.includes('free');
  const files = names.map((name) => ({ file: path.join(shared, 'data', name), half: half(name) }));
  const marked = (await wholeImages(files, openBrowser)).map((image, k) => {
    const { x, y, radius, fovea } = photographs[names[k]];
    const times = half(names[k]) ? 0.5 : 1;
    const place = (v) => (v + 0.5) * times - 0.5;
    const mark = { x: place(x), y: place(y), radius: times * radius, fovea: fovea?.map(place) ?? null };
    return { name: names[k], image, mark };
  });
  const { createEngine } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const images = [];
  for (const one of [...marked, ...(await drawnImages(importTs))]) {
    const { segments, mask, ...rest } = await engine.vessels(one.image, { scales: 'all', measures: true });
    images.push({ ...one, vessels: { ...rest, mask, segments } });
  }
  await engine.dispose();
  return images;
}

const worthOf = (error, worthless) => Math.max(0, 1 - Math.abs(error) / worthless) || 0;

function marks({ disc, fovea }, mark) {
  const away = (place, x, y) => Math.hypot(place.x - x, place.y - y) / mark.radius;
  const right = !mark.fovea ? Number(!fovea) : fovea ? worthOf(away(fovea, ...mark.fovea), AWAY) : 0;
  return { photographs: 1, discs: disc ? worthOf(away(disc, mark.x, mark.y), AWAY) : 0, foveas: right };
}

function drawn({ zone }, { degrees, calibers }) {
  const kindAt = (angle) => degrees[Math.round((angle * 180) / Math.PI + 180) % 360];
  const worths = [zone?.crae, zone?.crve].map((one, k) => (one ? worthOf(one.pixels / calibers[k] - 1, WRONG) : 0));
  return {
    retinas: 1,
    calibers: (worths[0] + worths[1]) / 2,
    vessels: zone?.vessels.length ?? 0,
    kinds: zone?.vessels.filter(({ kind, angle }) => kind === kindAt(angle)).length ?? 0,
  };
}

/** By photograph: what disc and fovea are worth; by drawn retina: kinds and calibers. */
export async function measure({ importTs }, images) {
  const { createEngine, retinalMeasures } = await importTs('src/index.ts');
  const engine = await createEngine({ worker: false, backend: 'wasm' });
  const groups = {};
  for (const { name, image, mark, truth, vessels } of images) {
    const places = await engine.opticDisc(image, { segments: vessels.segments });
    groups[name] = mark ? marks(places, mark) : drawn(retinalMeasures(vessels, { ...places, disc: truth.disc }), truth);
  }
  await engine.dispose();
  return groups;
}

/** Of counts that may be those of photographs alone or of drawn retinas alone: what there is none of counts as it stands. */
const share = (part, all) => (all ? part / all : 0);

export const worth = (counts) =>
  (share(counts.discs, counts.photographs) +
    share(counts.foveas, counts.photographs) +
    share(counts.kinds, counts.vessels) +
    share(counts.calibers, counts.retinas)) /
  4;

export const figures = (counts) =>
  `discs ${share(counts.discs, counts.photographs).toFixed(3)}, foveas ${share(counts.foveas, counts.photographs).toFixed(3)}, ` +
  `${counts.kinds} of ${counts.vessels} vessels called right, calibers ${share(counts.calibers, counts.retinas).toFixed(3)}`;
