/** Units of what is measured: as people read them, and in UCUM. */

/** What a number is; the unit follows, of lengths and speeds from the unit of the report. */
export type Quantity = 'length' | 'speed' | 'time' | 'percent' | 'share' | 'count' | 'ratio' | 'rate' | 'frequency';

export type LengthUnit = 'px' | 'mm' | 'um';

export interface Unit {
  /** As people read it; the space before it is not there. */
  readonly text: string;
  /** UCUM. Pixels have no unit there: they stand in braces, as in DICOM. */
  readonly ucum: string;
  readonly name: string;
  /** Digits after the point. */
  readonly digits: number;
}

export const ucumSystem = 'http://unitsofmeasure.org';

const lengths: Readonly<Record<LengthUnit, Unit>> = {
  px: { text: 'px', ucum: '{pixels}', name: 'pixels', digits: 2 },
  mm: { text: 'mm', ucum: 'mm', name: 'millimeter', digits: 3 },
  um: { text: 'µm', ucum: 'um', name: 'micrometer', digits: 1 },
};
const others: Readonly<Record<Exclude<Quantity, 'length' | 'speed'>, Unit>> = {
  time: { text: 'ms', ucum: 'ms', name: 'millisecond', digits: 0 },
  percent: { text: '%', ucum: '%', name: 'percent', digits: 1 },
  share: { text: '', ucum: '1', name: 'no units', digits: 3 },
  count: { text: '', ucum: '1', name: 'no units', digits: 0 },
  ratio: { text: '', ucum: '1', name: 'no units', digits: 3 },
  rate: { text: '/min', ucum: '/min', name: 'per minute', digits: 1 },
  frequency: { text: 'Hz', ucum: 'Hz', name: 'hertz', digits: 1 },
};

export function unitOf(quantity: Quantity, length: LengthUnit): Unit {
  const { text, ucum, name, digits } = lengths[length];
  if (quantity === 'length') return lengths[length];
  if (quantity === 'speed') return { text: `${text}/s`, ucum: `${ucum}/s`, name: `${name} per second`, digits };
  return others[quantity];
}

/** Rounded for people and records; null stays null. */
export const rounded = (value: number, { digits }: Unit): number => Number(value.toFixed(digits));
