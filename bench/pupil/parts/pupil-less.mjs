// 500 images without a pupil, drawn with a fixed seed: parts of faces away from the eyes, of photographs, textures,
// streets, retinas (../shared/data), and rendered blinks, eyeless frames and noise. Each is { kind, file, box, width,
// height } with the box in shares of the image, or { kind, rendered: [generator, index, seed] }. Left out is what has an
// eye in it: the baboon, the fish, the panda, the toy dinosaur, the jumping man, faces above the lower lid.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SEED = 7;

/** mulberry32 */
function generator(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SIZES = [
  [640, 480],
  [480, 360],
  [320, 240],
  [192, 192],
  [128, 128],
];
const LEFT_OUT = /baboon|fish/i;

/** Numbers of the images by kind; they add up to 500. */
export const PUPIL_LESS = { face: 130, photo: 110, texture: 60, street: 60, retina: 50, blink: 50, eyeless: 40 };

function faces(folder, random) {
  const all = ['helen', 'afw'].flatMap((set) =>
    JSON.parse(readFileSync(path.join(folder, 'faces', set, 'landmarks.json'), 'utf8')).map((face) => ({
      ...face,
      file: `faces/${set}/${face.image}`,
    })),
  );
  return Array.from({ length: PUPIL_LESS.face }, (_, i) => {
    const { file, width, height, points68 } = all[i % all.length];
    // Below the lower lids, down to the chin and a little beyond; the eyes are points 36 to 47.
    const eyes = points68.slice(36, 48).map(([, y]) => y);
    const open = Math.max(...eyes) - Math.min(...eyes);
    const top = Math.max(...eyes) + Math.max(0.5 * open, 4);
    const xs = points68.map(([x]) => x);
    const left = Math.max(0, Math.min(...xs));
    const right = Math.min(width, Math.max(...xs));
    const bottom = Math.min(height, Math.max(...points68.map(([, y]) => y)));
    const share = 0.45 + 0.55 * random();
    const w = (right - left) * share;
    const h = Math.min(w * 0.75, bottom - top);
    const x = left + (right - left - w) * random();
    const y = top + Math.max(0, bottom - top - h) * random();
    return { kind: 'face', file, box: [x / width, y / height, w / width, h / height] };
  });
}

function parts(kind, files, count, random) {
  return Array.from({ length: count }, (_, i) => {
    const share = 0.2 + 0.6 * random();
    return { kind, file: files[i % files.length], box: [(1 - share) * random(), (1 - share) * random(), share, share] };
  });
}

/** The list, or null without ../shared. `every`: each so-many-th of it. */
export function pupilLess(shared, every = 1) {
  const folder = shared && path.join(shared, 'data');
  if (!folder || !existsSync(path.join(folder, 'filters'))) return null;
  const random = generator(SEED);
  const files = (name, test) =>
    readdirSync(path.join(folder, name))
      .filter((file) => /\.(jpg|png)$/i.test(file) && !LEFT_OUT.test(file) && test(file))
      .sort()
      .map((file) => `${name}/${file}`);
  const retinas = ['chase', 'drive', 'hrf', 'stare'].flatMap((set) =>
    files(`fundus/${set}`, (file) => /^(Image_\d\d[LR]|\d\d_(test|h|dr|g)|im\d+)\.(jpg|png)$/.test(file)),
  );
  const everyFifth = (_, i) => i % 5 === 0;
  const streets = ['crossing', 'pedestrian2'].flatMap((set) =>
    files(`tld/${set}/frames`, () => true).filter(everyFifth),
  );
  const images = [
    ...faces(folder, random),
    ...parts(
      'photo',
      files('filters/images', () => true),
      PUPIL_LESS.photo,
      random,
    ),
    ...parts(
      'texture',
      ['Grove2', 'RubberWhale', 'Venus'].flatMap((set) => files(`flow/${set}`, () => true)),
      PUPIL_LESS.texture,
      random,
    ),
    ...parts('street', streets, PUPIL_LESS.street, random),
    ...parts('retina', retinas, PUPIL_LESS.retina, random),
  ].map((image) => {
    const [width, height] = SIZES[Math.floor(random() * SIZES.length)];
    return { ...image, width, height };
  });
  // Numbers 4, 14, 24 of the hard set are blinks, 9, 19, 29 eyeless; odd ones as other cameras have them.
  const rendered = (kind, first, count, seed) =>
    Array.from({ length: count }, (_, i) => ({
      kind,
      rendered: [i % 2 ? 'variedFrame' : 'hardFrame', first + 10 * i, seed],
    }));
  return [
    ...images,
    ...rendered('blink', 4, PUPIL_LESS.blink, 8001),
    ...rendered('eyeless', 9, PUPIL_LESS.eyeless, 8002),
  ].filter((_, i) => i % every === 0);
}
