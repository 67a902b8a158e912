import { type Reference, make, type ReferenceImage } from './image.ts';

/** Sum (exact, then as the format holds it), minimum, maximum. */
function reduction(source: ReferenceImage, format: 'u32' | 'f32'): ReferenceImage[] {
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const v of source.data) {
    sum += v;
    min = Math.min(min, v);
    max = Math.max(max, v);
  }
  const result = [format === 'u32' ? sum % 2 ** 32 : sum, min, max];
  return [make(3, 1, format, (x) => result[x]!)];
}

export const reduce = ([source]: readonly ReferenceImage[]): ReferenceImage[] => reduction(source!, 'u32');

export const reduceFloat = ([source]: readonly ReferenceImage[]): ReferenceImage[] => reduction(source!, 'f32');

export function histogram([source]: readonly ReferenceImage[]): ReferenceImage[] {
  const counts = new Array<number>(256).fill(0);
  for (const v of source!.data) counts[v]!++;
  return [make(256, 1, 'u32', (x) => counts[x]!)];
}

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/reduce': reduce,
  'image/reduce-32': reduce,
  'image/reduce-float': reduceFloat,
  'image/histogram': histogram,
};
