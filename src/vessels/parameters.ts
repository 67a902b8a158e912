/** Parameters of engine.vessels. */
import { boolean, choice, number } from '../runtime/parameters.ts';

export const vesselParameters = {
  variant: choice({
    default: 'default',
    values: ['default', 'network', 'paper'],
    effect:
      "'network': the whole tree by a learned network, which is loaded when it is first used. 'paper': dark lines of the widest scale alone, from the eigenvalues themselves.",
  }),
  scales: choice({
    default: 'thick',
    values: ['thick', 'all'],
    effect: 'The thick vessels alone, or the whole tree.',
  }),
  sigma: number({
    default: 0,
    min: 0,
    max: 32,
    unit: 'px of the source',
    auto: 0,
    effect: "Scale of the narrowest vessels to find; 'auto' (0): in proportion to the field of view.",
  }),
  thresholdFactor: number({
    default: 1,
    min: 0.3,
    max: 3,
    effect: 'Factor of the level that the photograph itself gives; smaller finds more, and more that are none.',
  }),
  measures: boolean({
    default: false,
    effect: 'Also skeleton, branch points and segments with length and width.',
  }),
  micrometresPerPixel: number({
    default: 0,
    min: 0,
    max: 1000,
    unit: 'µm',
    effect:
      'Scale of the photograph; with it widths and lengths are also given in micrometres. 0: the pixel spacing of a DICOM file, of others not known.',
  }),
} as const;
