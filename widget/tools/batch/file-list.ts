/**
 * The list of a batch of files: progress, result and exports of each file. Built from DOM nodes, so that Lit is not
 * loaded twice.
 */
import type { FoveolaError } from '../../../src/index.ts';
import { textField } from '../../../src/internal.ts';
import { fileName, download, make } from '../../base/page.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import { oneStop } from '../panels/roving.ts';
import { isPicture } from './sequence.ts';
import { inLanguage, severalWords, type SeveralWords } from '../words.ts';

/** The exports of a batch in one file: a table with the file name in its first column, or a JSON list. */
interface Export {
  name: string;
  csv: Blob;
  json: Blob;
  csvJson: Blob;
}

/**
 * The rows of all tables below one header row. The lines before a header row, which begin with `#`, are left out.
 * `separator`: of the fields.
 */
export async function joinedCsv(all: readonly Export[], separator = ','): Promise<Blob> {
  const pieces: string[] = separator === ';' ? ['\uFEFF'] : [];
  let columns = '';
  for (const { name, csv } of all) {
    const lines = (await csv.text()).split('\n').filter(Boolean);
    const [head = '', ...rows] = lines.slice(lines.findIndex((line) => !line.startsWith('#')));
    if (head !== columns) pieces.push(`file${separator}${head}\n`); // tables with other columns get their own header row
    columns = head;
    const file = textField(name) + separator;
    pieces.push(rows.map((row) => `${file}${row}\n`).join(''));
  }
  return new Blob(pieces, { type: 'text/csv' });
}

export function joinedJson(all: readonly Export[], of: 'json' | 'csvJson' = 'json'): Blob {
  const pieces = all.flatMap(({ name, [of]: json }, i): BlobPart[] => [
    `${i ? ',\n' : ''}{ "file": ${JSON.stringify(name)}, "result": `,
    json,
    '}',
  ]);
  return new Blob(['[\n', ...pieces, '\n]\n'], { type: 'application/json' });
}

/** Saves a file, and the JSON file next to it. */
function saveBoth(content: Blob, name: string, beside?: Blob | null): void {
  download(content, name);
  if (beside) download(beside, `${name}.json`);
}

const style = `
  .several { display: grid; gap: 8px; padding: 12px 14px; border-top: 1px solid var(--_border); background: var(--_surface); }
  .several .head, .several .does { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
  .several .head b { flex: 1 1 160px; }
  .several progress { flex: 1 1 160px; accent-color: var(--_accent); }
  .several ul { display: grid; grid-auto-rows: max-content; gap: 2px; margin: 0; padding: 0; max-height: 240px; overflow: auto; list-style: none; }
  .several li { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-height: 36px; }
  .several li[hidden] { display: none; }
  .several .name { flex: 1 1 180px; overflow-wrap: anywhere; text-align: start; }
  .several .how { color: var(--_muted); font-size: 13px; font-variant-numeric: tabular-nums; }
  .several .bad { color: var(--_danger); }
  .several .detail { flex: 1 0 100%; margin: 0; color: var(--_muted); font-size: 13px; }
  .several .join { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; color: var(--_muted); font-size: 13px; }
  .several .join input { width: 5em; min-height: 34px; padding: 0 8px; border: 1px solid var(--_border); border-radius: 8px; background: var(--_surface); color: var(--_text); font: inherit; }
  .base:has(.several progress) [part=progress] button { visibility: hidden; } /* the list has the one that cancels */
  .several button { min-height: 34px; border-color: var(--_border); }
  .several button.name { justify-content: start; min-width: 0; white-space: normal; padding-inline: 4px; border-color: transparent; text-decoration: underline; }
`;

/** State of one file in the list. */
export interface Item {
  name: string;
  file: File;
  state: 'waiting' | 'working' | 'done' | 'failed' | 'cancelled';
  /** Progress of a recording, 0 to 1. */
  part: number | null;
  frames: number;
  csv: Blob | null;
  json: Blob | null;
  csvJson: Blob | null;
  error: FoveolaError | null;
  /** It is in the table of the element instead. */
  inTable?: boolean;
}

interface ListActions {
  cancel(): void;
  close(): void;
  show(item: Item): void;
  /** Opens the images as one recording, `rate` frames per second. */
  join(rate: number): void;
}

const isDone = (item: Item): item is Item & Export => item.csvJson !== null;

export class FileList<R extends AnyResult> {
  /** A toolbar, so that all of its controls are one tab stop. */
  readonly element = make('div', 'several');
  readonly #host: Host<R>;
  readonly #act: ListActions;
  readonly #rows = new Map<Item, HTMLLIElement>();
  #items: readonly Item[] = [];
  #language = '';

  constructor(host: Host<R>, act: ListActions) {
    this.#host = host;
    this.#act = act;
    this.element.setAttribute('part', 'several');
    this.element.setAttribute('role', 'toolbar');
    this.element.tabIndex = -1;
    host.addStyle(style);
  }

  get words(): SeveralWords {
    return inLanguage(severalWords, this.#host.strings);
  }

  show(items: readonly Item[]): void {
    this.#items = items;
    this.#render();
  }

  /** Shows progress while images are read for one recording. */
  reading(done: number, all: number): void {
    const w = this.words;
    const bar = make('progress', '');
    Object.assign(bar, { max: all, value: done });
    bar.setAttribute('aria-label', w.reading(done, all));
    const head = make('div', 'head');
    head.append(
      make('b', '', w.reading(done, all)),
      bar,
      this.#button(w.cancel, '', () => this.#act.cancel()),
    );
    this.#language = '';
    this.element.setAttribute('aria-label', w.title);
    this.element.replaceChildren(head);
  }

  /** Called when the language has changed. */
  follow(): void {
    if (this.#language && this.#language !== this.#host.strings.language) this.#render();
  }

  #render(): void {
    const w = this.words;
    this.#language = this.#host.strings.language;
    this.#rows.clear();
    const list = make('ul', '');
    list.setAttribute('aria-label', w.title);
    list.tabIndex = -1;
    for (const item of this.#items) {
      const row = make('li', '');
      this.#rows.set(item, row);
      list.append(row);
    }
    this.element.setAttribute('aria-label', w.title);
    const { kind } = this.#host;
    const joined = !kind.notAnalysable && this.#items.length > 1 && this.#items.every(isPicture);
    const does = make('div', 'does');
    const table = kind.batchTable?.() ?? null;
    this.element.replaceChildren(
      ...[make('div', 'head'), list, does, joined ? this.#join() : null, table].filter((child) => child !== null),
    );
    for (const item of this.#items) this.#fill(item);
    this.#frame();
    oneStop(this.#host.element.shadowRoot);
  }

  /** A table with metadata lines has no JSON file next to it. */
  get #beside(): boolean {
    return this.#host.exportOptions.format !== 'comments';
  }

  /** Called when this item has changed. */
  changed(item: Item): void {
    this.#fill(item);
    this.#frame();
    oneStop(this.#host.element.shadowRoot);
    if (item.state === 'working') this.#rows.get(item)?.scrollIntoView({ block: 'nearest' });
  }

  #fill(item: Item): void {
    const w = this.words;
    const { name, state, part, frames, csv, json, csvJson, error } = item;
    const { errors } = this.#host.strings;
    const done = frames ? `${w.done}, ${w.frames(frames)}` : w.done;
    const working = part === null ? w.working : w.percent(Math.floor(100 * part));
    const how = { waiting: w.waiting, working, done, failed: error ? errors[error.code] : '', cancelled: w.cancelled };
    const detail = error && make('p', 'detail', error.message);
    if (detail) Object.assign(detail, { lang: 'en', dir: 'ltr' });
    const row = this.#rows.get(item);
    if (row) row.hidden = item.inTable === true;
    const show = this.#button(name, w.show(name), () => this.#act.show(item));
    show.classList.add('name');
    const save = (content: Blob, extension: string, beside?: Blob | null) => () =>
      saveBoth(content, fileName(name, extension, '', this.#host.element), beside);
    this.#rows
      .get(item)
      ?.replaceChildren(
        ...[
          this.#running ? make('span', 'name', name) : show,
          make('span', state === 'failed' ? 'how bad' : 'how', how[state]),
          csv && this.#button(w.csv, w.csvOf(name), save(csv, 'csv', this.#beside ? csvJson : null)),
          json && this.#button(w.json, w.jsonOf(name), save(json, 'json')),
          detail,
        ].filter((child) => child !== null),
      );
  }

  get #running(): boolean {
    return this.#items.some(({ state }) => state === 'waiting' || state === 'working');
  }

  /** Builds the parts above and below the list. */
  #frame(): void {
    const w = this.words;
    const items = this.#items;
    const [head, , does] = this.element.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    const finished = items.filter(({ state }) => state === 'done' || state === 'failed').length;
    const failed = items.filter(({ state }) => state === 'failed').length;
    const bar = make('progress', '');
    bar.max = Math.max(1, items.length);
    bar.value = items.reduce((sum, { state, part }) => sum + (state === 'working' ? (part ?? 0) : 0), finished);
    bar.setAttribute('aria-label', w.title);
    const title = items.length ? w.counted(finished, items.length) + (failed ? ` · ${w.failed(failed)}` : '') : w.none;
    const exports = items.filter(isDone);
    const save = (extension: 'csv' | 'json', joined: () => Blob | Promise<Blob>, beside?: () => Blob | null) => () =>
      void Promise.resolve(joined()).then((all) =>
        saveBoth(all, fileName(exports[0]!.name, extension, 'all', this.#host.element), beside?.()),
      );
    const separator = this.#host.exportOptions.format === 'excel' ? ';' : ',';
    const running = this.#running;
    const key = JSON.stringify([title, running, exports.length, this.#language]);
    if (head.dataset.key === key) {
      head.querySelector('progress')!.value = bar.value;
      return;
    }
    head.dataset.key = key;
    const end = running
      ? this.#button(w.cancel, w.cancel, () => this.#act.cancel())
      : this.#button('✕', w.close, () => this.#act.close());
    head.replaceChildren(make('b', '', title), ...(running ? [bar] : []), end);
    does.replaceChildren(
      ...(running || exports.length < 2
        ? []
        : [
            this.#button(
              w.allCsv,
              '',
              save(
                'csv',
                () => joinedCsv(exports, separator),
                () => joinedJson(exports, 'csvJson'),
              ),
            ),
            this.#button(
              w.allJson,
              '',
              save('json', () => joinedJson(exports)),
            ),
          ]),
    );
  }

  /** Builds the offer to open the images as one recording. */
  #join(): HTMLElement {
    const w = this.words;
    const rate = make('input', '');
    Object.assign(rate, { type: 'number', min: '0.1', max: '1000', step: 'any', value: '30' });
    const label = make('label', '', `${w.rate} `);
    label.append(rate);
    const row = make('div', 'join');
    row.append(
      this.#button(w.join, '', () => rate.reportValidity() && this.#act.join(rate.valueAsNumber)),
      label,
    );
    return row;
  }

  #button(label: string, name: string, act: () => void): HTMLButtonElement {
    const button = make('button', '', label);
    button.type = 'button';
    button.setAttribute('part', 'button');
    if (name && name !== label) button.setAttribute('aria-label', name);
    button.addEventListener('click', act);
    return button;
  }
}
