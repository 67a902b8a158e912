/**
 * Correlation filters over oriented gradients by their definitions: histograms cell by cell, plain Fourier sums, double
 * precision (assembly/objects/appearance.ts tells the idea).
 */
import { around, hann, turns } from '../../src/objects/filter-integrator.ts';
import type { Box } from '../../src/results/types.ts';
import type { ReferenceImage } from './image.ts';
import type { Filters, Sight } from './objects-filter-integrator.ts';
import { levelsOf } from './pyramid.ts';

const N = 32;
const SIDE = 64;
/** Without color, and with it. */
const CHANNELS = 32;
const COLORED = 36;
const LAMBDA = 5;
const cell = (x: number, y: number) => y * N + x;
const clamp = (v: number, most: number) => Math.max(0, Math.min(most, v));

/** 66x66 samples around a window of 64x64, between pixels; the edge repeated. */
function samplesOf({ width, height, data }: ReferenceImage, left: number, top: number, step: number): number[][] {
  const at = (x: number, y: number) => data[Math.min(height - 1, y) * width + Math.min(width - 1, x)]!;
  return Array.from({ length: SIDE + 2 }, (_, j) => {
    const y = clamp(top + (j - 1) * step, height - 1);
    const [iy, fy] = [Math.floor(y), y - Math.floor(y)];
    return Array.from({ length: SIDE + 2 }, (__, i) => {
      const x = clamp(left + (i - 1) * step, width - 1);
      const [ix, fx] = [Math.floor(x), x - Math.floor(x)];
      const row = (k: number) => at(ix, k) + fx * (at(ix + 1, k) - at(ix, k));
      return row(iy) + fy * (row(iy + 1) - row(iy));
    });
  });
}

const directions = turns(9);

/** The direction, 0..17, of a gradient. */
function directionOf(dx: number, dy: number): number {
  let [best, size] = [0, -1];
  for (let k = 0; k < 9; k++) {
    const along = Math.abs(dx * directions[2 * k]! + dy * directions[2 * k + 1]!);
    if (along > size) [best, size] = [k, along];
  }
  return dx * directions[2 * best]! + dy * directions[2 * best + 1]! < 0 ? best + 9 : best;
}

/** 28 channels of 32x32 cells. */
function channelsOf(samples: readonly (readonly number[])[]): Float64Array[] {
  const signed = Array.from({ length: 18 }, () => new Float64Array(N * N));
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const dx = samples[y + 1]![x + 2]! - samples[y + 1]![x]!;
      const dy = samples[y + 2]![x + 1]! - samples[y]![x + 1]!;
      const histogram = signed[directionOf(dx, dy)]!;
      // Shared out between the four cells whose centers lie around it.
      const shares = (at: number) => [
        [at >> 1, 0.75],
        [(at >> 1) + (at & 1 ? 1 : -1), 0.25],
      ];
      for (const [cy, sy] of shares(y) as [number, number][])
        for (const [cx, sx] of shares(x) as [number, number][])
          if (Math.min(cx, cy) >= 0 && Math.max(cx, cy) < N) histogram[cell(cx, cy)]! += sx * sy * Math.hypot(dx, dy);
    }
  const unsigned = Array.from({ length: 9 }, (_, k) => signed[k]!.map((v, i) => v + signed[k + 9]![i]!));
  const energy = (x: number, y: number) =>
    unsigned.reduce((sum, one) => sum + one[cell(clamp(x, N - 1), clamp(y, N - 1))]! ** 2, 0);
  const energies = Array.from({ length: (N + 1) ** 2 }, (_, i) => {
    const [x, y] = [i % (N + 1), Math.floor(i / (N + 1))];
    return 1 / Math.sqrt(16 + energy(x - 1, y - 1) + energy(x, y - 1) + energy(x - 1, y) + energy(x, y));
  });
  const normed = [...signed, ...unsigned].map((one) =>
    one.map((v, i) => {
      const at = (i % N) + (N + 1) * Math.floor(i / N);
      const blocks = [at, at + 1, at + N + 1, at + N + 2];
      return 0.5 * blocks.reduce((sum, block) => sum + Math.min(0.2, energies[block]! * v), 0);
    }),
  );
  const gray = Float64Array.from({ length: N * N }, (_, i) => {
    const [x, y] = [2 * (i % N) + 1, 2 * Math.floor(i / N) + 1];
    return (samples[y]![x]! + samples[y]![x + 1]! + samples[y + 1]![x]! + samples[y + 1]![x + 1]!) / 4;
  });
  const mean = gray.reduce((a, b) => a + b, 0) / (N * N);
  const variance = gray.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (N * N);
  return [...normed, gray.map((v) => (0.25 * (v - mean)) / Math.sqrt(variance + 1))];
}

/** Four channels of how bright the cells are, by samples of the pixels themselves. */
function brightnessOf(
  { width, height, data }: ReferenceImage,
  left: number,
  top: number,
  size: number,
): Float64Array[] {
  const count = Math.min(4, Math.max(1, Math.ceil(size)));
  const place = (from: number, i: number, k: number, most: number) =>
    clamp(Math.trunc(from + i * size + (k + 0.5) * (size / count)), most - 1);
  const lights = Float64Array.from({ length: N * N }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < count * count; k++) {
      const y = place(top, Math.floor(i / N), Math.floor(k / count), height);
      sum += data[y * width + place(left, i % N, k % count, width)]!;
    }
    return (3 * sum) / (255 * count * count);
  });
  return [0, 1, 2, 3].map((k) => {
    const shares = lights.map((light) => Math.max(0, 1 - Math.abs(light - k)));
    const mean = shares.reduce((a, b) => a + b, 0) / (N * N);
    return shares.map((v) => 0.3 * (v - mean));
  });
}

/** How far U and V of the cells are from gray either way: blue, yellow, red, green. */
function colorsOf(
  colors: ReferenceImage,
  frame: { width: number; height: number },
  left: number,
  top: number,
  size: number,
): Float64Array[] {
  const half = size / 2;
  const count = Math.min(4, Math.max(1, Math.ceil(half)));
  const place = (from: number, i: number, k: number, most: number) =>
    clamp(Math.trunc(from / 2 + i * half + (k + 0.5) * (half / count)), most - 1);
  const mean = (i: number, of: 0 | 1) => {
    let sum = 0;
    for (let k = 0; k < count * count; k++) {
      const y = place(top, Math.floor(i / N), Math.floor(k / count), frame.height >> 1);
      sum += colors.data[y * colors.width + 2 * place(left, i % N, k % count, frame.width >> 1) + of]! - 128;
    }
    return sum / (30 * count * count);
  };
  const cells = Array.from({ length: N * N }, (_, i) => {
    const [u, v] = [mean(i, 0), mean(i, 1)];
    return [u, -u, v, -v].map((far) => Math.max(0, far) / Math.sqrt(1 + u * u + v * v));
  });
  return [0, 1, 2, 3].map((k) => {
    const plane = Float64Array.from(cells, (cell) => cell[k]!);
    const all = plane.reduce((a, b) => a + b, 0) / (N * N);
    return plane.map((value) => value - all);
  });
}

interface Complex {
  re: Float64Array;
  im: Float64Array;
}
const zeros = (): Complex => ({ re: new Float64Array(N * N), im: new Float64Array(N * N) });

const turnsOf = (f: (angle: number) => number) => Float64Array.from({ length: N }, (_, k) => f((2 * Math.PI * k) / N));
const [cosines, sines] = [turnsOf(Math.cos), turnsOf(Math.sin)];

/** The Fourier sums along rows, or along columns where `next` is a row; `sign` -1 forward, 1 back. */
function sums({ re, im }: Complex, sign: number, next: number): Complex {
  const to = zeros();
  const [p, q] = [new Float64Array(N), new Float64Array(N)];
  for (let line = 0; line < N; line++) {
    const first = line * (N + 1 - next);
    for (let x = 0; x < N; x++) {
      p[x] = re[first + x * next]!;
      q[x] = im[first + x * next]!;
    }
    for (let u = 0; u < N; u++) {
      let [a, b] = [0, 0];
      for (let x = 0; x < N; x++) {
        const k = (u * x) & (N - 1);
        a += p[x]! * cosines[k]! - sign * q[x]! * sines[k]!;
        b += sign * p[x]! * sines[k]! + q[x]! * cosines[k]!;
      }
      to.re[first + u * next] = a;
      to.im[first + u * next] = b;
    }
  }
  return to;
}

const transform = (plane: Complex, sign: number): Complex => sums(sums(plane, sign, 1), sign, N);

/** Gaussian of one cell's width about displacement 0. */
const label = (() => {
  const near = (k: number) => Math.min(k, N - k);
  const re = Float64Array.from({ length: N * N }, (_, i) =>
    Math.exp(-(near(i % N) ** 2 + near(Math.floor(i / N)) ** 2) / 2),
  );
  return transform({ re, im: new Float64Array(N * N) }, -1).re;
})();

interface Filter {
  numerators: Complex[];
  denominators: Float64Array;
}
const emptyFilter = (channels: number): Filter => ({
  numerators: Array.from({ length: channels }, zeros),
  denominators: new Float64Array(N * N),
});

/** The look of a target of one size: a follower, the follower that was trusted, and views. */
export class ReferenceAppearance {
  #follower: Filter;
  #trusted: Filter;
  #prepared: Filter;
  readonly #channels: number;
  readonly #views: Filter[] = [];
  readonly #masks: readonly Float32Array[];

  constructor({ width, height }: { width: number; height: number }, colored = false) {
    this.#channels = colored ? COLORED : CHANNELS;
    this.#follower = this.#trusted = this.#prepared = emptyFilter(this.#channels);
    const size = (2.5 * Math.sqrt(width * height)) / N;
    this.#masks = [
      hann(),
      around((1.1 * width) / size, (1.1 * height) / size, 3),
      around(width / size, height / size, 2),
    ];
  }

  /** Spectra of the window around a box, under the wide mask (0) or the close one (1). */
  #look(
    levels: readonly ReferenceImage[],
    colors: ReferenceImage | null,
    { x, y, width, height }: Box,
    mask: number,
  ): Complex[] {
    const side = 2.5 * Math.sqrt(width * height);
    const step = side / SIDE;
    let level = 0;
    while (level < levels.length - 1 && step / 2 ** level >= 2 ** 0.75) level++;
    const first = (center: number) => (center - side / 2 + step / 2 - 0.5) / 2 ** level;
    const samples = samplesOf(levels[level]!, first(x + width / 2), first(y + height / 2), step / 2 ** level);
    const channels = [
      ...channelsOf(samples),
      ...brightnessOf(levels[0]!, x + width / 2 - side / 2, y + height / 2 - side / 2, side / N),
      ...(colors ? colorsOf(colors, levels[0]!, x + width / 2 - side / 2, y + height / 2 - side / 2, side / N) : []),
    ];
    return channels.map((one) =>
      transform({ re: one.map((v, i) => v * this.#masks[mask]![i]!), im: new Float64Array(N * N) }, -1),
    );
  }

  #respond(spectra: readonly Complex[], { numerators, denominators }: Filter, box: Box, lambda = LAMBDA): Sight {
    const sum = zeros();
    spectra.forEach(({ re, im }, n) => {
      const by = numerators[n]!;
      for (let i = 0; i < N * N; i++) {
        sum.re[i]! += by.re[i]! * re[i]! + by.im[i]! * im[i]!;
        sum.im[i]! += by.re[i]! * im[i]! - by.im[i]! * re[i]!;
      }
    });
    const share = (v: number, i: number) => v / (N * N) / (lambda + denominators[i]!);
    const { re } = transform({ re: sum.re.map(share), im: sum.im.map(share) }, 1);
    const value = Math.max(...re);
    const best = re.indexOf(value);
    const [px, py] = [best % N, Math.floor(best / N)];
    const at = (x: number, y: number) => re[cell((x + N) % N, (y + N) % N)]!;
    const vertex = (before: number, after: number) => {
      const curve = before + after - 2 * value;
      return curve < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / curve)) : 0;
    };
    const signed = (i: number) => (i < N / 2 ? i : i - N);
    const size = (2.5 * Math.sqrt(box.width * box.height)) / N;
    const dx = (signed(px) + vertex(at(px - 1, py), at(px + 1, py))) * size;
    const dy = (signed(py) + vertex(at(px, py - 1), at(px, py + 1))) * size;
    const away = (k: number) => Math.min(k & (N - 1), -k & (N - 1)) > 3;
    const others = re.filter((_, i) => away((i % N) - px) || away(Math.floor(i / N) - py));
    const rivalry = value > 0 ? Math.min(1, Math.max(0, ...others) / value) : 1;
    return { box: { ...box, x: box.x + dx, y: box.y + dy }, value, rivalry };
  }

  #mix(spectra: readonly Complex[], old: Filter, rate: number): Filter {
    const mixed = (list: Float64Array, add: (i: number) => number) =>
      list.map((v, i) => (1 - rate) * v + rate * add(i));
    return {
      numerators: old.numerators.map(({ re, im }, n) => ({
        re: mixed(re, (i) => label[i]! * spectra[n]!.re[i]!),
        im: mixed(im, (i) => label[i]! * spectra[n]!.im[i]!),
      })),
      denominators: mixed(old.denominators, (i) =>
        spectra.reduce((sum, { re, im }) => sum + re[i]! ** 2 + im[i]! ** 2, 0),
      ),
    };
  }

  /** Ridge regression with weights under the mask alone, near to the old filter: alternating directions. */
  #solve(spectra: readonly Complex[], old: Filter, rate: number): Filter {
    const kept = Array.from({ length: N * N }, (_, i) => i).filter((i) => i % N <= N / 2);
    const energyAt = (i: number) => spectra.reduce((sum, { re, im }) => sum + re[i]! ** 2 + im[i]! ** 2, 0);
    const mean = Math.max(0.01, kept.reduce((sum, i) => sum + energyAt(i), 0) / kept.length);
    const near = rate < 1 ? 6 * (0.03 / rate) * mean : 0;
    const previous = near ? old.numerators : spectra.map(zeros);
    let masked = previous;
    let slack = spectra.map(zeros);
    let pull = 0.3 * mean;
    for (let round = 0; round < (near ? 2 : 4); round++, pull *= 10) {
      const free = spectra.map(zeros);
      for (let i = 0; i < N * N; i++) {
        const wanted = spectra.map((x, n) => {
          const part = (key: 're' | 'im') =>
            x[key][i]! * label[i]! + near * previous[n]![key][i]! + pull * (masked[n]![key][i]! - slack[n]![key][i]!);
          return [part('re'), part('im')] as const;
        });
        let [a, b] = [0, 0];
        wanted.forEach(([re, im], n) => {
          const [p, q] = [spectra[n]!.re[i]!, spectra[n]!.im[i]!];
          a += p * re + q * im;
          b += p * im - q * re;
        });
        const all = near + pull + energyAt(i);
        wanted.forEach(([re, im], n) => {
          const [p, q] = [spectra[n]!.re[i]!, spectra[n]!.im[i]!];
          free[n]!.re[i] = slack[n]!.re[i]! + (re - (p * a - q * b) / all) / (near + pull);
          free[n]!.im[i] = slack[n]!.im[i]! + (im - (p * b + q * a) / all) / (near + pull);
        });
      }
      masked = free.map((one) => {
        const { re } = transform(one, 1);
        const cut = re.map((v, i) => (v / (N * N)) * this.#masks[2]![i]!);
        return transform({ re: cut, im: new Float64Array(N * N) }, -1);
      });
      slack = free.map(({ re, im }, n) => ({
        re: re.map((v, i) => v - masked[n]!.re[i]!),
        im: im.map((v, i) => v - masked[n]!.im[i]!),
      }));
    }
    return { numerators: masked, denominators: new Float64Array(N * N) };
  }

  /** What the filters see in one frame. */
  in(
    frame: ReferenceImage,
    { levels, window }: { levels: number; window: number },
    colors: ReferenceImage | null = null,
  ): Filters {
    const halvings = levelsOf(frame, { levels, window });
    return {
      follow: (box) => this.#respond(this.#look(halvings, colors, box, 0), this.#follower, box, 1),
      recognize: (box) => this.#respond(this.#look(halvings, colors, box, 0), this.#trusted, box, 1),
      remember: (box) => {
        const spectra = this.#look(halvings, colors, box, 1);
        const sights = this.#views.map((view) => this.#respond(spectra, view, box));
        return sights.reduce((a, b) => (b.value > a.value ? b : a), { box, value: 0, rivalry: 1 });
      },
      learn: (box, rate) =>
        void (this.#follower = this.#solve(this.#look(halvings, colors, box, 0), this.#follower, rate)),
      trust: () => void (this.#trusted = this.#follower),
      restore: () => void (this.#follower = this.#trusted),
      prepare: (box) =>
        void (this.#prepared = this.#mix(this.#look(halvings, colors, box, 1), emptyFilter(this.#channels), 1)),
      keep: () => void this.#views.push(this.#prepared),
    };
  }
}
