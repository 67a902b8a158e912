/**
 * Formats numbers for the screen: the decimal sign and digits of the language, without a thousands separator, which is
 * a decimal sign in other languages. Exports always use a decimal point.
 */

export type NumberFormat = (value: number, digits?: number) => string;

const formats = new Map<string, NumberFormat>();

/** Number format of a language tag. If the browser does not know the tag, English is used. */
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
