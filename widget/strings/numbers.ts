/**
 * Numbers as they are written on the screen: with the decimal sign of the language, in the digits of the rest, and without
 * a sign between thousands, which is a decimal point to others. Exports always have a point.
 */

export type NumberFormat = (value: number, digits?: number) => string;

const formats = new Map<string, NumberFormat>();

/** For a language tag; one that browsers do not know counts as English. */
export function numberFormat(language: string): NumberFormat {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = make(language)));
  return format;
}

function make(language: string): NumberFormat {
  const byDigits: Intl.NumberFormat[] = [];
  const open = (tag: string, digits: number) =>
    new Intl.NumberFormat(tag, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
      numberingSystem: 'latn',
    });
  const of = (digits: number) => {
    try {
      return open(language, digits);
    } catch {
      return open('en', digits);
    }
  };
  return (value, digits = 0) => (byDigits[digits] ??= of(digits)).format(value);
}
