/** Parameters of engine.vessels. */
import { boolean, choice, number } from '../runtime/parameters.ts';

export const vesselParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'network', 'paper'],
    effect:
      "'network': the whole tree from a learned network, loaded on first use. 'paper': dark lines of the widest scale alone, from the eigenvalues themselves.",
  }),
  scales: choice({
    default: 'thick',
    values: ['thick', 'all'],
    effect: 'Only thick vessels, or the whole tree.',
  }),
  sigma: number({
    default: 0,
    min: 0,
    max: 32,
    unit: 'px of the source',
    auto: 0,
    effect: "Scale of the narrowest vessels to find. 'auto' (0) adapts it to the field of view.",
  }),
  thresholdFactor: number({
    default: 1,
    min: 0.3,
    max: 3,
    effect:
      'Factor of the threshold derived from the photograph. Lower values find more vessels and more false positives.',
  }),
  measures: boolean({
    default: false,
    effect: 'Also returns skeleton, branch points and segments with length and width.',
  }),
  micrometresPerPixel: number({
    default: 0,
    min: 0,
    max: 1000,
    unit: 'µm',
    effect:
      'Scale of the photograph, for widths and lengths in micrometres. 0 uses the pixel spacing of a DICOM file, or none.',
  }),
} as const;
