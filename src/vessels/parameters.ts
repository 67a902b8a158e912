/** Parameters of engine.vessels. */
import { boolean, choice, number } from '../runtime/parameters.ts';

export const vesselParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'network', 'lines', 'paper'],
    effect:
      "'network': a learned network, loaded on first use. 'lines': dark lines of several lengths. 'paper': dark lines of the widest scale alone, from the eigenvalues themselves. 'default': the network. Lines if you set sigma, or, with a warning, if the network cannot be used.",
  }),
  scales: choice({
    default: 'all',
    values: ['thick', 'all'],
    effect: 'Only thick vessels, or the whole tree.',
  }),
  sigma: number({
    default: 0,
    min: 0,
    max: 32,
    unit: 'px of the source',
    auto: 0,
    effect:
      "Scale of the narrowest lines to find. 'auto' (0) adapts it to the field of view. The network has no scale, so another value searches lines.",
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
