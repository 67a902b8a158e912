// Which camera looks at which eye: chosen once, kept on this device. A camera that is pulled out is waited for by its
// element; no other one takes its place, since left and right must not change unseen.
/* global localStorage, Option */
const message = document.getElementById('message');
const eyes = ['left', 'right'].map((name) => ({
  name,
  element: document.getElementById(name),
  choice: document.querySelector(`select[name=${name}]`),
  kept: localStorage.getItem(`camera-${name}`),
}));
const other = (eye) => eyes.find((one) => one !== eye);

/** From now on this is the camera of this eye: for the page, for its next visit, and for the element's own camera button. */
function keep(eye, camera) {
  eye.kept = eye.element.camera = camera;
  localStorage.setItem(`camera-${eye.name}`, camera);
}

/** Before the first permission browsers tell neither names nor ids. */
async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId);
}

async function list() {
  const present = await cameras();
  for (const { choice, kept } of eyes) {
    const options = present.map(({ label, deviceId }) => new Option(label, deviceId));
    if (kept && !present.some(({ deviceId }) => deviceId === kept)) options.push(new Option('not connected', kept));
    choice.replaceChildren(...options);
    choice.value = kept ?? '';
    choice.disabled = options.length === 0;
  }
}

/** The camera that is open is the chosen one, also where it was chosen in the element's settings. */
async function remember(eye) {
  const { cameraId } = eye.element;
  if (!cameraId || cameraId === eye.kept) return;
  keep(eye, cameraId);
  await list();
}

/** One after the other: the permission that is given for the first camera is there when the second one is opened. */
async function start() {
  for (const eye of eyes) {
    const present = await cameras();
    const wanted = eye.kept ?? present.find(({ deviceId }) => deviceId !== other(eye).kept)?.deviceId;
    if (wanted || !present.length) await eye.element.openCamera(wanted);
    else message.textContent = `There is no other camera for the ${eye.name} eye. Connect one, then press Start again.`;
    await remember(eye);
  }
}

/** Chosen for one eye, the other one's camera changes places with it. */
async function change(eye) {
  const before = eye.kept;
  const moved = [eye];
  if (other(eye).kept === eye.choice.value) moved.push(other(eye));
  keep(eye, eye.choice.value);
  if (moved[1]) keep(moved[1], before);
  for (const { element } of moved) element.stop(); // some systems give a camera only once
  for (const { element } of moved) await element.openCamera();
  await list();
}

for (const eye of eyes) {
  eye.element.camera = eye.kept ?? '';
  eye.element.addEventListener('foveola-state', () => remember(eye));
  eye.choice.addEventListener('change', () => change(eye));
}
document.getElementById('start').addEventListener('click', start);
navigator.mediaDevices.addEventListener('devicechange', list);
list();
