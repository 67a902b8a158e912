import { encodePng, type GrayImage, Recording } from '../../node/index.ts';
import { columnsOf, type Analysis, type Outcome } from './analysis.ts';

// A gray image as PNG.

const png = async (image: GrayImage): Promise<Uint8Array> =>
  new Uint8Array(await (await encodePng({ ...image, channels: 1 })).arrayBuffer());

const methods = { canny: 'canny', lines: 'houghLines', circles: 'houghCircles' } as const;
const lineColumns = columnsOf(
  ['rho', 3, 'px'],
  ['theta', 6, 'rad'],
  ['votes'],
  ['x1', 2, 'px'],
  ['y1', 2, 'px'],
  ['x2', 2, 'px'],
  ['y2', 2, 'px'],
);
const circleColumns = columnsOf(['x', 2, 'px'], ['y', 2, 'px'], ['r', 2, 'px'], ['votes']);

export const edges: Analysis = {
  help: 'edges of images as PNG (Canny), or lines or circles as a table (--operation canny, lines or circles)',
  takes: ['image'],
  method: ({ operation = 'canny' }) => methods[operation],
  async run({ engine, input, parameters, options: { operation = 'canny' }, write, signal, onFrame }) {
    if (input.kind !== 'image') throw new TypeError('edges needs images');
    const { image } = input.file;
    const tables: Outcome['tables'] = {};
    const summary: Record<string, number> = {};
    const given = { ...parameters, signal };
    if (operation === 'canny') {
      const found: GrayImage = await engine.canny(image, given);
      await write('edges.png', await png(found));
      summary['share'] = found.data.reduce((sum, value) => sum + value, 0) / 255 / found.data.length;
    } else {
      const recording = new Recording(operation === 'lines' ? lineColumns : circleColumns);
      const rows =
        operation === 'lines' ? await engine.houghLines(image, given) : await engine.houghCircles(image, given);
      for (const row of rows as unknown as Record<string, number>[])
        recording.push(recording.columns.map(({ name }) => row[name] ?? NaN));
      tables[operation] = { recording };
      summary[operation] = recording.length;
    }
    onFrame(1);
    const { width, height } = image;
    return { ...{ width, height, frames: 1, lastMediaTime: null, tables, summary } };
  },
};
