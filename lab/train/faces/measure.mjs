// node lab/train/faces/measure.mjs [turns...]: faces found at overlap 0.5 and other boxes, by the network, the cascades and both
// (the default), on the photographs of ../shared/data (none was used in training), also turned by these degrees; and times.
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../../tools/browser.mjs';
import { annotatedFaces, faceless } from '../../../bench/faces/parts/data.mjs';
import { overlap } from '../../../bench/parts/numbers.mjs';
import { sharedFolder } from '../../../tools/serve.mjs';
import { faces, methods } from './methods.mjs';

/** Turned about its middle against the clock, linear, on gray; boxes keep their side about the turned middle. */
function turned(image, degrees) {
  if (!degrees) return image;
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const { width: w, height: h, data } = image;
  const width = Math.round(Math.abs(c) * w + Math.abs(s) * h);
  const height = Math.round(Math.abs(s) * w + Math.abs(c) * h);
  const out = new Uint8Array(width * height).fill(128);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - (width - 1) / 2, y - (height - 1) / 2];
      const [u, v] = [c * dx - s * dy + (w - 1) / 2, s * dx + c * dy + (h - 1) / 2];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      if (i < 0 || j < 0 || i >= w - 1 || j >= h - 1) continue;
      const [fx, fy, at] = [u - i, v - j, j * w + i];
      const top = data[at] + (data[at + 1] - data[at]) * fx;
      const bottom = data[at + w] + (data[at + w + 1] - data[at + w]) * fx;
      out[y * width + x] = Math.round(top + (bottom - top) * fy);
    }
  const place = (box) => {
    const [dx, dy] = [box.x + box.width / 2 - w / 2, box.y + box.height / 2 - h / 2];
    const [x, y] = [c * dx + s * dy + width / 2, c * dy - s * dx + height / 2];
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  };
  const faces = image.faces.map((face) => ({ ...face, box: place(face.box) }));
  return { ...image, width, height, data: out, faces, beside: image.beside.map(place) };
}

function count(row, { faces, beside }, found) {
  const left = new Set(found);
  row.pictures++;
  for (const { box } of faces) {
    row.faces++;
    const best = [...left].sort((a, b) => overlap(b, box) - overlap(a, box))[0];
    if (!best || overlap(best, box) < 0.5) continue;
    left.delete(best);
    row.found++;
    row.overlap += overlap(best, box);
  }
  for (const box of left) if (!beside.some((one) => overlap(one, box) >= 0.4)) row.other++;
}

const openBrowser = async () => puppeteer.launch(await launchOptions());
const images = [...(await annotatedFaces(sharedFolder, openBrowser)), ...(await faceless(sharedFolder, openBrowser))];
const turns = process.argv.slice(2).map(Number);
/** Scores to count at: the default, and others that show what a caller may choose. */
const SCORES = { network: [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8], cascades: [0.5], default: [0.5] };
for (const degrees of turns.length ? turns : [0, 25, 90, 180])
  for (const [method, scores] of Object.entries(SCORES)) {
    const rows = new Map();
    for (const upright of images) {
      if (degrees && !upright.faces.length) continue;
      const image = turned(upright, degrees);
      // The smallest face is a share of the picture, as in `npm run bench -- accuracy faces`.
      const scale = Math.max(1, Math.max(upright.width, upright.height) / 640);
      const maxSide = Math.round(Math.max(image.width, image.height) / scale);
      const { found } = await faces(method, image, { maxSide, minSize: 30 * scale, minScore: Math.min(...scores) });
      for (const score of scores) {
        const key = `${method} from ${score}, ${image.set}`;
        if (!rows.has(key)) rows.set(key, { pictures: 0, faces: 0, found: 0, overlap: 0, other: 0 });
        // The cascades' score is another number than the one that minScore decides by.
        count(rows.get(key), image, method === 'network' ? found.filter((face) => face.score >= score) : found);
      }
    }
    for (const [key, row] of rows)
      console.log(
        `${degrees}°, ${key}: ${row.found} of ${row.faces} found, mean overlap ${(row.overlap / row.found || 0).toFixed(2)}, ${row.other} other boxes in ${row.pictures} pictures`,
      );
  }
const large = images.find(({ width, height }) => width >= 1280 && height >= 720) ?? images[0];
const cut = new Uint8Array(1280 * 720);
for (let y = 0; y < 720; y++)
  for (let x = 0; x < 1280; x++) cut[1280 * y + x] = large.data[(y % large.height) * large.width + (x % large.width)];
for (const minSize of [60, 24])
  for (const method of Object.keys(methods)) {
    const times = [];
    for (let i = 0; i < 5; i++)
      times.push((await faces(method, { width: 1280, height: 720, data: cut }, { minSize })).seconds);
    console.log(
      `1280x720 from ${minSize} px, ${method}: ${(1000 * Math.min(...times)).toFixed(0)} ms of one thread, the best of 5`,
    );
  }
