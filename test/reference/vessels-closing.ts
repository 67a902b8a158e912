/** A mask whose holes and notches are filled, one count after the other. */
import { make, replicate, type Reference, type ReferenceImage } from './image.ts';

export const references: Readonly<Record<string, Reference>> = {
  'vessels/closing': ([input]) => {
    const image = input as ReferenceImage;
    return [
      make(image.width, image.height, 'u8', (x, y) => {
        let set = 0;
        for (let j = -2; j <= 2; j++) for (let i = -2; i <= 2; i++) set += Number(replicate(image, x + i, y + j) > 0);
        return set > 12 || replicate(image, x, y) ? 255 : 0;
      }),
    ];
  },
};
