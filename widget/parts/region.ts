/** The region of interest as a box over the picture and as four numbers in the panel. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Strings } from '../strings/index.ts';
import type { Box } from './shape.ts';
import { ShapeTool } from './shape-tool.ts';
import { titleOf } from './views.ts';

export const rounded = (box: Box): Box => {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return { x, y, width: Math.round(box.x + box.width) - x, height: Math.round(box.y + box.height) - y };
};

/** The middle of a picture: where a new region begins. */
export const middleOf = (width: number, height: number): Box =>
  rounded({ x: 0.2 * width, y: 0.2 * height, width: 0.6 * width, height: 0.6 * height });

/** From an attribute like `120 80 320 240`: x, y, width and height. Null where there is none. */
export const boxFrom = (text: string | null): Box | null => {
  if (text === null) return null;
  const [x = NaN, y = NaN, width = NaN, height = NaN] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return { x, y, width, height };
};

export const describeRegion = (s: Strings, box: Box): string =>
  `${s.regionAt(Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height))}. ${s.shapeKeys}`;

export const smallestRegion = 16;

/** `size`: of the picture; null while there is none. */
export function regionFields(
  s: Strings,
  box: Box | null,
  size: { width: number; height: number } | null,
  act: { toggle(): void; set(box: Box): void },
): TemplateResult {
  const field = (name: keyof Box, label: string, max: number) =>
    html`<label
      >${label}
      <input
        type="number"
        step="1"
        min=${name === 'x' || name === 'y' ? 0 : smallestRegion}
        max=${max}
        .value=${String(box![name])}
        @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          if (input.validity.valid && input.value !== '') act.set({ ...box!, [name]: input.valueAsNumber });
          else input.value = String(box![name]);
        }}
    /></label>`;
  return html`<fieldset class="fields">
    <legend>${s.region}</legend>
    <label
      ><input
        type="checkbox"
        .checked=${box !== null}
        title=${size || box ? nothing : titleOf(s.regionOn, { disabled: s.why.noSource })}
        ?disabled=${!size && !box}
        @change=${act.toggle}
      />
      ${s.regionOn}</label
    >
    ${
      box && size
        ? html`${field('x', 'x', size.width - box.width)} ${field('y', 'y', size.height - box.height)}
          ${field('width', s.width, size.width - box.x)} ${field('height', s.height, size.height - box.y)}`
        : nothing
    }
  </fieldset>`;
}

export interface RegionHost {
  readonly strings: Strings;
  readonly roi: Box | null;
  readonly feed: { width: number; height: number } | null;
  readonly updateComplete: Promise<boolean>;
  edit(changes: Record<string, unknown>, key?: string): void;
  focusStage(): void;
}

/** The region of interest of an element: every change can be undone. */
export class RegionControl {
  readonly tool: ShapeTool;
  readonly #host: RegionHost;

  constructor(host: RegionHost) {
    this.#host = host;
    this.tool = new ShapeTool(
      'box',
      {
        changed: (box, last, gesture) => last && host.edit({ roi: rounded(box) }, gesture),
        describe: (box) => describeRegion(host.strings, box),
        leave: () => host.focusStage(),
        remove: () => this.toggle(),
      },
      { smallest: smallestRegion },
    );
  }

  toggle(): void {
    const { roi, feed } = this.#host;
    if (roi) {
      this.#host.edit({ roi: undefined });
      this.#host.focusStage();
    } else if (feed) {
      this.#host.edit({ roi: middleOf(feed.width, feed.height) });
      void this.#host.updateComplete.then(() => this.tool.focus());
    }
  }

  /** After each update of the element. */
  show(): void {
    const { roi, feed } = this.#host;
    if (feed) this.tool.show(roi, feed.width, feed.height);
  }

  render(): TemplateResult {
    const { strings, roi, feed } = this.#host;
    return regionFields(strings, roi, feed, {
      toggle: () => this.toggle(),
      set: (box) => this.#host.edit({ roi: box }, 'roi'),
    });
  }
}
