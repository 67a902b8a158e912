/**
 * Set-ups: named settings for usual cameras. Limits of size follow from the size of the eye and from the width of the
 * image at the eye, in millimeters (docs/using-elements.md). Every set-up of an element sets the same names.
 */
import { pupilPresets, type VesselResult } from '../../../src/index.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult, Settings } from '../../base/kind.ts';
import type { Strings } from '../../strings/index.ts';

interface Field {
  /** Smallest and largest diameter of a pupil in millimeters. */
  readonly pupil: readonly [number, number];
  /** Narrowest and widest image at the eye, in millimeters. */
  readonly width: readonly [number, number];
  readonly eyes?: 2;
}

/** Mathot (J Cogn 1(1), 2018): 2 to 8 mm. */
const human = [2, 8] as const;
/** Sides of the image: limits are shares of its diagonal and of its short side. */
const [diagonal, short] = [Math.hypot(4, 3) / 4, 3 / 4];

const fields: Readonly<Record<string, Field>> = {
  desk: { pupil: human, width: [90, 250], eyes: 2 },
  webcam: { pupil: human, width: [60, 60] }, // a crop twice as wide as the eye, as `eyeStream` makes it
  mouse: { pupil: [0.3, 2.5], width: [4, 8] },
};

const share = (value: number): number => Number(value.toPrecision(2));

/** The defaults are for a headset, whose camera sees one eye. */
export function pupilSetup(name: string): Settings {
  const field = fields[name];
  return {
    eyes: field?.eyes,
    minDiameter: field && share(field.pupil[0] / (field.width[1] * diagonal)),
    maxDiameter: field && share(field.pupil[1] / (field.width[0] * short)),
  };
}

/** Millimeters of the retina per degree (Drasdo and Fowler, Br J Ophthalmol 58, 1974). */
const perDegree = 0.288;

/** Diameter of the field of view of a photograph in pixels. */
export function fieldDiameter({ width, height, data }: VesselResult['fieldOfView']): number {
  const columns = new Uint8Array(width);
  let rows = 0;
  for (let y = 0; y < height; y++) {
    let any = 0;
    for (let x = 0; x < width; x++) {
      const inside = data[y * width + x]!;
      any |= inside;
      columns[x]! |= inside;
    }
    if (any) rows++;
  }
  return Math.max(rows, columns.filter(Boolean).length);
}

/** The scale of a photograph from the angle of its camera. */
export const cameraScale = (degrees: number, diameter: number): Settings => ({
  micrometresPerPixel: diameter > 0 ? Number(((1000 * perDegree * degrees) / diameter).toPrecision(4)) : undefined,
});

export interface SetUp {
  readonly name: string;
  readonly word: string;
  /** Null: not possible now. */
  readonly settings: Settings | null;
}

/** The set-ups of an element by groups, with the words of its language. */
export function setupsOf<R extends AnyResult>(
  scope: string,
  { settingsWords: w }: Strings,
  host: Host<R>,
): readonly { readonly label: string; readonly list: readonly SetUp[] }[] {
  const { setups, presets } = w;
  if (scope === 'pupil') {
    const names = ['headset', 'desk', 'webcam', 'mouse'] as const;
    const filters = Object.entries(pupilPresets).map(([name, settings]) => {
      const [kind, ...sizes] = name.split('-');
      const [first = 0, second = 0] = sizes.map(Number);
      return { name, settings, word: kind === 'median' ? presets.median(first, second) : presets.gaussian(first) };
    });
    return [
      { label: setups.camera, list: names.map((name) => ({ name, word: setups[name], settings: pupilSetup(name) })) },
      { label: setups.filters, list: filters },
    ];
  }
  if (scope !== 'vessels') return [];
  const { result } = host.element as { result?: Partial<VesselResult> | null };
  const diameter = result?.fieldOfView ? fieldDiameter(result.fieldOfView) : 0;
  const list = [30, 45, 60].map((degrees) => ({
    ...{ name: `fundus-${degrees}`, word: setups.fundus(degrees) },
    settings: diameter ? cameraScale(degrees, diameter) : null,
  }));
  return [{ label: setups.camera, list }];
}
