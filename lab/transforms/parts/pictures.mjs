// Pictures and what is done to them: each change gives the changed picture and where a place of the first one lies in it.
// A picture: { width, height, channels (1 or 3), data }; a place map: [a, b, c, d, e, f], x' = a x + b y + c, y' = d x + e y + f.
import sharp from 'sharp';

export const same = [1, 0, 0, 0, 1, 0];
const rawOf = ({ width, height, channels, data }) => sharp(data, { raw: { width, height, channels } });

async function taken(pipeline, channels) {
  const made = channels === 1 ? pipeline.toColorspace('b-w') : pipeline;
  const { data, info } = await made.raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== channels) throw new Error(`${info.channels} channels where ${channels} were given`);
  return { width: info.width, height: info.height, channels, data: new Uint8Array(data) };
}

/** A file, reduced to a longest side where it is larger; `gray`: one channel. `scale`: how much it was reduced. */
export async function readPicture(file, { gray = false, longest = Infinity } = {}) {
  const read = sharp(file)
    .removeAlpha()
    .toColorspace(gray ? 'b-w' : 'srgb');
  const whole = await taken(read, gray ? 1 : 3);
  const scale = Math.min(1, longest / Math.max(whole.width, whole.height));
  return { ...(scale < 1 ? (await sized(whole, scale)).picture : whole), scale };
}

async function sized(picture, scale) {
  const [width, height] = [picture.width, picture.height].map((side) => Math.round(scale * side));
  const [sx, sy] = [width / picture.width, height / picture.height];
  const made = rawOf(picture).resize(width, height, { kernel: 'cubic', fit: 'fill' });
  return {
    picture: await taken(made, picture.channels),
    map: [sx, 0, sx / 2 - 0.5, 0, sy, sy / 2 - 0.5],
  };
}

export const place = ([a, b, c, d, e, f], x, y) => [a * x + b * y + c, d * x + e * y + f];
export const scaleOf = ([a, b, , d, e]) => Math.sqrt(Math.abs(a * e - b * d));

export function inverse([a, b, c, d, e, f]) {
  const det = a * e - b * d;
  return [e / det, -b / det, (b * f - e * c) / det, -d / det, a / det, (d * c - a * f) / det];
}

/** A box about the place of its middle; its sides follow a quarter turn, and else only the scale. */
export function placeBox(map, { x, y, width, height }) {
  const [u, v] = place(map, x + width / 2 - 0.5, y + height / 2 - 0.5);
  const s = scaleOf(map);
  const [w, h] = Math.abs(map[0]) < Math.abs(map[1]) ? [s * height, s * width] : [s * width, s * height];
  return { x: u - w / 2 + 0.5, y: v - h / 2 + 0.5, width: w, height: h };
}

/** Turned about its middle, on a larger picture where it needs one; beyond the border the border goes on, as a scene does. */
function turned({ width, height, channels, data }, degrees) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const w = Math.ceil(width * Math.abs(cos) + height * Math.abs(sin) - 1e-6);
  const h = Math.ceil(width * Math.abs(sin) + height * Math.abs(cos) - 1e-6);
  const [mx, my, nx, ny] = [width, height, w, h].map((side) => (side - 1) / 2);
  const map = [cos, -sin, nx - cos * mx + sin * my, sin, cos, ny - sin * mx - cos * my];
  const back = inverse(map);
  const out = new Uint8Array(w * h * channels);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const [u, v] = place(back, x, y);
      const [p, q] = [Math.min(width - 1, Math.max(0, u)), Math.min(height - 1, Math.max(0, v))];
      const [i, j] = [Math.min(width - 2, Math.floor(p)), Math.min(height - 2, Math.floor(q))];
      const [fx, fy] = [p - i, q - j];
      for (let k = 0; k < channels; k++) {
        const at = (j * width + i) * channels + k;
        const below = at + width * channels;
        const upper = data[at] + fx * (data[at + channels] - data[at]);
        const lower = data[below] + fx * (data[below + channels] - data[below]);
        out[(y * w + x) * channels + k] = Math.round(upper + fy * (lower - upper));
      }
    }
  return { picture: { width: w, height: h, channels, data: out }, map };
}

function mirrored({ width, height, channels, data }) {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let k = 0; k < channels; k++)
        out[(y * width + x) * channels + k] = data[(y * width + width - 1 - x) * channels + k];
  return { picture: { width, height, channels, data: out }, map: [-1, 0, width - 1, 0, 1, 0] };
}

function framed(picture) {
  const [left, top] = [Math.round(0.4 * picture.width), Math.round(0.25 * picture.height)];
  const [width, height] = [picture.width + 2 * left, picture.height + 2 * top];
  const row = picture.width * picture.channels;
  const data = new Uint8Array(width * height * picture.channels).fill(6);
  for (let y = 0; y < picture.height; y++)
    data.set(picture.data.subarray(y * row, (y + 1) * row), ((y + top) * width + left) * picture.channels);
  return { picture: { ...picture, width, height, data }, map: [1, 0, left, 0, 1, top] };
}

const levels = (picture, change) => {
  const table = Uint8ClampedArray.from({ length: 256 }, (_, v) => change(v));
  return { picture: { ...picture, data: picture.data.map((v) => table[v]) }, map: same };
};

/** Normal noise from a seed, the same for each channel of a pixel no more than a camera's is. */
export function noisy(picture, sigma, seed) {
  let state = (2654435761 * (seed + 1)) >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const data = new Uint8ClampedArray(picture.data.length);
  for (let i = 0; i < data.length; i++)
    data[i] = picture.data[i] + sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return { picture: { ...picture, data: new Uint8Array(data.buffer) }, map: same };
}

const filtered = async (picture, change) => ({
  picture: await taken(change(rawOf(picture)), picture.channels),
  map: same,
});

const channelwise = (picture, change) => {
  const data = picture.data.slice();
  for (let i = 0; i < data.length; i += 3) change(data, i);
  return { picture: { ...picture, data }, map: same };
};

/** [name, change, for colors alone]. `change(picture, seed)` gives { picture, map }. */
export const CHANGES = [
  ['as it is', (picture) => ({ picture, map: same })],
  ['x0.5', (picture) => sized(picture, 0.5)],
  ['x3', (picture) => sized(picture, 3)],
  ['turned by 90°', (picture) => turned(picture, 90)],
  ['turned by 15°', (picture) => turned(picture, 15)],
  ['mirrored', mirrored],
  ['gamma 2.2', (picture) => levels(picture, (v) => 255 * (v / 255) ** 2.2)],
  ['2 EV darker', (picture) => levels(picture, (v) => v / 4)],
  ['1.5 EV brighter', (picture) => levels(picture, (v) => 255 * (2 ** 1.5 * (v / 255) ** 2.2) ** (1 / 2.2))],
  ['noise 8', (picture, seed) => noisy(picture, 8, seed)],
  ['JPEG 25', (picture) => filtered(picture, (raw) => sharpOfJpeg(raw))],
  ['blur 1.5', (picture) => filtered(picture, (raw) => raw.blur(1.5))],
  ['dark frame', framed],
  ['range 80 to 150', (picture) => levels(picture, (v) => 80 + (70 * v) / 255)],
  [
    'warm light',
    (picture) =>
      channelwise(picture, (data, i) => {
        data[i + 1] *= 0.7;
        data[i + 2] *= 0.4;
      }),
    true,
  ],
  [
    'green alone',
    (picture) =>
      channelwise(picture, (data, i) => {
        data[i] = data[i + 2] = data[i + 1];
      }),
    true,
  ],
];

/** sharp encodes and decodes in two pipelines. */
function sharpOfJpeg(raw) {
  const decoder = sharp().removeAlpha();
  raw.jpeg({ quality: 25 }).pipe(decoder);
  return decoder;
}

/** As the engine takes it: gray, or RGBA. */
export function sourceOf({ width, height, channels, data }) {
  if (channels === 1) return { width, height, data };
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0, j = 0; j < rgba.length; i += 3, j += 4) {
    rgba[j] = data[i];
    rgba[j + 1] = data[i + 1];
    rgba[j + 2] = data[i + 2];
  }
  return { width, height, data: rgba };
}
