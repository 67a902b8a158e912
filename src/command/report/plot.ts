/** A line over time as SVG: no script, so that the page opens anywhere and prints. */

export interface Line {
  name: string;
  unit: string;
  /** Milliseconds. */
  times: readonly number[];
  /** NaN: a gap. */
  values: readonly number[];
}

const WIDTH = 860;
const HEIGHT = 150;
const LEFT = 56;
const BOTTOM = 22;
/** More points than pixels are drawn as the least and the largest of each pixel. */
const COLUMNS = WIDTH - LEFT;

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export function plot({ name, unit, times, values }: Line): string {
  const known = values.filter((value) => Number.isFinite(value));
  if (!known.length) return `<p>${escaped(name)}: nothing found.</p>`;
  const [low, high] = known.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const margin = (high - low) * 0.05 || 1;
  const [bottom, top] = [low - margin, high + margin];
  const [first, last] = [times[0]!, times.at(-1)!];
  const x = (time: number) => LEFT + ((time - first) / (last - first || 1)) * COLUMNS;
  const y = (value: number) => ((top - value) / (top - bottom)) * (HEIGHT - BOTTOM);
  const text = (at: number, value: string, label: string) =>
    `<text x="${at}" y="${value}" class="tick">${escaped(label)}</text>`;
  const ticks = [low, high].map((value) => text(2, (y(value) + 4).toFixed(1), value.toPrecision(4)));
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${name}, ${unit}, from ${low.toPrecision(4)} to ${high.toPrecision(4)}`)}">
<path d="M${LEFT} 0V${HEIGHT - BOTTOM}H${WIDTH}" class="axis"/>
<path d="${path(times, values, x, y)}" class="line"/>
${ticks.join('')}${text(LEFT, String(HEIGHT - 4), `${(first / 1000).toFixed(1)} s`)}
<text x="${WIDTH}" y="${HEIGHT - 4}" class="tick" text-anchor="end">${(last / 1000).toFixed(1)} s</text>
<text x="${WIDTH / 2}" y="${HEIGHT - 4}" class="tick" text-anchor="middle">${escaped(`${name}, ${unit}`)}</text>
</svg>`;
}

function path(
  times: readonly number[],
  values: readonly number[],
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  let d = '';
  let pen = false;
  for (let i = 0; i < times.length;) {
    const column = Math.floor(x(times[i]!));
    let [low, high] = [Infinity, -Infinity];
    for (; i < times.length && Math.floor(x(times[i]!)) === column; i++) {
      const value = values[i]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (low > high) pen = false;
    else {
      d += `${pen ? 'L' : 'M'}${column} ${y(high).toFixed(1)}${low < high ? `V${y(low).toFixed(1)}` : pen ? '' : 'h.5'}`;
      pen = true;
    }
  }
  return d;
}
