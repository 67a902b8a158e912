/** What is drawn over a chart: how sure the tracker was, the cursor with its values. */
import type { Chart } from '../pupil/chart.ts';

/** From the first entry that is seen to the last. */
function* seen({ series, shown }: Chart): Generator<number> {
  const end = Math.min(series.end, series.since(shown[1]) + 1);
  for (let entry = Math.max(series.begin, series.since(shown[0]) - 1); entry < end; entry++) yield entry;
}

/** Over the whole height: 0 at the foot, 100 % at the top. */
export function drawConfidence(context: CanvasRenderingContext2D, chart: Chart): void {
  const { series, time, value, ratio, colors } = chart;
  context.strokeStyle = colors.muted;
  context.lineWidth = ratio;
  context.setLineDash([3 * ratio, 3 * ratio]);
  context.beginPath();
  let open = false;
  for (const entry of seen(chart)) {
    const confidence = series.confidence(entry);
    const known = !Number.isNaN(confidence);
    const [x, y] = [time.at(series.time(entry)), value.start + confidence * (value.end - value.start)];
    if (known && open) context.lineTo(x, y);
    else if (known) context.moveTo(x, y);
    open = known;
  }
  context.stroke();
  context.setLineDash([]);
  context.lineWidth = 1.75 * ratio;
}

/** A line at the sample, a dot on it, and its values beside. */
export function drawCursor(context: CanvasRenderingContext2D, chart: Chart, entry: number, figures: string[]): void {
  const { series, time, value, ratio, colors } = chart;
  const x = time.at(series.time(entry));
  const { start: bottom, end: top } = value;
  context.fillStyle = colors.muted;
  context.fillRect(Math.round(x), top, Math.max(1, Math.round(ratio)), bottom - top);
  const y = value.at(series.value(0, entry));
  if (!Number.isNaN(y)) {
    context.fillStyle = colors.line;
    context.beginPath();
    context.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
    context.fill();
  }
  const line = 15 * ratio;
  const width = Math.max(...figures.map((text) => context.measureText(text).width)) + 12 * ratio;
  const left = x + width + 8 * ratio < time.end ? x + 8 * ratio : Math.max(time.start, x - width - 8 * ratio);
  // Where it would lie over the curve it goes to the foot.
  const height = figures.length * line + 6 * ratio;
  const from = y < top + height + 6 * ratio ? bottom - height : top;
  context.fillStyle = colors.surface;
  context.globalAlpha = 0.8;
  context.fillRect(left, from, width, height);
  context.globalAlpha = 1;
  context.fillStyle = colors.text;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  figures.forEach((text, i) => context.fillText(text, left + 6 * ratio, from + 3 * ratio + (i + 0.5) * line));
}
