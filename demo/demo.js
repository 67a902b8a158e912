// The page needs no script of its own; this one tells what computes, and brings the sample back.
const element = document.getElementById('demo');
const engine = document.getElementById('engine');
const sample = document.getElementById('sample');

element.addEventListener('foveola-ready', ({ detail }) => {
  const side = detail.backend === 'gpu' ? `the graphics processor (${detail.gpu})` : 'WebAssembly';
  const threads = detail.threads > 1 ? `, ${detail.threads} threads` : '';
  const place = detail.worker ? 'in a worker' : "on the page's own thread";
  engine.textContent = `Computed by ${side}${threads}, ${place}. Nothing is sent anywhere.`;
  engine.title = detail.reasons.join('\n');
});

element.addEventListener('foveola-state', () => {
  sample.hidden = element.sourceName === 'sample.webm' || element.state === 'loading';
});

sample.addEventListener('click', () => {
  element.stop(); // a camera, if one is open
  element.paused = false;
  if (element.source === null) element.start();
  else element.source = null;
});
