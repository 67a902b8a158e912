/** Micrometres per pixel: what the caller says, else the pixel spacing of the file that the photograph came in. */
import type { ImageFileNotes, ImageScale } from '../../results/types.ts';

/** Of photographs of the eye; what lies outside is no spacing of one. */
const LEAST = 0.05;
const LARGEST = 1000;

export function scaleOf(
  given: number,
  file: ImageFileNotes | undefined,
): { scale: ImageScale | null; warnings: string[] } {
  const warnings = [...(file?.notes ?? [])];
  if (given > 0) return { scale: { micrometresPerPixel: given, from: 'option' }, warnings };
  if (!file?.spacing) return { scale: null, warnings };
  const { x, y, attribute } = file.spacing;
  const micrometresPerPixel = Math.sqrt(x * y);
  if (!(Math.min(x, y) >= LEAST && Math.max(x, y) <= LARGEST)) {
    warnings.push(`The file's ${attribute} (${x} x ${y} µm) is none of a photograph of the eye and was not used.`);
    return { scale: null, warnings };
  }
  if (Math.abs(x / y - 1) > 0.01)
    warnings.push(
      `The file's pixels are not square (${x} x ${y} µm); micrometres were computed with the mean of ${micrometresPerPixel}.`,
    );
  return { scale: { micrometresPerPixel, from: 'file' }, warnings };
}
