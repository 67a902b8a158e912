// What the demo pages share: which side computes, and the way to what the page has to show itself.
export function showEngine(element) {
  const engine = document.getElementById('engine');
  element.addEventListener('foveola-ready', ({ detail }) => {
    const side = detail.backend === 'gpu' ? `the graphics processor (${detail.gpu})` : 'WebAssembly';
    const threads = detail.threads > 1 ? `, ${detail.threads} threads` : '';
    const place = detail.worker ? 'in a worker' : "on the page's own thread";
    engine.textContent = `Computed by ${side}${threads}, ${place}. Nothing is sent anywhere.`;
    engine.title = detail.reasons.join('\n');
  });
}

/** A button for each thing to show, and beside them what it is; with one, the button is there while something else is shown. */
export function offerSources(element, sources) {
  const buttons = Object.keys(sources).map((id) => document.getElementById(id));
  const alone = buttons.length === 1;
  for (const button of buttons)
    button.addEventListener('click', () => {
      element.stop(); // a camera, if one is open
      element.paused = false;
      element.source = sources[button.id];
    });
  const tell = () => {
    for (const button of buttons) {
      const shown = element.source === sources[button.id];
      if (alone) button.hidden = shown || element.state === 'loading';
      else button.setAttribute('aria-pressed', String(shown));
      const about = document.getElementById(`${button.id}-about`);
      if (about) about.hidden = !shown;
    }
  };
  element.addEventListener('foveola-state', tell);
}
