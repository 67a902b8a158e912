// The pictures of the operations: the example of each page is run in Node as it stands there, and what it gives is drawn
// beside what it was given. An example that fails, or finds nothing, fails the build.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { importTs } from '../import-ts.mjs';
import { root } from '../setup.mjs';
import { drawn, tinted } from './drawn.mjs';
import { ideas } from './ideas.mjs';

const WIDTH = 420;
/** Pictures and recordings that may be shown, with their terms beside them. */
export const mediaFolders = ['test/media', 'demo/media'];
export function mediaFile(name) {
  const found = mediaFolders.map((folder) => path.join(root, folder, name)).find((file) => existsSync(file));
  if (!found) throw new Error(`${name} is neither in ${mediaFolders.join(' nor in ')}.`);
  return found;
}

const grayOf = async (picture) => {
  const { data, info } = await picture.grayscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
};
const colorOf = async (picture) => {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data), colorSpace: 'srgb' };
};
const small = (name, width = WIDTH) => sharp(mediaFile(name)).resize({ width });

/** The same scene a moment later: turned a little and moved. */
async function later(name) {
  const turned = await sharp(await small(name, 480).rotate(4, { background: '#808080' }).png().toBuffer()).toBuffer();
  const cut = (bytes, left, top) => sharp(bytes).extract({ left, top, width: 320, height: 240 });
  const first = await small(name, 480).png().toBuffer();
  return { image: await grayOf(cut(first, 60, 70)), next: await grayOf(cut(turned, 78, 88)) };
}

/** Every 24 pixels. */
function grid({ width, height }) {
  const points = [];
  for (let y = 24; y < height - 12; y += 24) for (let x = 24; x < width - 12; x += 24) points.push(x, y);
  return Float32Array.from(points);
}

function disc({ width, height }, x, y, radius) {
  const inside = (i) => (i % width) - x;
  const data = new Uint8Array(width * height).map((_, i) =>
    Math.hypot(inside(i), Math.floor(i / width) - y) < radius ? 255 : 0,
  );
  return { width, height, data };
}

const eyes = () => importTs('lab/eyes/index.ts');

/** What an example may name, by the `given` of its page. */
export const givens = {
  photograph: async ({ media: name }) => ({ image: await grayOf(small(name)) }),
  color: async ({ media: name }) => ({ image: await colorOf(small(name, 700)) }),
  later: async ({ media: name }) => {
    const { image, next } = await later(name);
    return { image, previous: image, next, points: grid(image) };
  },
  hole: async ({ media: name }) => {
    const image = await colorOf(small(name, 300));
    return { image, mask: disc(image, 150, 60, 18) };
  },
  eye: async () => {
    const { width, height, data } = (await eyes()).sampleFrame(0);
    return { image: { width, height, data } };
  },
  /** Head and shoulders of the portrait. */
  face: async ({ media: name }, engine) => {
    const head = await sharp(mediaFile(name)).extract({ left: 110, top: 10, width: 240, height: 220 }).png().toBuffer(); // prettier-ignore
    const image = await grayOf(sharp(head).resize({ width: WIDTH }));
    return { image, boxes: await engine.detectFaces(image) };
  },
};

/** Runs the text of an example, as a module of its own, and gives what its last `const` is. */
async function outcome(example, names) {
  const [last] = [...example.matchAll(/^const (?:\{ )?(\w+)/gm)].slice(-1);
  const module = `export default async ({ ${Object.keys(names).join(', ')} }) => {\n${example}\nreturn ${last[1]};\n};`;
  const { default: run } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  return run(names);
}

const raster = ({ width, height, data }) =>
  sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: data.length / (width * height) },
  });
// Through PNG, so that what is laid over has the size of the picture.
const webp = async (picture) => sharp(await picture.png().toBuffer()).webp({ quality: 82 });

/** A picture, or one with something over it. */
async function composed({ image, over }, on) {
  if (!over) return raster(image);
  const input = over instanceof Buffer ? over : await raster(over).png().toBuffer();
  return raster(on).toColorspace('srgb').composite([{ input }]); // prettier-ignore
}

/** Draws the pictures of a page into `folder`; returns [{ part, width, height, words }]. */
async function drawPage(page, engine, folder) {
  const given = await givens[page.given ?? 'photograph'](page, engine);
  const result = await outcome(page.example, { engine, ...given });
  const idea = ideas[page.idea];
  const { on = given.image, ...found } = drawn(result, given);
  const parts = [
    given.mask
      ? ['before', 'What was given, the hole in color', { over: tinted(given.mask) }, given.image]
      : ['before', 'What was given', { image: given.image }],
    ...(idea ? [['idea', idea.words, await idea.draw(given, result, engine), given.image]] : []),
    ['after', page.shows, found, on],
  ];
  return Promise.all(
    parts.map(async ([part, words, picture, below]) => {
      await (await webp(await composed(picture, below))).toFile(path.join(folder, `${page.name}-${part}.webp`));
      const { width, height } = picture.image ?? below;
      return { part, words, width, height };
    }),
  );
}

/** All of them: lists by the name of the page. */
export async function drawPictures(pages, folder) {
  if (!existsSync(path.join(root, 'dist/node.js'))) throw new Error('dist/node.js is not built.');
  mkdirSync(folder, { recursive: true });
  const { createEngine } = await import('../../dist/node.js');
  const engine = await createEngine({ threads: 1 });
  const pictures = new Map();
  try {
    for (const page of pages) {
      if (!page.example) continue;
      try {
        pictures.set(page.name, await drawPage(page, engine, folder));
      } catch (error) {
        throw new Error(`${page.file}: ${error.message}`, { cause: error });
      }
    }
    return pictures;
  } finally {
    await engine.dispose();
  }
}
