// What the demo pages share: which side computes, and the way back to what the page drew itself.
export function showEngine(element, sample) {
  const engine = document.getElementById('engine');
  element.addEventListener('foveola-ready', ({ detail }) => {
    const side = detail.backend === 'gpu' ? `the graphics processor (${detail.gpu})` : 'WebAssembly';
    const threads = detail.threads > 1 ? `, ${detail.threads} threads` : '';
    const place = detail.worker ? 'in a worker' : "on the page's own thread";
    engine.textContent = `Computed by ${side}${threads}, ${place}. Nothing is sent anywhere.`;
    engine.title = detail.reasons.join('\n');
  });
  const back = document.getElementById('sample');
  element.addEventListener('foveola-state', () => {
    back.hidden = element.source === sample() || element.state === 'loading';
  });
  back.addEventListener('click', () => {
    element.stop(); // a camera, if one is open
    element.paused = false;
    element.source = sample();
  });
}
