/** In the page of `bench chart pupil`: our chart as the bench drives both. */
import { Chart } from '../../../widget/pupil/chart.ts';

export function ours(box: HTMLElement) {
  const chart = new Chart(box, 1, 'px', (work) => work());
  chart.number = (value, digits) => value.toFixed(digits);
  return {
    push: (time: number, value: number, blink: boolean) => chart.push(1000 * time, [value], blink, 0.9, 1000 * time),
    draw: () => chart.redraw(),
    canvas: chart.canvas,
  };
}
