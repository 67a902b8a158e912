import { type Reference, make, replicate, type ReferenceImage } from './image.ts';

function derivatives(source: ReferenceImage, derivative: string, format: 'i16' | 'f32'): ReferenceImage[] {
  const along = derivative === 'scharr' ? [3, 10, 3] : [1, 2, 1];
  const { width, height } = source;
  const at = (x: number, y: number) => replicate(source, x, y);
  const sum = (term: (i: number) => number) => [-1, 0, 1].reduce((s, i) => s + along[i + 1]! * term(i), 0);
  return [
    make(width, height, format, (x, y) => sum((i) => at(x + 1, y + i) - at(x - 1, y + i))),
    make(width, height, format, (x, y) => sum((i) => at(x + i, y + 1) - at(x + i, y - 1))),
  ];
}

export const gradient = (
  [source]: readonly ReferenceImage[],
  { derivative }: { derivative: string },
): ReferenceImage[] => derivatives(source!, derivative, 'i16');

export const gradientFloat = (
  [source]: readonly ReferenceImage[],
  { derivative }: { derivative: string },
): ReferenceImage[] => derivatives(source!, derivative, 'f32');

/** By the names of the stages. */
export const references: Readonly<Record<string, Reference>> = {
  'image/gradient': gradient,
  'image/gradient-float': gradientFloat,
};
