/** Formats times of a recording. */
import type { NumberFormat } from '../strings/index.ts';

/** Returns `1:02.50`, with the decimal sign of the language. */
export function clockText(seconds: number, number: NumberFormat): string {
  const whole = Math.max(0, Math.round(seconds * 100)) / 100;
  const minutes = Math.floor(whole / 60);
  const rest = number(whole - 60 * minutes, 2);
  return `${minutes}:${rest.padStart(5, '0')}`;
}
