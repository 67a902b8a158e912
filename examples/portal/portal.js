// The portal: starts a test in the frame by message, shows how it goes, and puts the report into its FHIR server. The widget
// has no access to the record, and the portal none to the camera's pictures.
import { PortalChannel } from '../../dist/reports.js';
import { fhirServer, widgetOrigin } from './config.js';

const find = (id) => document.getElementById(id);
const [frame, state, start, stop, record] = ['widget', 'state', 'start', 'stop', 'record'].map(find);
const say = (text) => (state.textContent = text);

const protocol = {
  format: 1,
  id: 'short-reflex',
  title: 'Short reflex',
  measure: 'light-reflex',
  steps: [
    { type: 'adapt', duration: 1000, label: 'baseline' },
    { type: 'flash', duration: 500, label: 'flash' },
    { type: 'pause', duration: 2500 },
  ],
};

/** What a server would answer, where there is none. */
const listed = ({ entry }) => ({
  entry: entry.map(({ resource }) => ({ response: { status: 'Not sent:', location: resource.resourceType } })),
});

/** A transaction: all of it is in the record, or nothing. */
async function keep(bundle) {
  if (!fhirServer) return listed(bundle);
  const response = await fetch(fhirServer, {
    method: 'POST',
    headers: { 'Content-Type': 'application/fhir+json', Accept: 'application/fhir+json' },
    body: JSON.stringify(bundle),
  });
  if (!response.ok) throw new Error(`The FHIR server answered ${response.status}.`);
  return response.json();
}

frame.src = `${widgetOrigin}/examples/portal/widget.html${location.search}`;
const channel = new PortalChannel({
  target: frame.contentWindow,
  receiver: window,
  allowedOrigins: [widgetOrigin],
});
window.channel = channel; // for the console: channel.ignored says what was not heard

window.addEventListener('message', ({ data, origin, source }) => {
  if (origin === widgetOrigin && source === frame.contentWindow && data.type === 'foveola-height')
    frame.style.height = `${data.height}px`;
});

channel.on('hello', (_, { id }) => {
  channel.send('received', {}, id);
  channel.send('context', { patient: 'Patient/42', laterality: 'right' });
  start.disabled = false;
  say('Ready.');
});
channel.on('state', ({ state: name, progress }) => {
  stop.disabled = name !== 'measuring';
  say(
    name === 'measuring' ? `Measuring, ${Math.round(100 * (progress ?? 0))} %.` : name === 'done' ? 'Done.' : 'Ready.',
  );
});
channel.on('error', ({ message }) => say(message));
channel.on('report', async ({ fhir }, { id }) => {
  try {
    const kept = await keep(fhir);
    for (const { response } of kept.entry) {
      const item = document.createElement('li');
      item.textContent = `${response.status} ${response.location}`;
      record.append(item);
    }
    channel.send('received', {}, id);
    say('The report is in the record.');
  } catch (error) {
    channel.send('error', { code: 'not-kept', message: error.message }, id);
    say(error.message);
  }
});
start.addEventListener('click', () => channel.request('start', { protocol }).catch((error) => say(error.message)));
stop.addEventListener('click', () => channel.send('stop', {}));
