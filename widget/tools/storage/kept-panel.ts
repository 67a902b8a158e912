/**
 * The note about saved recordings and how to delete them, and their list. Built from DOM nodes, so that Lit is not
 * loaded twice.
 */
import type { NumberFormat } from '../../strings/index.ts';
import type { Host } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';
import { make } from '../../base/page.ts';
import { keptWords, type KeptWords } from '../words.ts';
import type { KeptRecording } from './keeping.ts';

const style = `
  .kept { display: grid; gap: 8px; padding: 12px 14px; border-top: 1px solid var(--_border); background: var(--_surface); }
  .kept p, .kept ul { margin: 0; padding: 0; }
  .kept .title { font-weight: 600; }
  .kept .more { color: var(--_muted); font-size: 13px; }
  .kept .refused { color: var(--_danger); }
  .kept ul { display: grid; gap: 4px; list-style: none; max-height: 220px; overflow: auto; }
  .kept li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; }
  .kept li span { flex: 1 1 220px; }
  .kept button { border-color: var(--_border); }
  .kept button.danger { color: var(--_danger); }
  .kept .does { display: flex; flex-wrap: wrap; gap: 8px; }
`;

export interface PanelModel {
  agreed: boolean;
  sealed: boolean;
  /** Why the current recording is not saved, or not completely. */
  refused: 'full' | 'failed' | null;
  recordings: readonly KeptRecording[];
}

export interface PanelActions {
  keep(): Promise<void>;
  withdraw(): Promise<void>;
  failed(error: unknown): void;
}

export class KeptPanel<R extends AnyResult> {
  readonly element = make('section', 'kept');
  readonly #host: Host<R>;
  readonly #act: PanelActions;
  #words: KeptWords = keptWords.en;
  #number: NumberFormat | null = null;
  #model: PanelModel = { agreed: false, sealed: false, refused: null, recordings: [] };

  constructor(host: Host<R>, act: PanelActions) {
    this.#host = host;
    this.#act = act;
    this.element.setAttribute('part', 'kept');
    this.element.tabIndex = -1;
    host.addStyle(style);
  }

  language(words: KeptWords, number: NumberFormat): void {
    if (words === this.#words && number === this.#number) return;
    this.#words = words;
    this.#number = number;
    this.#render();
  }

  show(model: PanelModel): void {
    this.#model = model;
    this.#render();
  }

  #render(): void {
    const w = this.#words;
    const { agreed, sealed, refused, recordings } = this.#model;
    const within = this.element.contains((this.element.getRootNode() as ShadowRoot).activeElement);
    this.element.setAttribute('aria-label', w.title);
    const refusal = refused ? make('p', 'refused', w[refused]) : null;
    refusal?.setAttribute('role', 'status');
    const list = recordings.length ? make('ul', '', ...recordings.map((one) => this.#item(one))) : null;
    list?.setAttribute('aria-label', w.kept(recordings.length));
    const does = make('div', 'does');
    if (!agreed) does.append(this.#button(w.keep, '', () => this.#act.keep()));
    if (agreed || recordings.length) does.append(this.#danger(w.forget, null, () => this.#act.withdraw()));
    this.element.replaceChildren(
      make('p', 'title', agreed ? w.keeping : w.ask),
      make('p', 'more', sealed ? `${w.what} ${w.sealed}` : w.what),
      ...(refusal ? [refusal] : []),
      ...(list ? [list] : []),
      does,
    );
    if (within) this.element.focus();
  }

  #item(one: KeptRecording): HTMLLIElement {
    const w = this.#words;
    const { language } = this.#host.strings;
    const when = Number.isNaN(one.started.getTime())
      ? one.name
      : one.started.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });
    const size = w.megabytes(this.#number?.(one.bytes / 1e6, one.bytes < 1e6 ? 2 : 1) ?? String(one.bytes / 1e6));
    const options = () => this.#host.exportOptions;
    return make(
      'li',
      '',
      make('span', '', [when, size, ...(one.ended ? [] : [w.interrupted])].join(', ')),
      this.#button(w.csv, w.csvOf(when), () => one.save('csv', options())),
      this.#button(w.json, w.jsonOf(when), () => one.save('json', options())),
      this.#danger(w.remove, w.removeOf(when), () => one.remove()),
    );
  }

  #button(label: string, name: string, work: () => Promise<unknown>): HTMLButtonElement {
    const button = make('button', '', label);
    button.type = 'button';
    button.setAttribute('part', 'button');
    if (name) button.setAttribute('aria-label', name);
    button.addEventListener('click', () => {
      work().catch((error) => this.#act.failed(error));
    });
    return button;
  }

  /** A button that asks for confirmation, since deleted recordings cannot be restored. */
  #danger(label: string, name: string | null, work: () => Promise<unknown>): HTMLButtonElement {
    let sure = false;
    const button = this.#button(label, name ?? '', () => (sure ? work() : ask(true)));
    const ask = async (on: boolean) => {
      sure = on;
      button.textContent = on ? this.#words.sure : label;
      if (on || name) button.setAttribute('aria-label', on ? `${name ?? label}. ${this.#words.sure}` : name!);
      else button.removeAttribute('aria-label');
    };
    button.classList.add('danger');
    button.addEventListener('blur', () => void ask(false));
    return button;
  }
}
