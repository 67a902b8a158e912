/** Inputs of the stages of vessels. */
import { input, type MakeInput } from './cases.ts';

/** 255 in a disc and beside lines, else 0: some of it on each side of every border. */
const mask: MakeInput = (width, height, i) => {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const near = Math.hypot(x / width - 0.5, y / height - 0.5) < 0.3 + 0.1 * (i % 4);
      data[y * width + x] = near || (x + 2 * y) % 7 === i % 7 ? 255 : 0;
    }
  return { width, height, format: 'u8', data };
};

/** Gray levels as floats. */
const gray: MakeInput = (width, height, i, random) => {
  const { data } = input(width, height, 'u8', i, random);
  return { width, height, format: 'f32', data: Float32Array.from(data, (v) => 0.9 * v + 5) };
};

/** Some sigmas from half a pixel on. */
const sigmas: MakeInput = (_width, _height, i, random) => {
  if (i === 0) return Float64Array.of(1, 2, 3);
  const [first, step] = [0.5 + 3 * random(), 1.5 * random()];
  return Float64Array.from({ length: 1 + Math.floor(4 * random()) }, (_, k) => first + k * step);
};

/** 0 and 1 in blocks. */
const blocks: MakeInput = (width, height, i) => {
  const [columns, rows] = [(width + 1) >> 1, (height + 1) >> 1];
  const data = Float32Array.from({ length: columns * rows }, (_, k) => {
    const [x, y] = [k % columns, Math.floor(k / columns)];
    return Math.sin(0.3 * x + i) + Math.cos(0.4 * y) > 0.2 ? 1 : 0;
  });
  return { width: columns, height: rows, format: 'f32', data };
};

/** Sides of blocks by case, and a picture that has `width` x `height` whole blocks of the first. */
const sidesOf = (i: number) => [1 + ((i * 3) % 5), 2 + ((i * 5) % 11)] as const;
const pictureOf = (width: number, height: number, i: number) => {
  const [block] = sidesOf(i);
  return [width * block + (i % block), height * block + ((i >> 1) % block)] as const;
};

/** The field of view in blocks of that picture, those at its ends cut. */
const field: MakeInput = (width, height, i) => {
  const [columns, rows] = pictureOf(width, height, i).map((length) => Math.ceil(length / sidesOf(i)[1]));
  const data = Float32Array.from({ length: columns! * rows! }, (_, k) => Number((k % columns!) % 9 < 6));
  return { width: columns!, height: rows!, format: 'f32', data };
};

/** Noise and dark lines, at least 40 pixels a side: a scale's weight is a matter of statistics. */
const percents: MakeInput = (width, height, i, random) => {
  const [columns, rows] = [Math.max(40, width), Math.max(40, height)];
  const data = Float32Array.from({ length: columns * rows }, (_, k) => {
    const [x, y] = [k % columns, Math.floor(k / columns)];
    const line = Math.abs(((x + y * (0.3 + 0.1 * (i % 5))) % 23) - 8) < 1.5 + (i % 3) ? -25 : 0;
    return line + 12 * (random() + random() - 1);
  });
  return { width: columns, height: rows, format: 'f32', data };
};

/** Dark lines of several widths, blurred, on a slope. */
const darkLines: MakeInput = (width, height, i, random) => {
  const data = Uint8Array.from({ length: width * height }, (_, k) => {
    const [x, y] = [k % width, Math.floor(k / width)];
    const away = Math.abs(((x + y * (0.3 + 0.1 * (i % 5))) % 37) - 17) - 1 - (i % 6);
    return 150 + 0.2 * Math.min(x, 200) - 60 / (1 + Math.exp(1.5 * away)) + (i % 3) * 4 * random();
  });
  return { width, height, format: 'u8', data };
};

/** Courses of three and more points across the picture, some of them out of it: lists of points, and of their runs. */
const coursesOf = (width: number, height: number, i: number) => {
  const counts = [7, 3, 1, 12].slice(0, 1 + (i % 4));
  const points: number[] = [];
  const runs: number[] = [];
  for (const [n, count] of counts.entries()) {
    const angle = 0.7 * i + n;
    const step = [0.21, 0.4, 1.3][(i + n) % 3]!;
    runs.push(points.length / 5, count, 1 + ((i + n) % 3), step, 1 + ((i + 2 * n) % 3));
    for (let k = 0; k < count; k++)
      points.push(width * (0.3 + 0.2 * n) + k, height * 0.5 + 0.3 * k - n, Math.cos(angle), Math.sin(angle), step);
  }
  return { points: Float64Array.from(points), runs: Float64Array.from(runs) };
};

/** Eigenvalues, that of the smaller magnitude first: the second is the first and something more. */
const eigenvalues = (which: 0 | 1): MakeInput => {
  const pair = (i: number, k: number) => {
    const small = 0.05 * Math.sin(0.7 * k + i);
    return [small, (Math.cos(0.3 * k) < 0 ? -1 : 1) * (Math.abs(small) + 0.02 * (1 + (k % 5)))] as const;
  };
  return (width, height, i) => ({
    ...{ width, height, format: 'f32' },
    data: Float32Array.from({ length: width * height }, (_, k) => pair(i, k)[which]),
  });
};

export const vesselsMakers: Readonly<Record<string, MakeInput>> = {
  'vessels/vesselness 1': sigmas,
  'vessels/vesselness-maps 1': sigmas,
  'vessels/feature-of-maps 0': eigenvalues(0),
  'vessels/feature-of-maps 1': eigenvalues(1),
  'vessels/closing 0': (width, height, i, random) => ({
    width,
    height,
    format: 'u8',
    data: Uint8Array.from({ length: width * height }, () => (random() < 0.3 + 0.1 * (i % 4) ? 255 : 0)),
  }),
  'vessels/field-mask 0': blocks,
  'vessels/contrast 0': gray,
  'vessels/contrast 1': mask,
  'vessels/response-levels 1': mask,
  'vessels/clean 1': (_width, _height, _i, random) => {
    const level = 0.8 * random();
    return Float64Array.of(level, level + 0.3 * random(), 12 * random(), 0.2 + 0.8 * random());
  },
  'vessels/profile-widths 0': darkLines,
  'vessels/profile-widths 1': (width, height, i) => ({
    width,
    height,
    format: 'f32',
    data: Float32Array.from({ length: width * height }, (_, k) => Number((k % width) % 50 < 46 - (i % 3))),
  }),
  'vessels/profile-widths 2': (width, height, i) => coursesOf(width, height, i).points,
  'vessels/profile-widths 3': (width, height, i) => coursesOf(width, height, i).runs,
  'vessels/full-size-masks 1': field,
  'vessels/full-size-masks 2': (width, height, i, random) =>
    Float64Array.of(...pictureOf(width, height, i), ...sidesOf(i), random()),
  'vessels/line-response 0': percents,
  'vessels/line-response 1': (width, height, i, random) => mask(Math.max(40, width), Math.max(40, height), i, random),
  'vessels/line-response 2': (_width, _height, i) => {
    const unit = 0.6 + 0.5 * (i % 6);
    const scales = [1.3, 2.1, 3.4, 1, 2.7].slice(0, 1 + (i % 5));
    return Float64Array.from(scales.flatMap((sigma) => [sigma * unit, (5 + 3 * sigma) * unit]));
  },
};
