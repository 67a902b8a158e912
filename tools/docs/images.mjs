// `npm run docs -- pictures [NAME]`: draws the pictures of docs/images again, from rendered eyes and the fundus photograph of the demo,
// by the built library. All have the same seed, so that a picture only changes with the code. docs/images/demo.png is made by
// test/pages/screenshot.full.test.mjs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { createEngine, retinalMeasures } from '../../dist/node.js';
import { importTs } from '../import-ts.mjs';
import { root } from '../setup.mjs';
import { calibration, dataFlow, foreshortening, methods, reflex, words } from './diagrams.mjs';
import { mediaFile } from './pictures.mjs';

const FOUND = '#00d5ff';
const TRUE = '#ffd54f';
const overlay = (width, height, shapes) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">${shapes.flat(9).join('')}</svg>`); // prettier-ignore
const outline = (ellipse, stroke, width = 3) =>
  ellipse
    ? `<ellipse cx="${ellipse.x}" cy="${ellipse.y}" rx="${ellipse.major / 2}" ry="${ellipse.minor / 2}" fill="none" stroke="${stroke}"
        stroke-width="${width}" transform="rotate(${(ellipse.angle * 180) / Math.PI} ${ellipse.x} ${ellipse.y})"/>`
    : '';
const rasterOf = ({ width, height, data }) =>
  sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), { raw: { width, height, channels: 1 } });

async function tile(frame, shapes, width) {
  const drawn = await rasterOf(frame).toColorspace('srgb').composite([{ input: overlay(frame.width, frame.height, shapes) }]).png().toBuffer(); // prettier-ignore
  return sharp(drawn).resize({ width }).png().toBuffer();
}

/** Pictures of equal size in rows, with a line of text under each. */
async function sheet(tiles, { columns, width, height }) {
  const rows = Math.ceil(tiles.length / columns);
  const [w, h] = [width + 8, height + 30];
  const layers = tiles.flatMap(({ picture, text }, i) => {
    const [left, top] = [(i % columns) * w + 4, Math.floor(i / columns) * h + 4];
    return [
      { input: picture, left, top },
      { input: overlay(width, 24, [words(width / 2, 17, text, { size: 13 })]), left, top: top + height },
    ];
  });
  return sharp({ create: { width: w * columns, height: h * rows, channels: 3, background: '#ffffff' } }).composite(layers).webp({ quality: 80 }).toBuffer(); // prettier-ignore
}

/** The sample clip, tracked while its pupil constricts as after a flash, and its diameter. */
async function flash(engine, { sampleFrame }) {
  const tracker = engine.createPupilTracker({ method: 'robust' });
  const [first, last, step, width, height] = [348, 448, 5, 320, 320];
  const [frames, diameters] = [[], []];
  for (let i = first; i <= last; i += step) {
    const frame = sampleFrame(i);
    const { pupils } = await tracker.process(frame, { timestamp: frame.meta.time });
    diameters.push(pupils[0].diameter);
    const picture = await tile(frame, [outline(pupils[0].found ? pupils[0].ellipse : null, FOUND, 4)], width);
    const x = (k) => 10 + (k * (width - 20)) / ((last - first) / step);
    const y = (value) => 310 - (value - 60) * 0.9;
    const curve = diameters.map((value, k) => (value > 0 ? `<circle cx="${x(k)}" cy="${y(value)}" r="2.5" fill="${FOUND}"/>` : ''));
    const light = `<rect x="${x(2)}" y="242" width="8" height="76" fill="#fdeab8"/>`;
    const chart = overlay(width, height, [`<rect y="240" width="${width}" height="80" fill="#141a21"/>`, frames.length >= 2 ? light : '', curve]);
    const whole = sharp({ create: { width, height, channels: 3, background: '#000000' } }).composite([{ input: picture, left: 0, top: 0 }, { input: chart }]);
    frames.push(await sharp(await whole.png().toBuffer()).removeAlpha().raw().toBuffer());
  } // prettier-ignore
  await tracker.dispose();
  const raw = { width, height: height * frames.length, channels: 3, pageHeight: height };
  return sharp(Buffer.concat(frames), { raw }).webp({ quality: 45, delay: frames.map((_, i) => (i === frames.length - 1 ? 1500 : 83)), loop: 0 }).toBuffer(); // prettier-ignore
}

/** Vessels in their colors, the disc, the fovea and the borders of the zones. */
async function fundus(engine) {
  const input = sharp(mediaFile('fundus.jpg')).resize({ width: 1000 }).ensureAlpha();
  const { data, info } = await input.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const image = { width, height, data: new Uint8ClampedArray(data), colorSpace: 'srgb' };
  const vessels = await engine.vessels(image, { scales: 'all', measures: true });
  const found = await engine.opticDisc(image, { segments: vessels.segments });
  const { disc, fovea } = found;
  const kinds = new Map(retinalMeasures(vessels, found).zone.vessels.map(({ segment, kind }) => [segment, kind]));
  const colors = { artery: '#ff3b30', vein: '#3f8cff' };
  const line = ({ points }, i) => {
    const color = colors[kinds.get(i)] ?? '#9be7c4';
    const path2 = Array.from(points, (value, k) => `${k % 2 ? '' : 'L'}${value.toFixed(1)}`).join(' ').replace('L', 'M');
    return `<path d="${path2}" fill="none" stroke="${color}" stroke-width="${kinds.has(i) ? 5 : 1.5}"/>`;
  }; // prettier-ignore
  const zones = [1, 2, 3, 5].map((radii) => `<circle cx="${disc.x}" cy="${disc.y}" r="${disc.radius * radii}" fill="none" stroke="#ffffff" stroke-width="2" stroke-dasharray="${radii > 1 ? '8 6' : ''}"/>`); // prettier-ignore
  const names = [['A', 1.5], ['B', 2.5], ['C', 4]].map(([name, radii]) => words(disc.x, disc.y - disc.radius * radii, name, { fill: '#ffffff', size: 24, weight: 700 })); // prettier-ignore
  const mark = fovea ? `<circle cx="${fovea.x}" cy="${fovea.y}" r="10" fill="none" stroke="${TRUE}" stroke-width="4"/>` : ''; // prettier-ignore
  const shapes = [vessels.segments.map(line), zones, names, mark];
  const drawn = await sharp(data, { raw: { width, height, channels: 4 } }).composite([{ input: overlay(width, height, shapes) }]).png().toBuffer(); // prettier-ignore
  return sharp(drawn).resize({ width: 720 }).webp({ quality: 78 }).toBuffer();
}

async function firstPupil(engine, frame, options) {
  const tracker = engine.createPupilTracker({ tracking: false, ...options });
  const { pupils } = await tracker.process({ width: frame.width, height: frame.height, data: frame.data });
  await tracker.dispose();
  return pupils[0];
}

const reasonOf = ({ meta, truth }) =>
  truth.border.lid > 0.3 ? 'lid' : truth.border.lash > 0.25 ? 'lashes' : meta.kind === 'led' ? 'reflections' : meta.contrast < 25 ? 'low contrast' : 'blur and noise'; // prettier-ignore

/** The worst hard frames of one seed: yellow is true, blue is found. */
async function failures(engine, { hardSet }) {
  const judged = [];
  for (const frame of hardSet({ count: 90, seed: 20 })) {
    if (!frame.truth.present) continue;
    const pupil = await firstPupil(engine, frame, { method: 'threshold' });
    const error = pupil.found ? Math.hypot(pupil.x - frame.truth.ellipse.x, pupil.y - frame.truth.ellipse.y) : 25;
    judged.push({ frame, pupil, error });
  }
  const worst = judged.sort((a, b) => b.error - a.error).slice(0, 6);
  const tiles = worst.map(async ({ frame, pupil }) => ({
    picture: await tile(frame, [outline(frame.truth.ellipse, TRUE), outline(pupil.found ? pupil.ellipse : null, FOUND)], 260), // prettier-ignore
    text: `${pupil.found ? 'wrong outline' : 'nothing found'}: ${reasonOf(frame)}`,
  }));
  return sheet(await Promise.all(tiles), { columns: 3, width: 260, height: 195 });
}

/** A frame in which only `robust` finds the pupil. */
async function rescued(engine, { hardSet }) {
  for (const frame of hardSet({ count: 90, seed: 20 }))
    if (frame.truth.present && !(await firstPupil(engine, frame, { method: 'threshold' })).found) {
      const { found, x, y } = await firstPupil(engine, frame, { method: 'robust' });
      if (found && Math.hypot(x - frame.truth.ellipse.x, y - frame.truth.ellipse.y) < 2) return frame;
    }
  throw new Error('no hard frame is found by robust alone');
}

const shapeOf = ({ found, ellipse, x, y, diameter }) =>
  found ? (ellipse ?? { x, y, major: diameter, minor: diameter, angle: 0 }) : null;

/** Pairs: the usual setting, and the one that mends it. */
async function settings(engine, eyes) {
  const frame = eyes.sampleFrame(0);
  const negative = { ...frame, data: frame.data.map((value) => 255 - value) };
  const aside = [...eyes.hardSet({ count: 30 })].find(({ meta, truth }) => truth.present && meta.offAxis > 33);
  const hard = await rescued(engine, eyes);
  const cases = [
    [negative, {}, "polarity: 'dark'"],
    [negative, { polarity: 'bright' }, "polarity: 'bright'"],
    [aside, { fit: 'circle' }, "fit: 'circle'"],
    [aside, { fit: 'ellipse' }, "fit: 'ellipse'"],
    [hard, { method: 'threshold' }, "method: 'threshold'"],
    [hard, { method: 'robust' }, "method: 'robust'"],
  ];
  const tiles = cases.map(async ([image, options, text]) => {
    const pupil = await firstPupil(engine, image, options);
    return { picture: await tile(image, [outline(shapeOf(pupil), FOUND, 4)], 300), text: `${text}${pupil.found ? '' : ': nothing found'}` }; // prettier-ignore
  });
  return sheet(await Promise.all(tiles), { columns: 2, width: 300, height: 225 });
}

const makers = {
  'reflex.svg': reflex,
  'calibration.svg': calibration,
  'foreshortening.svg': foreshortening,
  'data-flow.svg': dataFlow,
  'methods.svg': methods,
  'flash.webp': flash,
  'fundus.webp': fundus,
  'failures.webp': failures,
  'settings.webp': settings,
};

/** Draws all of them, or those whose name begins so. */
export async function drawImages(name = '') {
  const eyes = await importTs('lab/eyes/index.ts');
  const engine = await createEngine({ threads: 1 });
  try {
    for (const [file, make] of Object.entries(makers).filter(([one]) => one.startsWith(name))) {
      const picture = await (file.endsWith('.svg') ? make() : make(engine, eyes));
      writeFileSync(path.join(root, 'docs/images', file), picture);
      console.log(`docs/images/${file}: ${(picture.length / 1000).toFixed(1)} kB`);
    }
  } finally {
    await engine.dispose();
  }
}
