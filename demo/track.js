// <foveola-track> on the scene of track-scene.js.
import { offerSources, showEngine } from './engine-status.js';
import { canvas, draw, place, side } from './track-scene.js';

const element = document.getElementById('demo');
draw(0);
const stream = canvas.captureStream(30);
// It stands until the first frame is processed: the box belongs to where the patch begins.
const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
let begun = null;
element.addEventListener('foveola-result', () => (begun ??= still ? null : performance.now()));
const tick = (now) => {
  draw(begun === null ? 0 : now - begun);
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);

showEngine(element);
offerSources(element, { sample: stream });
const { x, y } = place(0);
// A box belongs to the source that it is set with.
element.box = { x, y, width: side, height: side };
element.source = stream;
// It begins where the box is, also when one comes back to it.
document.getElementById('sample').addEventListener('click', () => {
  begun = null;
  draw(0);
});
