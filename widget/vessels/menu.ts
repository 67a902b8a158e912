/** The forms in which a result of `<foveola-vessels>` can be saved. */
import type { ElementParts } from '../base/element-parts.ts';
import type { CsvOptions } from '../../src/index.ts';
import { download, fileName, saveFile } from '../base/page.ts';
import type { MenuItem } from '../base/toolbar.ts';
import type { VesselFrame } from './tracker.ts';

/** Options of a table. `recording`: one row per image of the last recording. */
export interface VesselExportOptions extends CsvOptions {
  recording?: boolean;
}

/** The exports of the element. */
interface VesselExports {
  exportMask(): Promise<Blob>;
  snapshot(): Promise<Blob>;
  exportCsv(options?: VesselExportOptions): Promise<string>;
  exportCsvJson(options?: VesselExportOptions): Promise<string>;
  exportJson(): Promise<string>;
  exportReport(): Promise<string>;
}

/** Saves the printable report. */
export function saveReport({ actions, host }: ElementParts<VesselFrame>, of: VesselExports): void {
  const save = async () => saveFile(host, await of.exportReport(), 'html', 'text/html', 'report');
  actions.attempt('The report', save);
}

/** `disabled`: reason why no result can be saved. */
export function vesselExports(
  parts: ElementParts<VesselFrame>,
  of: VesselExports,
  disabled: string | false,
): MenuItem[] {
  const { strings, recorder, actions, host } = parts;
  const { vessels: s } = strings;
  const item = (word: string, what: string, extension: string, make: () => Promise<string | Blob>, type?: string) => ({
    ...{ word, disabled },
    act: () => actions.attempt('The export', async () => saveFile(host, await make(), extension, type, what)),
  });
  /** A table with metadata lines has no JSON file next to it. */
  const described = host.exportOptions.format !== 'comments';
  const recording: MenuItem = {
    word: `${s.recordingCsv} (${recorder.exportedName})`,
    act: () =>
      parts.exports.start({
        ...{ what: 'recording', extension: 'csv', type: 'text/csv' },
        make: () => of.exportCsv({ recording: true }),
        ...(described && { beside: () => of.exportCsvJson({ recording: true }) }),
      }),
  };
  return [
    { word: s.correct.report, act: () => saveReport(parts, of), disabled },
    {
      ...{ word: s.segmentsCsv, disabled },
      act: () =>
        actions.attempt('The export', async () => {
          const name = fileName(host.shown.feed?.name ?? '', 'csv', 'segments', host.element);
          download(await of.exportCsv(), name, 'text/csv');
          if (described) download(await of.exportCsvJson(), `${name}.json`);
        }),
    },
    item(s.allJson, 'vessels', 'json', () => of.exportJson(), 'application/json'),
    item(s.overlayPng, 'overlay', 'png', () => of.snapshot()),
    item(s.maskPng, 'mask', 'png', () => of.exportMask()),
    ...(recorder.recording?.length ? [recording] : []),
  ];
}
