/** Relative luminance and colors of the screen, as sRGB has them (IEC 61966-2-1; WCAG 2.2). */

const encoded = (linear: number): number =>
  Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
/** Light of red, green and blue of '#rrggbb', each 0 to 1. */
const lightOf = (color: string): number[] =>
  [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

/** Relative luminance of '#rrggbb', 0 to 1. */
export function luminanceOf(color: string): number {
  const [red, green, blue] = lightOf(color) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Gray of a luminance from 0 to 1; or a color, dimmed to that share of its light. */
export const screenColor = (luminance: number, color = '#ffffff'): string =>
  `rgb(${lightOf(color)
    .map((light) => encoded(luminance * light))
    .join(' ')})`;
