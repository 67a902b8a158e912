/** Handles pointer input on a chart, and draws the tracker's confidence and the cursor with its values over it. */
import type { Chart } from '../chart/chart.ts';
import type { EyeEventKind } from '../../../src/index.ts';

// Pointer input on a chart: pointing, clicking, dragging, the wheel, two fingers.

interface ChartGestures {
  /** Position of the pointer, in CSS pixels from the left of the canvas. Null: it has left. */
  point(x: number | null): void;
  click(x: number): void;
  /** Pixels to the right since the last call. */
  drag(by: number): void;
  /** `share`: new time span relative to the current one, zoomed about this position. */
  zoom(share: number, x: number): void;
}

/** Maximum movement of a finger in pixels that still counts as a click. */
const still = 4;

/** Returns a function that stops it. */
export function followPointers(canvas: HTMLCanvasElement, act: ChartGestures): () => void {
  const events = new AbortController();
  const { signal } = events;
  const down = new Map<number, number>();
  let begun = 0;
  let moving = false;
  const x = ({ clientX }: MouseEvent) => clientX - canvas.getBoundingClientRect().left;
  const spread = () => Math.abs([...down.values()].reduce((a, b) => a - b));
  canvas.style.touchAction = 'pan-y';
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, (begun = x(event)));
      moving = down.size > 1;
    },
    { signal },
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const at = x(event);
      const before = down.get(event.pointerId);
      if (before === undefined) return act.point(at);
      if (down.size > 1) {
        const wide = spread();
        down.set(event.pointerId, at);
        const now = spread();
        if (wide > 0 && now > 0) act.zoom(wide / now, [...down.values()].reduce((a, b) => a + b) / 2);
        return;
      }
      moving ||= Math.abs(at - begun) > still;
      down.set(event.pointerId, at);
      if (moving) act.drag(at - before);
      act.point(at);
    },
    { signal },
  );
  const up = (event: PointerEvent) => {
    const clicked = down.delete(event.pointerId) && !moving && event.type === 'pointerup';
    if (clicked) act.click(x(event));
  };
  canvas.addEventListener('pointerup', up, { signal });
  canvas.addEventListener('pointercancel', up, { signal });
  canvas.addEventListener('pointerleave', () => down.size || act.point(null), { signal });
  canvas.addEventListener(
    'wheel',
    (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const focused = (canvas.getRootNode() as ShadowRoot).activeElement === canvas;
      // The page scrolls over a chart without focus. Two fingers on a touchpad arrive with Ctrl.
      if (!sideways && !event.ctrlKey && !focused) return;
      event.preventDefault();
      if (sideways) act.drag(-event.deltaX);
      else act.zoom(1.002 ** event.deltaY, x(event));
    },
    { signal, passive: false },
  );
  return () => events.abort();
}

// Draws over a chart: the tracker's confidence, and the cursor with its values.

// Exports charts as a PNG, alone or below the image.

/** Margin around each chart in CSS pixels. */
const margin = 8;

/** `picture`: the displayed image with its overlay. Null: only the charts. */
export function chartPicture(charts: readonly Chart[], picture: HTMLCanvasElement | null): Promise<Blob | null> {
  const parts = charts.map(({ canvas }) => canvas);
  const ratio = charts[0]!.ratio || devicePixelRatio;
  const width = Math.max(...parts.map((part) => part.width));
  // The image gets the width of the charts. Otherwise their text would be too small or too large next to it.
  const high = picture ? Math.round((width * picture.height) / picture.width) : 0;
  const gap = Math.round(margin * ratio);
  const canvas = document.createElement('canvas');
  canvas.width = width + 2 * gap;
  canvas.height = high + parts.reduce((sum, part) => sum + part.height + gap, gap);
  const context = canvas.getContext('2d')!;
  context.fillStyle = charts[0]!.colors.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (picture) context.drawImage(picture, gap, gap, width, high);
  let top = high + gap;
  for (const part of parts) {
    context.drawImage(part, gap, top);
    top += part.height + gap;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

// The visible time span of charts: zoomed about a position, moved, and kept within the available data.

export type View = readonly [from: number, to: number];

/** Minimum time span in seconds. */
const least = 0.05;

/** `share`: new time span relative to the current one, zoomed about `at`. */
export function zoomed([from, to]: View, share: number, at: number, [begin, end]: View): View {
  const width = Math.min(Math.max(least, (to - from) * share), Math.max(least, end - begin));
  const left = at - ((at - from) / (to - from)) * width;
  return within([left, left + width], [begin, end]);
}

/** Returns the view moved by `by` seconds. */
export const moved = ([from, to]: View, by: number, whole: View): View => within([from + by, to + by], whole);

function within([from, to]: View, [begin, end]: View): View {
  const back = Math.max(0, to - Math.max(end, begin + to - from));
  const on = Math.max(0, begin - (from - back));
  return [from - back + on, to - back + on];
}

// Chart data as text: one sample, and a table of the visible part.

/** A curve of a chart. */
interface Curve {
  readonly chart: Chart;
  readonly line: number;
  /** Empty if the chart has only one. */
  readonly name: string;
}

export const curvesOf = (charts: readonly Chart[]): Curve[] =>
  charts.flatMap((chart) =>
    Array.from({ length: chart.series.lines }, (_, line) => ({ chart, line, name: chart.names[line] ?? '' })),
  );

/** Charts whose confidence differs: one per eye. Charts with named curves are of one object. */
export const sureCharts = (charts: readonly Chart[]): readonly Chart[] =>
  charts.some(({ names }) => names.length) ? charts.slice(0, 1) : charts;

/** One sample of each chart. */
export interface Sample {
  seconds: number;
  /** One per curve. NaN if nothing was found. */
  values: number[];
  /** One per chart of `sureCharts`. */
  confidences: number[];
  /** Event at this sample, per chart. */
  events: (EyeEventKind | null)[];
  /** NaN if no recording is open. */
  mediaTime: number;
  marks: string[];
}

/** Entry nearest to this time. -1 if the series is empty. */
export function nearest({ series }: Chart, seconds: number): number {
  const after = series.since(seconds);
  if (series.begin === series.end) return -1;
  if (after === series.begin) return after;
  if (after === series.end || seconds - series.time(after - 1) < series.time(after) - seconds) return after - 1;
  return after;
}

/** Sample of all charts, which share their times. */
export function sampleOf(charts: readonly Chart[], entry: number): Sample {
  const { series, marks } = charts[0]!;
  const seconds = series.time(entry);
  const before = entry > series.begin ? series.time(entry - 1) : -Infinity;
  return {
    seconds,
    values: curvesOf(charts).map(({ chart, line }) => chart.series.value(line, entry)),
    confidences: sureCharts(charts).map((chart) => chart.series.confidence(entry)),
    events: sureCharts(charts).map((chart) => chart.eventAt(seconds)),
    mediaTime: series.mediaTime(entry),
    marks: marks.filter((mark) => mark.seconds > before && mark.seconds <= seconds).map(({ label }) => label),
  };
}

/** All visible samples. `most`: maximum number, evenly thinned. */
export function samplesShown(charts: readonly Chart[], most = Infinity): Sample[] {
  const [first] = charts;
  if (!first) return [];
  const [from, to] = first.shown;
  const [begin, end] = [first.series.since(from), first.series.since(to + 1e-9)];
  const stride = Math.max(1, Math.ceil((end - begin) / most));
  const samples: Sample[] = [];
  for (let entry = begin; entry < end; entry += stride) samples.push(sampleOf(charts, entry));
  return samples;
}

/** A label that begins like a formula is escaped. */
const asText = (label: string) => label.replace(/[\t\r\n]/g, ' ').replace(/^[=+\-@]/, "'$&");

/** For spreadsheets: tab-separated, with a decimal point in every language. */
export function tabbed(samples: readonly Sample[], charts: readonly Chart[]): string {
  const sure = sureCharts(charts);
  const of = (what: string, chart: Chart) => {
    const own = chart.eye === 'unknown' ? String(sure.indexOf(chart) + 1) : chart.eye;
    return sure.length > 1 || chart.eye !== 'unknown' ? `${what} ${own}` : what;
  };
  const head = [
    'time s',
    ...curvesOf(charts).map(({ chart, name }) => `${name || of('diameter', chart)} ${chart.unit}`),
    ...sure.map((chart) => of('confidence', chart)),
    ...sure.map((chart) => of('event', chart)),
    ...['marker', 'media time ms'],
  ];
  const cell = (value: number, digits: number) => (Number.isFinite(value) ? value.toFixed(digits) : '');
  const rows = samples.map(({ seconds, values, confidences, events, marks, mediaTime }) => [
    ...[seconds.toFixed(4), ...values.map((v) => cell(v, 4)), ...confidences.map((v) => cell(v, 4))],
    ...[...events.map((event) => event ?? ''), asText(marks.join(' ')), cell(mediaTime, 3)],
  ]);
  return [head, ...rows].map((row) => row.join('\t')).join('\n');
}

/** A string, since the lazily loaded file creates the style sheet. */
export const chartStyle = `
  .chart canvas { cursor: crosshair; }
  .chart-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 2px; padding-left: 36px; }
  .chart-bar button { font-weight: 600; }
  .chart-bar button[hidden] { display: none; }
  .chart-bar details { margin-inline-start: auto; }
  .chart-bar details[open] { flex-basis: 100%; }
  .chart-bar summary { min-height: 38px; padding: 8px 9px; color: var(--_muted); font-size: 13px; cursor: pointer; }
  .chart-bar .rows { max-height: 260px; overflow: auto; }
  .chart-bar table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
  .chart-bar th, .chart-bar td { padding: 2px 8px; border-top: 1px solid var(--_border); text-align: end; }
  .chart-bar th { color: var(--_muted); font-weight: 500; }
`;

/** Yields the entries from the first visible one to the last. */
function* seen({ series, shown }: Chart): Generator<number> {
  const end = Math.min(series.end, series.since(shown[1]) + 1);
  for (let entry = Math.max(series.begin, series.since(shown[0]) - 1); entry < end; entry++) yield entry;
}

/** Draws confidence over the full height: 0 at the bottom, 100 % at the top. */
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

/** Draws a line at the sample, a dot on it, and its values next to it. */
export function drawCursor(context: CanvasRenderingContext2D, chart: Chart, entry: number, figures: string[]): void {
  const { series, time, value, ratio, colors } = chart;
  const x = time.at(series.time(entry));
  const { start: bottom, end: top } = value;
  context.fillStyle = colors.muted;
  context.fillRect(Math.round(x), top, Math.max(1, Math.round(ratio)), bottom - top);
  const places = Array.from({ length: series.lines }, (_, line) => value.at(series.value(line, entry)));
  const known = places.filter((y) => !Number.isNaN(y));
  context.fillStyle = colors.line;
  for (const y of known) {
    context.beginPath();
    context.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
    context.fill();
  }
  const line = 15 * ratio;
  const width = Math.max(...figures.map((text) => context.measureText(text).width)) + 12 * ratio;
  const left = x + width + 8 * ratio < time.end ? x + 8 * ratio : Math.max(time.start, x - width - 8 * ratio);
  // If the label would cover the curve, it moves to the bottom.
  const height = figures.length * line + 6 * ratio;
  const from = Math.min(...known) < top + height + 6 * ratio ? bottom - height : top;
  context.fillStyle = colors.surface;
  context.globalAlpha = 0.8;
  context.fillRect(left, from, width, height);
  context.globalAlpha = 1;
  context.fillStyle = colors.text;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  figures.forEach((text, i) => context.fillText(text, left + 6 * ratio, from + 3 * ratio + (i + 0.5) * line));
}
