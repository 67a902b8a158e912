/** In the page of `bench chart pupil`: our chart as the bench drives both. */
import { Chart } from '../../../widget/tools/chart/chart.ts';
import { stringsFor } from '../../../widget/strings/index.ts';

export function ours(box: HTMLElement) {
  const chart = new Chart(box, 1, 'px', (work) => work());
  chart.strings = stringsFor('en');
  return {
    push: (time: number, value: number, blink: boolean) => {
      chart.push(1000 * time, [value], 0.9, 1000 * time);
      const span = { onset: 1000 * time, offset: 1000 * time, final: false };
      if (blink) chart.settle({ kind: 'blink', ...span, pupil: 0, eye: 'unknown' });
    },
    draw: () => chart.redraw(),
    canvas: chart.canvas,
  };
}
