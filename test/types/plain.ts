// Compiled by test/infrastructure/types.test.mjs against the packed package. Each @ts-expect-error must be an error.
import { createEngine, type PupilResult } from 'foveola';
import 'foveola/elements';
import { addStrings, type FilterResult, type StateDetail, type VesselFrame } from 'foveola/elements';
import { FoveolaPupil } from 'foveola/elements/pupil.component.js';
import { FoveolaTrack } from 'foveola/elements/track.js';
import { de } from 'foveola/strings/de.js';
import { createReport, toDicomSr, toFhir, type Bundle, type PupilReport } from 'foveola/reports';

const pupil = document.querySelector('foveola-pupil')!;
pupil.addEventListener('foveola-result', (event) => {
  const result: PupilResult = event.detail;
  const [first] = event.detail.pupils;
  first?.diameter.toFixed(1);
  // @ts-expect-error a pupil result has no faces
  void event.detail.faces;
  return result;
});
pupil.addEventListener('foveola-ready', ({ detail }) => detail.threads.toFixed());
pupil.addEventListener('foveola-state', ({ detail }) => {
  const state: StateDetail = detail;
  // @ts-expect-error no such state
  if (detail.state === 'asleep') return null;
  return state;
});
pupil.addEventListener('foveola-error', ({ detail }) => detail.code === 'camera-denied');
pupil.addEventListener('foveola-progress', ({ detail }) => (detail.done ?? 0).toFixed());
pupil.addEventListener('click', (event) => event.clientX); // HTML's own events as always
pupil.addEventListener('something-else', (event: Event) => event.type);
// @ts-expect-error the event of a result is no MouseEvent
pupil.addEventListener('foveola-result', (event: MouseEvent) => event);
// @ts-expect-error pupils have no eyes event
pupil.addEventListener('foveola-eyes', (event) => event.detail);
const onResult = (event: CustomEvent<PupilResult>) => event.detail;
pupil.addEventListener('foveola-result', onResult, { once: true });
pupil.removeEventListener('foveola-result', onResult);
pupil.addEventListener('foveola-result', { handleEvent: onResult });

document.createElement('foveola-face').addEventListener('foveola-result', ({ detail }) => detail.faces[0]?.landmarks);
document.createElement('foveola-face').addEventListener('foveola-eyes', ({ detail }) => detail.eyes[0]?.side);
new FoveolaTrack().addEventListener('foveola-result', ({ detail }) => detail.targets[0]?.box?.width);
document.querySelector('foveola-vessels')!.addEventListener('foveola-result', (event) => {
  const frame: VesselFrame = event.detail;
  return frame.fraction;
});
document.querySelector('foveola-filter')!.addEventListener('foveola-result', (event) => {
  const result: FilterResult = event.detail;
  return result.lines;
});

pupil.method = 'robust';
// @ts-expect-error no such detector
pupil.method = 'magic';
// @ts-expect-error one eye or two
pupil.eyes = 3;
pupil.source = new Blob();
// @ts-expect-error read only
pupil.tracking = true;
// @ts-expect-error not public
void pupil.recorder;
void pupil.step().then((result) => result?.pupils.length);

const element: FoveolaPupil = pupil;
void element.exportCsv();
addStrings('de', de);

const engine = await createEngine({ backend: 'wasm' });
const tracker = engine.createPupilTracker({ fit: 'ellipse' });
// @ts-expect-error no such fit
engine.createPupilTracker({ fit: 'square' });
void engine.gaussian({ width: 4, height: 4, data: new Uint8Array(16) }, { size: 5, transfer: true });
// @ts-expect-error given away or not
void engine.gaussian({ width: 4, height: 4, data: new Uint8Array(16) }, { transfer: 'yes' });
const { pupils } = await tracker.process({ width: 4, height: 4, data: new Uint8Array(16) });
pupils[0]?.ellipse?.major.toFixed();

const report: PupilReport = createReport({
  kind: 'pupil',
  unit: 'px',
  started: new Date(),
  eyes: [{ laterality: 'left', series: { timestamp: [0, 10], diameter: new Float64Array(2) } }],
});
const bundle: Bundle = toFhir(report, { type: 'transaction' });
bundle.entry.map(({ resource }) => resource.resourceType === 'Observation' && resource.component.length);
toDicomSr(report).length.toFixed();
// @ts-expect-error a pupil is measured in pixels or millimetres
createReport({ kind: 'pupil', unit: 'um', started: new Date(), eyes: [] });
// @ts-expect-error no such type of bundle
toFhir(report, { type: 'batch' });
