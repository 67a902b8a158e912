import { createEngine } from 'foveola';
import 'foveola/elements';

const output = document.querySelector('output');
document.querySelector('foveola-pupil').addEventListener('foveola-result', ({ detail }) => {
  const [pupil] = detail.pupils;
  if (pupil.found) output.textContent = `pupil found, diameter ${pupil.diameter.toFixed(1)}`;
});

// The library without an element: an empty picture has no face, but the model that looks for one was loaded.
createEngine().then(async (engine) => {
  const faces = await engine.detectFaces({ width: 64, height: 64, data: new Uint8Array(64 * 64) });
  document.querySelector('#faces').textContent = `${faces.length} faces`;
  await engine.dispose();
});
