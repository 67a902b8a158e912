// How like pictures of one person are, and those of two: the least resemblance at which a face that was lost counts as back.
import { generator } from '../../../tools/random.mjs';
import { interval, mean, quantile } from './folds.mjs';

/** Others that pass for it: a place and a size must fit as well. */
const FALSE = 0.02;

/** @returns { like } */
export function resemblances(library, seen, print) {
  const whole = seen.filter(
    ({ share, record, signature, confidence }) => share === 1 && record.moment && signature && confidence > 0.8,
  );
  const random = generator(8);
  const same = [];
  const others = [];
  for (const [i, face] of whole.entries())
    for (const [k, other] of whole.entries()) {
      const one = face.record.person === other.record.person;
      if (i < k && one) same.push(library.resemblance(face.signature, other.signature));
      else if (!one && random() < 0.02) others.push(library.resemblance(face.signature, other.signature));
    }
  const limit = quantile(others, 1 - FALSE);
  const row = (name, list) => [name, list.length, mean(list).toFixed(2), quantile(list, 0.05).toFixed(2), quantile(list, 0.95).toFixed(2), interval(list.filter((v) => v >= limit).length, list.length)]; // prettier-ignore
  print(`Resemblance; a face is back from ${limit.toFixed(2)} on: ${100 * FALSE} % of others are so like`, [
    ['pictures', 'pairs', 'mean', '5 %', '95 %', 'count as one'],
    row('of one person, head and lids moved', same),
    row('of two persons', others),
  ]);
  return { like: limit.toFixed(2) };
}
