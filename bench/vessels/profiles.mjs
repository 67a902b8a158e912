// Vessels: how weakly a reflex is held, and how narrow a vessel may be, by drawn profiles; chosen on one family, printed on another.
import { fixed, Report } from '../parts/report.mjs';

const SPRINGS = [0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003];
const RATIOS = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
/** Blurs of photographs: those of DRIVE are 0.7 px, those of HRF 2.3 to 2.7. */
const FAMILIES = [
  { name: 'chosen on', blurs: [0.75, 1.25, 1.75, 2.25, 2.75], seed: 1 },
  { name: 'another', blurs: [1, 1.5, 2, 2.5], seed: 99 },
];
const WIDE = [8, 10, 12, 15, 20];
const EACH = 12;
/** Of means along a vessel, in gray levels; the vessel is 36 deep. */
const NOISE = [0.2, 0.5];

const rms = (list) => Math.sqrt(list.reduce((s, v) => s + v * v, 0) / Math.max(1, list.length));
const mean = (list) => list.reduce((s, v) => s + v, 0) / Math.max(1, list.length);

export default async function profiles(given) {
  const report = new Report(given);
  const { fit, halfWidth } = await given.importTs('test/reference/vessels-profiles.ts');
  const { normalTable } = await given.importTs('src/vessels/segment/profile-lines.ts');
  const { generator } = await given.importTs('test/parity/cases.ts');
  const table = normalTable();
  const normal = (z) => {
    const place = Math.min(639.99, Math.max(0, 64 * (z + 5)));
    const i = Math.floor(place);
    return table[2 * i] + (place - i) * (table[2 * i + 2] - table[2 * i]);
  };
  /** Forty samples of a blurred box, with a stripe a quarter as wide; each is the mean over its step, as in the photograph. */
  const draw = (random, { width, blur, reflex, noise, step }) => {
    const c = random() - 0.5;
    const taps = Math.max(1, Math.ceil(step));
    const soft = Math.sqrt(blur * blur + (step * step * (1 - 1 / (taps * taps))) / 12);
    const box = (t, w) => normal((t + w / 2) / soft) - normal((t - w / 2) / soft);
    return Array.from({ length: 40 }, (_, k) => {
      const t = (k - 19.5) * step - c;
      const error = Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);
      return 120 - 36 * (box(t, width) - reflex * box(t, width / 4)) + noise * error;
    });
  };
  const fitted = (random, look, sigma, free, spring) => {
    const step = (2 * (1.1 * look.width + 3 * sigma + 2)) / 40;
    const line = draw(random, { ...look, step });
    const begin = halfWidth(line, step);
    return begin && fit(line, step, { sigma, free, spring }, begin);
  };
  const looks = WIDE.flatMap((width) => [0, 0.4].map((reflex) => ({ width, reflex: width < 10 ? 0 : reflex })));
  /** As the photograph's blur is found: the median of what wide vessels say. */
  const blurOf = (random, { blur, noise, spring }, some = looks) => {
    const found = [];
    for (let k = 0; k < EACH; k++)
      for (const look of some) {
        const one = fitted(random, { ...look, blur, noise }, 0.7, true, spring);
        if (one) found.push(one[2]);
      }
    return found.sort((a, b) => a - b)[found.length >> 1];
  };
  /** The blur found in vessels of one look alone, in parts of what it is. */
  const blurErrors = ({ blurs, seed }, spring) => {
    const random = generator(seed);
    return blurs.flatMap((blur) =>
      NOISE.flatMap((noise) => looks.map((look) => blurOf(random, { blur, noise, spring }, [look]) / blur - 1)),
    );
  };
  /** Of profiles, and of their means over a vessel, which is what a segment's width is. */
  const errors = ({ blurs, seed }, { loose, spring }, widthsOf) => {
    const random = generator(seed);
    const [single, means] = [[], []];
    for (const blur of blurs)
      for (const noise of NOISE) {
        const sigma = blurOf(random, { blur, noise, spring: loose });
        for (const { width, reflex } of widthsOf(blur)) {
          const list = [];
          for (let k = 0; k < EACH; k++) {
            const one = fitted(random, { width, blur, reflex, noise }, sigma, false, spring);
            if (one && !Number.isNaN(one[1])) list.push(one[1] - width);
          }
          single.push(...list);
          if (list.length) means.push(mean(list));
        }
      }
    return { single, means };
  };
  const least = (merits) => SPRINGS[merits.indexOf(Math.min(...merits))];
  const headers = FAMILIES.map(({ name, blurs }) => `${name}: blurs ${blurs.join(', ')}`);
  report.heading(
    'How weakly the reflex is held while the blur is sought: bias and root mean square of that, in parts of it',
  );
  const sought = SPRINGS.map((spring) => FAMILIES.map((family) => blurErrors(family, spring)));
  const both = (list, digits) => `${fixed(mean(list), digits)} / ${fixed(rms(list), digits)}`;
  report.table([
    ['spring', ...headers],
    ...SPRINGS.map((spring, i) => [String(spring), ...sought[i].map((list) => both(list, 4))]),
  ]);
  const loose = least(sought.map(([list]) => rms(list)));
  report.line(
    `Chosen on the first, by the root mean square: ${loose}. Vessels of 8 to 20 px, half of them with a reflex, each look by itself.`,
  );
  report.heading(
    'How weakly it is held afterwards: bias and root mean square of the width, px, of profiles and of their means over a vessel',
  );
  const held = SPRINGS.map((spring) => FAMILIES.map((family) => errors(family, { loose, spring }, () => looks)));
  report.table([
    ['spring', ...headers.flatMap((header) => [header, 'means over a vessel'])],
    ...SPRINGS.map((spring, i) => [
      String(spring),
      ...held[i].flatMap(({ single, means }) => [both(single, 3), both(means, 3)]),
    ]),
  ]);
  const chosen = least(held.map(([{ means }]) => rms(means)));
  report.line(`Chosen on the first, by the root mean square of the means: ${chosen}.`);
  report.heading(
    'How narrow a vessel may be: mean error of its width at the worst blur, px, of a profile and of the mean over a vessel',
  );
  const narrow = RATIOS.map((ratio) =>
    FAMILIES.map(({ blurs, seed }) => {
      const all = blurs.map((blur) =>
        errors({ blurs: [blur], seed }, { loose, spring: chosen }, () => [{ width: ratio * blur, reflex: 0 }]),
      );
      return ['single', 'means'].map((key) => Math.max(...all.map((one) => mean(one[key].map(Math.abs)))));
    }),
  );
  report.table([
    ['width in blurs', ...FAMILIES.flatMap(({ name }) => [name, 'means over a vessel'])],
    ...RATIOS.map((ratio, i) => [String(ratio), ...narrow[i].flat().map((v) => fixed(v, 3))]),
  ]);
  const from = RATIOS.find((_, i) => narrow.slice(i).every(([[, v]]) => v <= 0.1));
  report.line(`Chosen on the first, the least from which on that of a vessel is at most 0.1 px: ${from}.`);
  report.finish('docs/accuracy-tables.md', 'profiles vessels', 'profiles vessels');
}
