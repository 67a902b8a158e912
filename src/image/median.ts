/**
 * Median over a square, border replicated; removes speckle and keeps edges. 3, 5, 7 and 11: networks of minima and
 * maxima, 16 pixels at a time; other sizes: a sliding histogram. Byte for byte OpenCV's medianBlur.
 */
import { number } from '../runtime/parameters.ts';
import { defineStage } from '../runtime/stage.ts';
import { medianGpu } from './median.gpu.ts';

/** Sizes with an exchange network, and the bytes that a thread needs for its tiles. */
const networks: Readonly<Record<number, number>> = { 3: 64, 5: 5696, 7: 8000, 11: 27968 };

/** Kernel, its last argument if any, and the bytes that a thread needs. */
export function medianKernel(size: number, width: number): { name: string; extra: number[]; scratch: number } {
  const scratch = networks[size];
  return scratch
    ? { name: `median${size}`, extra: [], scratch }
    : { name: 'medianHistogram', extra: [size], scratch: 512 + 32 * (width + 2 * size) };
}

export const median = defineStage({
  name: 'image/median',
  params: {
    size: number({
      default: 7,
      min: 3,
      max: 15,
      values: [3, 5, 7, 9, 11, 13, 15],
      unit: 'px',
      effect: 'Side of the square; spots of less than half its area vanish.',
    }),
  },
  inputs: ['u8'],
  outputs: ['u8'],
  tolerance: 0,
  gpu: (side, [source], { size }) => [medianGpu(side, source!, size)],
  wasm(side, [source], { size }) {
    const { width, height, stride, address } = source!;
    const out = side.plane(width, height, 'u8');
    const args = [address, stride, out.address, out.stride, width, height];
    const { name, extra, scratch } = medianKernel(size, width);
    side.bands(name, height, [...args, ...extra], { scratch, minimumBand: 4 * size });
    return [out];
  },
});
