// Elements of the library on its pages: nothing is loaded until the reader presses the button of one.
import { draw, canvas, side, place } from '../../../demo/track-scene.js';
import { loadScript } from './load-script.js';

/** The drawn scene of the object tracker as a video, with a box about what moves in it. */
function playScene(element) {
  const begin = performance.now();
  const next = () => {
    if (!element.isConnected) return;
    draw(performance.now() - begin);
    requestAnimationFrame(next);
  };
  draw(0);
  const { x, y } = place(0);
  element.source = canvas.captureStream(30);
  element.setAttribute('box', [x, y, side, side].map(Math.round).join(' '));
  requestAnimationFrame(next);
}

async function start(holder, up) {
  const { tag, attributes } = holder.dataset;
  const dist = `${up}dist/`;
  await loadScript(`${dist}${tag}.cdn.js`, { worker: `${dist}worker.js`, assets: dist });
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(JSON.parse(attributes)))
    if (name === 'src') element.setAttribute('src', up + value);
    else if (name !== 'scene') element.setAttribute(name, value);
  holder.replaceChildren(element);
  if ('scene' in JSON.parse(attributes)) playScene(element);
}

export function startLive(up) {
  // A browser gives pages of its own disk no pixels of their videos and no workers.
  const onDisk = location.protocol === 'file:';
  for (const holder of document.querySelectorAll('.live')) {
    const button = holder.querySelector('button');
    if (onDisk) {
      holder.querySelector('p').textContent = 'The element runs here when the site comes from a server, your own too.';
      continue;
    }
    button.hidden = false;
    button.addEventListener('click', () => {
      button.disabled = true;
      start(holder, up).catch((error) => {
        button.disabled = false;
        holder.querySelector('p').textContent = error.message;
      });
    });
  }
}
