/** The mean of blocks, rounded half up, one sum after the other. */
import { make, type Reference, type ReferenceImage } from './image.ts';

export const references: Readonly<Record<string, Reference>> = {
  'image/shrink': ([image], params) => {
    const { width, height, data } = image as ReferenceImage;
    const factor = Math.min(params.factor as number, width, height);
    return [
      make(Math.floor(width / factor), Math.floor(height / factor), 'u8', (x, y) => {
        let sum = 0;
        for (let j = 0; j < factor; j++)
          for (let i = 0; i < factor; i++) sum += data[(y * factor + j) * width + x * factor + i]!;
        return Math.floor(sum / (factor * factor) + 0.5);
      }),
    ];
  },
};
