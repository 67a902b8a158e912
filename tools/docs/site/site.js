// The script of every page of the site: its menu, its search, and elements that start when they are asked for.
import { startCopying } from './copy.js';
import { startOffline } from './offline.js';
import { startLive } from './live.js';
import { startSearch } from './search.js';

const { dataset, src } = document.currentScript;
const { up } = dataset;

const button = document.querySelector('button.menu');
button.hidden = false;
document.body.classList.add('scripted');
button.addEventListener('click', () => {
  const open = button.getAttribute('aria-expanded') !== 'true';
  button.setAttribute('aria-expanded', String(open));
  document.body.classList.toggle('menu-open', open);
});

if (globalThis.matchMedia('(min-width: 861px)').matches) document.querySelector('.contents')?.setAttribute('open', '');
startCopying();
startSearch(document.querySelector('form.search'), up);
startLive(up);
startOffline(src);
