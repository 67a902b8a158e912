// The search: its texts are loaded when you open the field, and searched here. Arrows lead through what was
// found, Escape back to the field, / to it from anywhere.
import MiniSearch from 'minisearch';
import { loadScript } from './load-script.js';

const MOST = 12;
const AROUND = 60;

/** Where most of the terms are close together; -1 if none is in the text. */
function bestPlace(lower, terms) {
  const count = (at) => terms.filter((term) => lower.slice(at, at + 2 * AROUND).includes(term)).length;
  let best = -1;
  for (const term of terms)
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1))
      if (best < 0 || count(at) > count(best)) best = at;
  return best;
}

/** The words around that place. */
function excerpt(text, terms) {
  const at = bestPlace(text.toLowerCase(), terms);
  const start = Math.max(0, at - AROUND);
  const from = start ? text.indexOf(' ', start) + 1 : 0;
  const part = text.slice(from, from + 3 * AROUND);
  const whole = from + part.length >= text.length ? part : `${part.slice(0, part.lastIndexOf(' '))} …`;
  return `${from ? '… ' : ''}${whole}`;
}

async function makeIndex(up) {
  await loadScript(`${up}search-data.js`);
  const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['url', 'title', 'page', 'text'] });
  index.addAll(globalThis.foveolaSections.map((section, id) => ({ id, ...section })));
  return (words) => {
    const found = index.search(words, { prefix: true, fuzzy: 0.15, boost: { title: 4, page: 2 }, combineWith: 'AND' });
    if (!words.includes(' ')) return found;
    // Sections with the whole phrase come before sections with its words somewhere.
    const has = ({ title, text }) => Number(`${title} ${text}`.toLowerCase().includes(words.toLowerCase()));
    return found.sort((a, b) => has(b) - has(a));
  };
}

function entry({ url, title, page, text, terms }, up) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = up + url;
  const [name, rest] = [document.createElement('b'), document.createElement('span')];
  name.textContent = title === page ? title : `${page}: ${title}`;
  rest.textContent = excerpt(text, terms);
  link.append(name, ' ', rest);
  item.append(link);
  return item;
}

export function startSearch(form, up) {
  const field = form.querySelector('input');
  const found = form.querySelector('.found');
  const [status, list] = [found.querySelector('p'), found.querySelector('ul')];
  let index = null;
  form.hidden = false;
  field.addEventListener('focus', () => (index ??= makeIndex(up)));

  async function show() {
    const words = field.value.trim();
    const results = words ? (await (index ??= makeIndex(up)))(words) : [];
    if (words !== field.value.trim()) return; // more was typed meanwhile
    found.hidden = !words;
    list.replaceChildren(...results.slice(0, MOST).map((result) => entry(result, up)));
    status.textContent = results.length ? `${results.length} found` : `Nothing found for “${words}”`;
  }
  const fail = (error) => {
    found.hidden = false;
    status.textContent = `The search has not loaded: ${error.message}`;
  };
  field.addEventListener('input', () => void show().catch(fail));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const stops = [field, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && at >= 0) {
      event.preventDefault();
      stops[Math.min(stops.length - 1, Math.max(0, at + step))].focus();
    } else if (event.key === 'Escape') {
      field.focus();
      found.hidden = true;
    }
  });
  document.addEventListener('click', ({ target }) => {
    if (!form.contains(target)) found.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]') || event.target.shadowRoot;
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
