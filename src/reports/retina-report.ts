/** A report of a photograph of the retina, from the results of `engine.vessels` and `retinalMeasures`. */
import { correctionsText, type CorrectionNote } from '../results/export-vessels.ts';
import type { ImageScale, VesselResult } from '../results/types.ts';
import { furtherRetinaMeasures, retinaMeasures, type Measure } from './measures.ts';
import { baseNames, baseOf, check, sideOf, sourceOf, type InputBase, type Numbers } from './report-base.ts';
import { vesselSummary, type RetinaReport, type Side, type VesselReport } from './report.ts';
import { retinaValues, type RetinaInput } from './retina-values.ts';

export type { RetinaInput };

export interface RetinaReportInput extends InputBase {
  kind: 'retina';
  /** Unit of crae, crve and other lengths in `vessels`. 'um' if a scale is known, otherwise 'px'. */
  unit?: 'px' | 'um';
  laterality?: Side | null;
  /** Result of engine.vessels. Values in `vessels` are added to it and override it. */
  result?: Pick<VesselResult, 'fraction' | 'confidence' | 'warnings'> &
    Partial<Pick<VesselResult, 'quality' | 'segments' | 'branchPoints' | 'scale' | 'mask' | 'dicom' | 'backend'>>;
  /** The result of retinalMeasures. It fills `vessels`, and its warnings become warnings of the report. */
  retina?: RetinaInput | null;
  scale?: ImageScale | null;
  vessels?: Numbers<VesselReport>;
  /** Manual corrections, in the order that they were made. */
  corrections?: readonly CorrectionNote[] | null;
  quality?: number | null;
}

const retinaNames = [
  ...[
    'disc',
    'fovea',
    'eye',
    'micrometresPerPixel',
    'zone',
    'zones',
    'tortuosity',
    'fractal',
    'branching',
    'density',
    'warnings',
  ],
];

function scaleOf(input: RetinaReportInput): ImageScale | null {
  const scale = input.scale ?? input.result?.scale ?? null;
  if (!scale) return null;
  check.known('scale.micrometresPerPixel', scale.micrometresPerPixel, 0.01, 10_000);
  check.oneOf('scale.from', scale.from, ['option', 'file']);
  return scale;
}

const resultNames = [
  ...['mask', 'response', 'fieldOfView', 'fraction', 'confidence', 'quality', 'warnings', 'scale', 'dicom', 'backend'],
  ...['skeleton', 'branchPoints', 'segments'],
  ...['timestamp', 'width', 'height', 'dropped', 'preview', 'milliseconds'], // of a frame of `<foveola-vessels>`
];

function checkResult(result: NonNullable<RetinaReportInput['result']>): void {
  check.object('result', result);
  check.names('result', result, resultNames);
  check.known('result.fraction', result.fraction, 0, 1);
  const lengths = ['length', 'width', 'lengthMicrometres', 'widthMicrometres'] as const;
  check.objects('result.segments', result.segments ?? [], 'segments').forEach((segment, i) => {
    for (const name of lengths) check.number(`result.segments[${i}].${name}`, segment[name], 0);
  });
}

const all: Readonly<Record<keyof VesselReport, Measure>> = { ...retinaMeasures, ...furtherRetinaMeasures };

function vesselsOf(
  { result, retina, vessels: given = {} }: RetinaReportInput,
  scale: ImageScale | null,
  unit: 'px' | 'um',
) {
  if (retina) {
    check.object('retina', retina);
    check.names('retina', retina, retinaNames);
  }
  const computed = {
    ...(result && vesselSummary(result, unit)),
    ...(retina && retinaValues(retina, scale, unit)),
  };
  check.object('vessels', given);
  for (const name of Object.keys(given)) if (!(name in all)) check.fail(`vessels.${name}`, 'is not a known measure.');
  const names = (Object.keys(all) as (keyof VesselReport)[]).filter(
    (name) => name in retinaMeasures || name in computed || given[name] !== undefined,
  );
  return Object.fromEntries(
    names.map((name) => {
      const { quantity } = all[name];
      const most = quantity === 'percent' ? 100 : Infinity;
      return [
        name,
        check.number(`vessels.${name}`, given[name], 0, most) ?? check.number(`retina.${name}`, computed[name]) ?? null,
      ];
    }),
  ) as unknown as VesselReport;
}

const correctionsOf = (given: RetinaReportInput['corrections']): RetinaReport['corrections'] =>
  given
    ? check.list('corrections', given, 'corrections').map((one, i) => {
        const path = `corrections[${i}]`;
        const plain = check.plain(path, one);
        if (typeof plain.action !== 'string') check.fail(`${path}.action`, 'must describe the correction.');
        return plain as Record<string, unknown> & CorrectionNote;
      })
    : null;

const unscaled = 'No scale: lengths are in pixels and cannot be compared with other photographs.';
const derivedEye = 'The eye is derived from the position of the fovea. It is wrong for a mirrored photograph.';

/** The eye as given, as in the header of the source, or as derived from the fovea, with a warning. */
function eyeOf({ laterality, retina }: RetinaReportInput, source: RetinaReport['source']) {
  const stated = sideOf('laterality', laterality) ?? source.dicom?.laterality ?? null;
  if (source.dicom?.laterality && stated !== source.dicom.laterality)
    check.fail('laterality', `must match the header of the source, which says '${source.dicom.laterality}'.`);
  const derived = sideOf('retina.eye', retina?.eye);
  const other = `The position of the fovea is that of a ${derived} eye. The photograph is mirrored, or the eye is wrong.`;
  return {
    laterality: stated ?? derived,
    warnings: !derived || stated === derived ? [] : [stated ? other : derivedEye],
  };
}

const retinaReportNames = [...baseNames, 'laterality', 'retina', 'scale', 'vessels', 'corrections'];

export function retinaReport(input: RetinaReportInput): RetinaReport {
  check.names('', input, retinaReportNames);
  const { result } = input;
  const scale = scaleOf(input);
  const unit = check.oneOf('unit', input.unit ?? (scale ? 'um' : 'px'), ['px', 'um']);
  if (unit === 'um' && !scale)
    check.fail('scale', "is missing. Set scale.micrometresPerPixel for unit 'um', or use unit 'px'.");
  if (!result && !input.vessels && !input.retina) check.fail('result', 'or vessels must be given, or retina.');
  if (result) checkResult(result);
  const vessels = vesselsOf(input, scale, unit);
  const corrections = correctionsOf(input.corrections);
  const source = sourceOf(input.source, result);
  const eye = eyeOf(input, source);
  return {
    kind: 'retina',
    ...baseOf({ ...input, backend: input.backend ?? result?.backend ?? null }),
    source,
    ...{ unit, vessels },
    formula: check.text('retina.zone.formula', input.retina?.zone?.formula),
    scale: scale && { micrometresPerPixel: scale.micrometresPerPixel, from: scale.from },
    corrections,
    laterality: eye.laterality,
    quality: check.number('quality', input.quality ?? result?.confidence, 0, 1),
    warnings: [
      ...check.texts('result.warnings', result?.warnings),
      ...check.texts('retina.warnings', input.retina?.warnings),
      ...check.texts('warnings', input.warnings),
      ...eye.warnings,
      ...(corrections?.length ? [`${correctionsText(corrections)}.`] : []),
      ...(unit === 'px' ? [unscaled] : []),
    ],
  };
}
