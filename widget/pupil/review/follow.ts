/** What follows from corrected rows: the chart, and the shares in the summary. */
import type { Recording } from '../../../src/index.ts';
import type { Chart } from '../../tools/chart/chart.ts';

function columnsOf(recording: Recording): (row: number, name: string) => number {
  const columns = new Map(recording.columns.map(({ name }, column) => [name, column]));
  return (row, name) => recording.at(row, columns.get(name)!);
}

/** Draws the rows of a pupil again. View and markers stay. */
export function refill(chart: Chart, recording: Recording, pupil: number): void {
  const { view, marks } = chart;
  const at = columnsOf(recording);
  chart.clear();
  for (let row = 0; row < recording.length; row++) {
    if (at(row, 'pupil') !== pupil) continue;
    const value = at(row, chart.unit === 'mm' ? 'diameterMm' : 'diameter');
    chart.push(at(row, 'timestamp'), [value], at(row, 'confidence'), at(row, 'mediaTime'));
  }
  for (const event of recording.events.of(pupil)) chart.settle(event);
  chart.showAll();
  chart.view = view;
  chart.marks = marks;
}

/** Number of frames with a pupil, and of frames with a doubtful one. */
export function shares(recording: Recording, minConfidence: number): { found: number; doubtful: number } {
  const at = columnsOf(recording);
  const found = new Set<number>();
  const doubtful = new Set<number>();
  for (let row = 0; row < recording.length; row++) {
    if (!at(row, 'found')) continue;
    found.add(at(row, 'frame'));
    if (at(row, 'confidence') < minConfidence) doubtful.add(at(row, 'frame'));
  }
  return { found: found.size, doubtful: doubtful.size };
}
