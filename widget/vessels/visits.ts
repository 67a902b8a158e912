/**
 * Several photographs: a table of their measures, and two visits side by side. Loaded with the first batch. Built from
 * DOM nodes, so that Lit is not loaded twice.
 */
import type { RetinalMeasures } from '../../src/index.ts';
import {
  alignVisits,
  csvLines,
  csvStart,
  inertJson,
  retinaRows,
  type Alignment,
  type RetinaRow,
  type VisitVessels,
} from '../../src/internal.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { download, fileName, make } from '../base/page.ts';
import { oneStop } from '../tools/panels/roving.ts';
import { inLanguage } from '../tools/words.ts';
import { drawVisit, pictureOf, thumbnailOf } from './visit-pictures.ts';
import type { VesselFrame } from './tracker.ts';
import { visitStyle } from './visits.style.ts';
import { visitWords } from './visits.words.ts';
import { scaled } from './figures.ts';

/** Columns of the table on screen. The file has all measures. */
const columns = ['vesselPercent', 'crae', 'crve', 'avr', 'tortuosity', 'fractalDimension', 'quality'];

/** A narrow table is laid out as blocks, which would cost it its roles in some browsers. */
const tableRoles = {
  ...{ table: 'table', 'thead, tbody': 'rowgroup', tr: 'row' },
  ...{ 'thead th': 'columnheader', 'tbody th': 'rowheader', td: 'cell' },
};

interface Photograph extends VisitVessels {
  readonly name: string;
  readonly file: File;
  readonly thumbnail: HTMLCanvasElement;
  readonly picture: Blob;
  /** Every measure, with lengths in pixels, and in micrometers if the scale is known. */
  readonly px: readonly RetinaRow[];
  readonly um: readonly RetinaRow[] | null;
}

/** The open photograph with its measures. */
export interface Measured {
  readonly frame: VesselFrame;
  readonly retina: RetinalMeasures;
  readonly media: HTMLElement;
}

export class Visits {
  readonly element = make('div', 'visits');
  readonly #parts: ElementParts<VesselFrame>;
  #photographs: Photograph[] = [];
  /** Indices of the two visits. -1: none. */
  #pair: [number, number] = [-1, -1];

  constructor(parts: ElementParts<VesselFrame>) {
    this.#parts = parts;
    parts.host.addStyle(visitStyle);
  }

  clear(): void {
    this.#photographs = [];
    this.#pair = [-1, -1];
    this.element.replaceChildren();
  }

  async add({ name, file }: { name: string; file: File }, { frame, retina, media }: Measured): Promise<void> {
    const { micrometresPerPixel } = retina;
    const { width, height, segments = [] } = frame;
    const picture = await pictureOf(media, width, height);
    const rows = (unit: 'px' | 'um') => retinaRows(scaled(frame, micrometresPerPixel), retina, unit);
    this.#photographs.push({
      ...{ name, file, width, height, segments, disc: retina.disc, fovea: retina.fovea, picture },
      ...{ thumbnail: thumbnailOf(media, width, height), px: rows('px'), um: micrometresPerPixel ? rows('um') : null },
    });
    const count = this.#photographs.length;
    this.#pair = count === 2 ? [0, 1] : [-1, -1];
    await this.show();
  }

  /** Builds everything in the language of the element. */
  async show(): Promise<void> {
    if (!this.#photographs.length) return;
    const comparison = await this.#comparison();
    const focused = this.#parts.host.element.shadowRoot?.activeElement?.getAttribute('name');
    this.element.replaceChildren(
      this.#table(),
      ...(this.#photographs.length > 1 ? [this.#choice(), ...comparison] : []),
    );
    if (focused) this.element.querySelector<HTMLElement>(`[name=${focused}]`)?.focus();
    oneStop(this.#parts.host.element.shadowRoot);
  }

  get #words() {
    return inLanguage(visitWords, this.#parts.strings);
  }

  #label({ name, measure }: RetinaRow): string {
    return this.#parts.strings.vessels.measures[name] ?? measure.display;
  }

  #value(value: number | null, { unit }: RetinaRow): HTMLElement {
    const text = make('bdi', '', value === null ? '–' : this.#parts.strings.number(value, unit.digits));
    text.dir = 'ltr';
    return make('td', '', text);
  }

  #head({ unit, ...row }: RetinaRow): HTMLElement {
    const cell = make('th', '', this.#label({ unit, ...row }), ' ', make('small', '', unit.text));
    cell.scope = 'col';
    return cell;
  }

  #table(): HTMLElement {
    const w = this.#words;
    const all = this.#photographs;
    const of = (photograph: Photograph) => (all.every(({ um }) => um) ? photograph.um! : photograph.px);
    const shown = (rows: readonly RetinaRow[]) => columns.map((name) => rows.find((row) => row.name === name)!);
    const head = make('tr', '', make('th', '', w.photograph), ...shown(of(all[0]!)).map((row) => this.#head(row)));
    const rows = all.map((photograph) => {
      const open = this.#button(
        photograph.name,
        () => this.#parts.source.open(photograph.file),
        w.show(photograph.name),
      );
      open.classList.add('name');
      const cell = make('th', '', make('div', 'row', photograph.thumbnail, open));
      cell.scope = 'row';
      const values = shown(of(photograph)).map((row) => this.#value(row.value, row));
      for (const [i, value] of values.entries()) value.dataset.name = head.cells[i + 1]!.textContent;
      return make('tr', '', cell, ...values);
    });
    const table = make('table', '', make('thead', '', head), make('tbody', '', ...rows));
    table.setAttribute('aria-label', w.table);
    for (const [selector, role] of Object.entries(tableRoles))
      for (const part of [table, ...table.querySelectorAll('*')])
        if (part.matches(selector)) part.setAttribute('role', role);
    const save = this.#button(w.csv, () => this.#saveTable(of));
    return make('div', 'visits', make('div', 'photographs', table), make('div', 'does', save));
  }

  #choice(): HTMLElement {
    const w = this.#words;
    const field = (k: 0 | 1) => {
      const list = make('select', '');
      list.name = `visit-${k + 1}`;
      list.append(
        ...[w.choose, ...this.#photographs.map(({ name }) => name)].map((text, i) => new Option(text, `${i - 1}`)),
      );
      list.value = `${this.#pair[k]}`;
      list.addEventListener('change', () => {
        this.#pair[k] = Number(list.value);
        this.#parts.actions.attempt('The comparison', () => this.show());
      });
      return make('label', '', w.visit(k + 1), list);
    };
    return make('div', 'choice', make('b', '', w.compare), field(0), field(1));
  }

  async #comparison(): Promise<HTMLElement[]> {
    const [first, second] = this.#pair.map((i) => this.#photographs[i]);
    if (!first || !second || first === second) return [];
    const w = this.#words;
    const { strings, settings } = this.#parts;
    const by = alignVisits(first, second);
    const said = make('p', by ? '' : 'bad', by ? this.#said(by) : w.unaligned);
    said.setAttribute('role', 'status');
    const color = typeof settings.given.color === 'string' ? settings.given.color : '#00d5ff';
    const figures = await Promise.all(
      [first, second].map(async (visit, k) => {
        const canvas = make('canvas', '');
        await drawVisit(canvas, visit, first, k ? by : null, color);
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', `${w.visit(k + 1)}, ${visit.name}. ${strings.vessels.stage}`);
        return make('figure', '', canvas, make('figcaption', '', `${w.visit(k + 1)}: ${visit.name}`));
      }),
    );
    return [said, make('div', 'pair', ...figures), ...this.#differences(first, second, by)];
  }

  #said({ a, b, share }: Alignment): string {
    const { number } = this.#parts.strings;
    const degrees = (180 / Math.PI) * Math.atan2(b, a);
    return this.#words.aligned(number(degrees, 1), number(Math.hypot(a, b), 3), number(100 * share));
  }

  /** Each measure at both visits, and the difference if they match. */
  #differences(first: Photograph, second: Photograph, by: Alignment | null): HTMLElement[] {
    const w = this.#words;
    const scale = first.um && second.um;
    const [before, after] = scale ? [first.um, second.um!] : [first.px, second.px];
    const rows = before.flatMap((row, i) => {
      const values = [row.value, after[i]!.value] as const;
      const difference = by && values[0] !== null && values[1] !== null ? values[1] - values[0] : null;
      // Places in a photograph say nothing about the retina.
      const none = row.measure.quantity === 'pixels' || values.every((value) => value === null);
      return none ? [] : [{ row, values, difference }];
    });
    const heads = [w.measure, w.visit(1), w.visit(2), ...(by ? [w.difference] : [])].map((text) => {
      const cell = make('th', '', text);
      cell.scope = 'col';
      return cell;
    });
    const body = rows.map(({ row, values, difference }) => {
      const name = make('th', '', this.#label(row), ' ', make('small', '', row.unit.text));
      name.scope = 'row';
      const cells = [...values, ...(by ? [difference] : [])].map((value) => this.#value(value, row));
      return make('tr', '', name, ...cells);
    });
    const table = make('table', '', make('thead', '', make('tr', '', ...heads)), make('tbody', '', ...body));
    table.setAttribute('aria-label', w.compare);
    const save = this.#button(w.differences, () => {
      const lines = rows.map(({ row, values, difference }) => [
        ...[row.name, row.unit.text, ...values],
        difference === null ? null : Number(difference.toFixed(row.unit.digits)),
      ]);
      const about = { visit1: first.name, visit2: second.name, alignment: by };
      this.#save(['measure', 'unit', 'visit1', 'visit2', 'difference'], lines, about, first.name, 'differences');
    });
    return [
      ...(scale ? [] : [make('p', '', w.pixels)]),
      make('div', 'differences', table),
      ...(by ? [make('div', 'does', save)] : []),
    ];
  }

  #saveTable(of: (photograph: Photograph) => readonly RetinaRow[]): void {
    const all = this.#photographs;
    const rows = of(all[0]!);
    const unit = rows.find(({ name }) => name === 'crae')!.unit.ucum === 'um' ? 'um' : 'px';
    const names = ['file', 'lengthUnit', ...rows.map(({ name }) => name)];
    const lines = all.map((one) => [one.name, unit, ...of(one).map(({ value }) => value)]);
    const about = {
      columns: rows.map(({ name, measure, unit: own }) => ({
        name,
        ...(own.text && { unit: own.text }),
        description: `${measure.display}. ${measure.definition}`,
      })),
    };
    this.#save(names, lines, about, all[0]!.name, 'measures');
  }

  /** A table, and a JSON file next to it that describes it. */
  #save(
    names: readonly string[],
    lines: readonly (readonly (string | number | null)[])[],
    about: object,
    source: string,
    what: string,
  ): void {
    const { host } = this.#parts;
    const { format = 'plain' } = host.exportOptions;
    const table = format === 'excel' || format === 'comments' ? format : 'plain';
    const name = fileName(source, 'csv', what, host.element);
    const text =
      csvStart(names, table, () => [`about: ${inertJson(about)}`]) +
      csvLines(
        lines.map((l) => [...l]),
        table,
      );
    download(text, name, 'text/csv');
    download(`${JSON.stringify(about, null, 2)}\n`, `${name}.json`);
  }

  #button(label: string, act: () => void, name = ''): HTMLButtonElement {
    const button = make('button', '', label);
    button.type = 'button';
    button.setAttribute('part', 'button');
    if (name) button.setAttribute('aria-label', name);
    button.addEventListener('click', act);
    return button;
  }
}
