// The page in the frame: measures when the portal says so, and sends the report. Pictures and samples stay here.
import { createReport, PortalChannel, toFhir } from '../../dist/reports.js';
import { portalOrigin, recording } from './config.js';

const test = document.querySelector('foveola-pupil-test');
test.frameHeight = portalOrigin; // the portal gives the frame its height
if (recording) {
  test.src = recording;
  test.updateComplete.then(() => (test.tracker.loop = true));
}
const channel = new PortalChannel({ target: window.parent, receiver: window, allowedOrigins: [portalOrigin] });
let context = {};

/** A test needs frames: the camera is opened, for which the browser asks the person in front of it. */
const cameraComes = ({ tracker }) =>
  new Promise((resolve, reject) => {
    tracker.addEventListener('foveola-result', resolve, { once: true });
    tracker.addEventListener('foveola-error', ({ detail }) => reject(detail), { once: true });
    tracker.openCamera().catch(reject);
  });

channel.on('context', (given) => {
  context = given;
  if (given.laterality) test.eye = given.laterality; // in tests of one eye
});
channel.on('start', async ({ protocol }, { id }) => {
  try {
    test.protocol = protocol ?? 'light-reflex';
    await test.updateComplete;
    if (!recording && !test.tracker.cameraId) await cameraComes(test);
    await test.start();
    channel.send('received', {}, id);
  } catch ({ code, message }) {
    channel.send('error', { code, message }, id);
  }
});
channel.on('stop', () => test.stop());

let telling;
test.addEventListener('foveola-test-state', ({ detail }) => {
  const measuring = detail.state === 'running' || detail.state === 'paused';
  clearInterval(telling);
  if (measuring)
    telling = setInterval(() => channel.send('state', { state: 'measuring', progress: test.progress }), 250);
  channel.send('state', { state: measuring ? 'measuring' : 'done', progress: test.progress });
});
/** One report of what was measured; throws where nothing was. */
function reportOf(result) {
  const { series, reflexes = [], warnings } = result.measures;
  return createReport({
    kind: 'pupil',
    unit: result.unit,
    calibration: result.unit === 'mm' ? { millimetresPerPixel: test.millimetresPerPixel } : null,
    started: new Date(result.started),
    parameters: { protocol: result.protocol.id },
    backend: result.backend,
    quality: result.quality,
    warnings,
    ...(context.patient && { patient: context.patient }),
    // Of two eyes the results say which is which; of one the portal or the results do, or nobody.
    eyes: series.map((one, pupil) => ({
      ...(series.length === 1 && { eye: context.laterality ?? one?.eye ?? 'unknown' }),
      ...(one && { series: one }),
      reflexes: reflexes
        .filter((reflex) => reflex.pupil === pupil)
        .map((reflex) => ({ ...reflex, stimulus: reflex.label })),
    })),
  });
}

test.addEventListener('foveola-test-result', ({ detail: result }) => {
  if (!result.complete) return channel.send('error', { code: 'aborted', message: 'The test was ended early.' });
  try {
    channel.send('report', { fhir: toFhir(reportOf(result), { type: 'transaction' }) });
  } catch ({ code, message }) {
    channel.send('error', { code, message });
  }
});

// The portal may not listen yet: said again until it answers.
for (let connected = false; !connected;)
  connected = await channel.hello().then(
    () => true,
    () => false,
  );
