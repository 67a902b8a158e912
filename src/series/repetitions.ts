/** Measures of repeated lights, averaged. Reflexes are measured one by one: averaged traces begin too early (Bos 1991). */
import type { LightReflex } from './light-reflex.ts';
import { bad } from './samples.ts';
import { average, type Average } from './statistics.ts';

type Measure = { [K in keyof LightReflex]-?: LightReflex[K] extends number ? K : never }[keyof LightReflex];

/** For each measure mean, standard error and how many had it. Throws 'invalid-argument' where there is no reflex. */
export function averageReflexes(reflexes: readonly LightReflex[]): Record<Measure, Average> {
  if (!Array.isArray(reflexes) || !reflexes.length)
    throw bad('averageReflexes', 'reflexes must be an array of at least one result of lightReflex.');
  const first = reflexes[0]!;
  const names = (Object.keys(first) as (keyof LightReflex)[]).filter(
    (name) => typeof first[name] === 'number',
  ) as Measure[];
  return Object.fromEntries(names.map((name) => [name, average(reflexes.map((one) => one[name]))])) as Record<
    Measure,
    Average
  >;
}
