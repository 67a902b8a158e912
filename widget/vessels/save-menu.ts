/** What can be saved of a result, as a menu. */
import type { TemplateResult } from 'lit';
import { saveFile } from '../parts/download.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import { Menu, type MenuItem } from './menu.ts';
import type { VesselFrame } from './tracker.ts';

/** The exports of the element. */
export interface VesselExports {
  exportMask(): Promise<Blob>;
  snapshot(): Promise<Blob>;
  exportCsv(options?: { recording?: boolean }): Promise<string>;
  exportJson(): Promise<string>;
  exportReport(): Promise<string>;
}

export class SaveMenu {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #exports: VesselExports;
  readonly #menu: Menu;

  constructor(parts: ElementParts<VesselFrame>, exports: VesselExports) {
    this.#parts = parts;
    this.#exports = exports;
    const { element } = parts.host;
    this.#menu = new Menu(() => (element.requestUpdate(), element.updateComplete));
  }

  /** `disabled`: why there is no result to be saved. */
  render(disabled: string | false): TemplateResult {
    const { strings, recorder } = this.#parts;
    const { vessels: s } = strings;
    const of = this.#exports;
    const items: MenuItem[] = [
      { name: 'mask', word: s.maskPng, act: () => this.#save('mask', 'png', () => of.exportMask()) },
      { name: 'overlay', word: s.overlayPng, act: () => this.#save('overlay', 'png', () => of.snapshot()) },
      {
        name: 'csv',
        word: s.segmentsCsv,
        act: () => this.#save('segments', 'csv', () => of.exportCsv(), 'text/csv'),
      },
      {
        name: 'json',
        word: s.allJson,
        act: () => this.#save('vessels', 'json', () => of.exportJson(), 'application/json'),
      },
      {
        name: 'report',
        word: s.correct.report,
        act: () => this.#save('report', 'html', () => of.exportReport(), 'text/html'),
      },
    ].map((item) => ({ ...item, disabled }));
    if (recorder.recording?.length)
      items.push({
        name: 'recording',
        word: `${s.recordingCsv} (${recorder.exportedName})`,
        act: () =>
          this.#parts.exports.start({
            ...{ what: 'recording', extension: 'csv', type: 'text/csv' },
            make: () => of.exportCsv({ recording: true }),
          }),
      });
    return this.#menu.template('download', s.saveLong, s.save, items);
  }

  #save(what: string, extension: string, make: () => Promise<string | Blob>, type?: string): void {
    const { actions, host } = this.#parts;
    actions.attempt('The export', async () => saveFile(host, await make(), extension, type, what));
  }
}
