/** Templates of `<foveola-filter>`: lists of filters and views, brush and filling. */
import { clocks, type Column, type FrameTiming, type GrayImage } from '../../src/index.ts';
import { backendCell, backendColumn, withFrame } from '../../src/internal.ts';
import type { Strings } from '../strings/index.ts';
import { type FilterOperation, type FilterResult, isOwn, type OwnOperation } from './tracker.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { clearIcon, eraserIcon, fileIcon } from '../base/icons.ts';
import { button, spelledOut, titleOf } from '../base/views.ts';

// Filter results as rows of a recording (one row per frame, or per line) and as text.

const first: readonly Column[] = [
  { name: 'frame', type: 'number' },
  { name: 'timestamp', type: 'number', digits: 3, unit: 'ms' },
  { name: 'clock', type: 'choice', values: clocks },
  { name: 'mediaTime', type: 'number', digits: 3, unit: 'ms' },
];
const last: readonly Column[] = [
  { name: 'dropped', type: 'number' },
  { name: 'throttled', type: 'number' },
  backendColumn,
];
const own: Readonly<Record<OwnOperation, readonly Column[]>> = {
  canny: [{ name: 'edgePixels', type: 'number' }],
  hough: [
    { name: 'line', type: 'number' },
    { name: 'rho', type: 'number', digits: 3, unit: 'px' },
    { name: 'theta', type: 'number', digits: 5, unit: 'rad' },
    { name: 'votes', type: 'number' },
    ...['x1', 'y1', 'x2', 'y2'].map((name): Column => ({ name, type: 'number', digits: 2, unit: 'px' })),
  ],
  flow: [
    { name: 'measured', type: 'number', digits: 4 },
    { name: 'meanU', type: 'number', digits: 4, unit: 'px' },
    { name: 'meanV', type: 'number', digits: 4, unit: 'px' },
    { name: 'meanSpeed', type: 'number', digits: 4, unit: 'px' },
    { name: 'iterations', type: 'number' },
  ],
  inpaint: [],
};
/** Columns of every filter that returns an image. */
const ofImage: readonly Column[] = [{ name: 'meanLevel', type: 'number', digits: 3, unit: 'gray levels' }];

/** `two`: each frame has rows for two settings. */
export const filterColumns = (operation: FilterOperation, two = false): readonly Column[] => [
  ...first,
  ...(two ? [{ name: 'settings', type: 'choice', values: ['A', 'B'] } as const] : []),
  ...(isOwn(operation) ? own[operation] : ofImage),
  ...last,
];

const edgePixels = ({ edges }: Pick<FilterResult, 'edges'>): number =>
  edges ? edges.data.reduce((sum, v) => sum + (v ? 1 : 0), 0) : NaN;

function meanLevel({ data }: GrayImage): number {
  let sum = 0;
  for (const level of data) sum += level;
  return sum / data.length;
}

/** Fraction of measured pixels, and their mean motion. */
function meanFlow({ flow }: Pick<FilterResult, 'flow'>): [measured: number, u: number, v: number, speed: number] {
  if (!flow) return [NaN, NaN, NaN, NaN];
  let [n, u, v, speed] = [0, 0, 0, 0];
  for (let i = 0; i < flow.u.length; i++) {
    if (!flow.valid[i]) continue;
    n++;
    u += flow.u[i]!;
    v += flow.v[i]!;
    speed += Math.hypot(flow.u[i]!, flow.v[i]!);
  }
  return [n / flow.u.length, u / n, v / n, speed / n];
}

function values(result: FilterResult): number[][] {
  if (result.image) return [[meanLevel(result.image)]];
  if (result.operation === 'canny') return [[edgePixels(result)]];
  if (result.operation === 'hough')
    return (result.lines ?? []).map(({ rho, theta, votes, x1, y1, x2, y2 }, i) => [
      ...[i, rho, theta, votes],
      ...[x1, y1, x2, y2].map((v) => v ?? NaN),
    ]);
  return result.operation === 'flow' && result.flow ? [[...meanFlow(result), result.iterations ?? NaN]] : [];
}

/** Rows of one result. `side`: number of its settings, if there are two. */
function rowsOf(result: FilterResult, timing: FrameTiming, side?: number): number[][] {
  const { frame, timestamp, clock, mediaTime, dropped, throttled } = timing;
  const before = [frame, timestamp, clocks.indexOf(clock), mediaTime, ...(side === undefined ? [] : [side])];
  const ofBackend = backendCell(result.backend);
  const rows = values(result).map((row) => [...before, ...row, dropped, throttled, ofBackend]);
  const columns = filterColumns(result.operation, side !== undefined);
  return withFrame(rows, columns, timing, { backend: ofBackend, ...(side === undefined ? {} : { settings: side }) });
}

/**
 * If nothing is found (no line, or no motion in the first frame), the frame has one row without a line, or one row per
 * settings.
 */
export function filterRows(result: FilterResult, timing: FrameTiming): number[][] {
  const { resultB } = result;
  return resultB ? [...rowsOf(result, timing, 0), ...rowsOf(resultB, timing, 1)] : rowsOf(result, timing);
}

/** Small numbers get one decimal. */
const short = (s: Strings, value: number) => s.number(value, value < 10 ? 1 : 0);

/** Summary of the result as text. Empty if nothing was found. */
function found(strings: Strings, { edges, lines, flow, image }: FilterResult): string {
  const { filter: s } = strings;
  if (edges) return s.edgeShare(strings.number((100 * edgePixels({ edges })) / edges.data.length, 1));
  if (lines) return s.lineCount(lines.length);
  if (image) return s.meanLevel(strings.number(meanLevel(image), 1));
  return flow ? s.meanMotion(strings.number(meanFlow({ flow })[3], 2)) : '';
}

/** Returns `11.6 % edges · 5.2 ms · Dropped 3`, or with two settings `A: 11.6 % edges · B: 9.1 % edges · 5.2 ms`. */
export function filterFigures(
  strings: Strings,
  result: FilterResult,
  source: { readonly moving: boolean; readonly dropped: number } | null,
): string {
  const { operation, resultB } = result;
  const { filter: s } = strings;
  const first = found(strings, result);
  if (!first) return operation === 'flow' && !source?.moving ? s.flowNeedsVideo : '';
  const both = resultB ? [`A: ${first}`, `B: ${found(strings, resultB)}`] : [first];
  const time = s.milliseconds(short(strings, Math.max(result.milliseconds, resultB?.milliseconds ?? 0)));
  return [...both, time, ...(source?.dropped ? [`${strings.dropped} ${source.dropped}`] : [])].join(' · ');
}

/** Menu of the filters that do not fit into the switch. */
export const moreSelect = (
  { filter: s, choosePreset }: Strings,
  names: readonly string[],
  chosen: string,
  set: (operation: string) => void,
): TemplateResult =>
  html`<label
    >${s.moreOperations}
    <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
      ${names.includes(chosen) ? nothing : html`<option value="" selected>${choosePreset}</option>`}
      ${names.map(
        (name) =>
          html`<option value=${name} .selected=${name === chosen}>
            ${(s.operations as Record<string, string | undefined>)[name] ?? spelledOut(name)}
          </option>`,
      )}
    </select></label
  >`;

const flowViews = ['both', 'colors', 'arrows'] as const;
type FlowView = (typeof flowViews)[number];

/** Menu of flow views. */
export const flowSelect = ({ filter: s }: Strings, shown: FlowView, set: (view: FlowView) => void): TemplateResult =>
  html`<label
    >${s.flowView}
    <select @change=${(event: Event) => set((event.target as HTMLSelectElement).value as FlowView)}>
      ${flowViews.map((view) => html`<option value=${view} .selected=${view === shown}>${s.flowViews[view]}</option>`)}
    </select></label
  >`;

interface BrushModel {
  radius: number;
  erase: boolean;
  painted: boolean;
  filling: boolean;
  done: number;
  patches: number;
  /** Reason why painting is not possible. False if it is. */
  unready: string | false;
}

interface BrushActions {
  radius(radius: number): void;
  erase(): void;
  clear(): void;
  mask(): void;
  fill(): void;
  cancel(): void;
}

export function brushBar(strings: Strings, model: BrushModel, act: BrushActions, save: TemplateResult): TemplateResult {
  const { filter: s } = strings;
  const noMask = model.unready || (!model.painted && strings.why.noMask);
  const percent = Math.round(100 * model.done);
  if (model.filling)
    return html`<progress max="100" .value=${percent} aria-label=${s.filling}></progress>
      <span class="figures"><bdi>${s.progress(percent, model.patches)}</bdi></span>
      <button type="button" part="button" class="bordered" @click=${act.cancel}>${s.cancel}</button>`;
  return html`<label
      >${s.brushSize}
      <input
        type="range"
        min="1"
        max="100"
        .value=${String(model.radius)}
        ?disabled=${!!model.unready}
        title=${model.unready ? titleOf(s.brushSize, { disabled: model.unready }) : nothing}
        aria-valuetext=${s.pixels(2 * model.radius)}
        @input=${(event: Event) => act.radius((event.target as HTMLInputElement).valueAsNumber)}
    /></label>
    <div class="group" role="toolbar" aria-label=${s.operations.inpaint}>
      ${button(eraserIcon, s.erase, act.erase, { pressed: model.erase, disabled: model.unready })}
      ${button(clearIcon, s.clear, act.clear, { disabled: noMask })}
      ${button(fileIcon, s.maskFile, act.mask, { disabled: model.unready, word: s.mask })}
      <button
        type="button"
        part="button fill"
        class="primary"
        title=${titleOf(s.fill, { disabled: noMask })}
        ?disabled=${!!noMask}
        @click=${act.fill}
      >
        ${s.fill}
      </button>
      ${save}
    </div>
    ${model.painted || model.unready ? nothing : html`<span class="figures">${s.paintHint}</span>`}`;
}
