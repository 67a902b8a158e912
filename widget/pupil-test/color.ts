/** Relative luminance to colors of the screen, as sRGB has it. */

const encoded = (linear: number): number =>
  Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
const decoded = (byte: number): number => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Gray of a luminance from 0 to 1; or a color, dimmed to that share of its light. */
export function screenColor(luminance: number, color = '#ffffff'): string {
  const channels = [1, 3, 5].map((at) => encoded(luminance * decoded(parseInt(color.slice(at, at + 2), 16))));
  return `rgb(${channels.join(' ')})`;
}

/** Of words on an even screen: seen, and no more light than needed. */
export const wordsColor = (luminance: number): string => (luminance < 0.18 ? 'rgb(160 160 160)' : 'rgb(20 20 20)');
