/** Units of measurement, in plain text and in UCUM, and how far values are rounded. */
/** Meaning of a number. It determines the unit. For lengths and speeds, the unit of the report is used as well. */
export type Quantity =
  | 'length'
  | 'area'
  | 'speed'
  | 'unrest'
  | 'curvature'
  | 'time'
  | 'percent'
  | 'percent-seconds'
  | 'share'
  | 'count'
  | 'ratio'
  | 'rate'
  | 'frequency'
  | 'slow-frequency'
  | 'angle'
  | 'pixels';

export type LengthUnit = 'px' | 'mm' | 'um';

export interface Unit {
  /** Text for people, without the space before it. */
  readonly text: string;
  /** UCUM code. UCUM has no pixels, so they are in braces, as in DICOM. */
  readonly ucum: string;
  readonly name: string;
  /** Decimal places. */
  readonly digits: number;
}

export const ucumSystem = 'http://unitsofmeasure.org';

const lengths: Readonly<Record<LengthUnit, Unit>> = {
  px: { text: 'px', ucum: '{pixels}', name: 'pixels', digits: 2 },
  mm: { text: 'mm', ucum: 'mm', name: 'millimeter', digits: 3 },
  um: { text: 'µm', ucum: 'um', name: 'micrometer', digits: 1 },
};
const areas: Readonly<Record<LengthUnit, Unit>> = {
  px: { text: 'px²', ucum: '{square pixels}', name: 'square pixels', digits: 3 },
  mm: { text: 'mm²', ucum: 'mm2', name: 'square millimeter', digits: 5 },
  um: { text: 'µm²', ucum: 'um2', name: 'square micrometer', digits: 1 },
};
/** Vessels are too long for turns per micrometer. */
const curvatures: Readonly<Record<'px' | 'mm', Unit>> = {
  px: { text: 'rad/px', ucum: 'rad/{pixels}', name: 'radian per pixel', digits: 5 },
  mm: { text: 'rad/mm', ucum: 'rad/mm', name: 'radian per millimeter', digits: 3 },
};
const others: Readonly<Record<Exclude<Quantity, 'length' | 'area' | 'speed' | 'unrest' | 'curvature'>, Unit>> = {
  time: { text: 'ms', ucum: 'ms', name: 'millisecond', digits: 0 },
  percent: { text: '%', ucum: '%', name: 'percent', digits: 1 },
  'percent-seconds': { text: '% s', ucum: '%.s', name: 'percent second', digits: 1 },
  share: { text: '', ucum: '1', name: 'no units', digits: 3 },
  count: { text: '', ucum: '1', name: 'no units', digits: 0 },
  ratio: { text: '', ucum: '1', name: 'no units', digits: 3 },
  rate: { text: '/min', ucum: '/min', name: 'per minute', digits: 1 },
  frequency: { text: 'Hz', ucum: 'Hz', name: 'hertz', digits: 1 },
  'slow-frequency': { text: 'Hz', ucum: 'Hz', name: 'hertz', digits: 3 },
  angle: { text: 'rad', ucum: 'rad', name: 'radian', digits: 3 },
  pixels: lengths.px,
};

export function unitOf(quantity: Quantity, length: LengthUnit): Unit {
  const { text, ucum, name, digits } = lengths[length];
  if (quantity === 'length') return lengths[length];
  if (quantity === 'area') return areas[length];
  if (quantity === 'curvature') return curvatures[length === 'px' ? 'px' : 'mm'];
  if (quantity === 'speed') return { text: `${text}/s`, ucum: `${ucum}/s`, name: `${name} per second`, digits };
  if (quantity === 'unrest') return { text: `${text}/min`, ucum: `${ucum}/min`, name: `${name} per minute`, digits };
  return others[quantity];
}

/** Rounds for people and records. */
export const rounded = (value: number, { digits }: Unit): number => Number(value.toFixed(digits));
