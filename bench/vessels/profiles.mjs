// Vessels: how weakly a reflex is held, and how narrow a vessel may be, by drawn profiles; chosen on one family, printed on another.
import { fixed, Report } from '../parts/report.mjs';

const SPRINGS = [0.01, 0.003, 0.001, 0.0003, 0.0001];
const RATIOS = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const FAMILIES = [
  { name: 'chosen on', blurs: [0.75, 1.25, 1.75, 2.25], seed: 1 },
  { name: 'another', blurs: [1, 1.5, 2], seed: 99 },
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
  const { normalTable } = await given.importTs('src/vessels/segment/profiles.ts');
  const { generator } = await given.importTs('test/parity/cases.ts');
  const table = normalTable();
  const normal = (z) => {
    const place = Math.min(639.99, Math.max(0, 64 * (z + 5)));
    const i = Math.floor(place);
    return table[2 * i] + (place - i) * (table[2 * i + 2] - table[2 * i]);
  };
  /** Forty samples of a blurred box, with a stripe a quarter as wide. */
  const draw = (random, { width, blur, reflex, noise, step }) => {
    const c = random() - 0.5;
    const box = (t, w) => normal((t + w / 2) / blur) - normal((t - w / 2) / blur);
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
  /** As the photograph's blur is found: the median of what wide vessels say. */
  const blurOf = (random, blur, noise, spring) => {
    const found = [];
    for (let k = 0; k < EACH; k++)
      for (const width of WIDE)
        for (const reflex of [0, 0.4]) {
          const one = fitted(random, { width, blur, reflex: width < 10 ? 0 : reflex, noise }, 0.7, true, spring);
          if (one) found.push(one[2]);
        }
    return found.sort((a, b) => a - b)[found.length >> 1];
  };
  const errors = ({ blurs, seed }, spring, widthsOf) => {
    const random = generator(seed);
    const list = [];
    for (const blur of blurs)
      for (const noise of NOISE) {
        const sigma = blurOf(random, blur, noise, spring);
        for (let k = 0; k < EACH; k++)
          for (const { width, reflex } of widthsOf(blur)) {
            const one = fitted(random, { width, blur, reflex, noise }, sigma, false, spring);
            if (one && !Number.isNaN(one[1])) list.push(one[1] - width);
          }
      }
    return list;
  };
  report.heading(
    'How weakly the reflex is held: bias and root mean square of the width of 8 to 20 px, half with a reflex',
  );
  const both = () => WIDE.flatMap((width) => [0, 0.4].map((reflex) => ({ width, reflex: width < 10 ? 0 : reflex })));
  const springs = SPRINGS.map((spring) => FAMILIES.map((family) => errors(family, spring, both)));
  report.table([
    ['spring', ...FAMILIES.map(({ name, blurs }) => `${name}: blurs ${blurs.join(', ')}`)],
    ...SPRINGS.map((spring, i) => [
      String(spring),
      ...springs[i].map((l) => `${fixed(mean(l), 3)} / ${fixed(rms(l), 3)}`),
    ]),
  ]);
  const merits = springs.map(([list]) => rms(list));
  const chosen = SPRINGS[merits.indexOf(Math.min(...merits))];
  report.line(`Chosen on the first, by the root mean square: ${chosen}.`);
  report.heading('How narrow a vessel may be: mean error of its width at the worst blur, px');
  const narrow = RATIOS.map((ratio) =>
    FAMILIES.map(({ blurs, seed }) =>
      Math.max(
        ...blurs.map((blur) => {
          const list = errors({ blurs: [blur], seed }, chosen, () => [{ width: ratio * blur, reflex: 0 }]);
          return mean(list.map(Math.abs));
        }),
      ),
    ),
  );
  report.table([
    ['width in blurs', ...FAMILIES.map(({ name }) => name)],
    ...RATIOS.map((ratio, i) => [String(ratio), ...narrow[i].map((v) => fixed(v, 3))]),
  ]);
  const least = RATIOS.find((_, i) => narrow.slice(i).every(([v]) => v <= 0.25));
  report.line(`Chosen on the first, the least from which on it is at most 0.25 px: ${least}.`);
  report.finish('docs/accuracy-tables.md', 'profiles vessels', 'profiles vessels');
}
