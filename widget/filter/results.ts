/** Results of `<foveola-filter>`: drawn over the image, and two of them side by side. */
import { html, type TemplateResult } from 'lit';
import { choiceSwitch, Divider } from '../base/controls.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Settings } from '../base/kind.ts';
import { layOver, type View, type Box, type Colors } from '../base/overlay.ts';
import type { MenuItem } from '../base/toolbar.ts';
import type { FilterOperation, FilterResult } from './tracker.ts';
import type { NumberFormat } from '../strings/index.ts';
import { drawLines, FlowDrawing, inPicture, paintGray, type Frame } from './draw-results.ts';
import { paintMask, sideOf } from '../base/canvas.ts';
import type { Retouch } from './retouch.ts';

// Compares two results side by side: before and after, or settings A and B on the same frame. A divider across the
// image separates them.

interface Compared {
  compare: number;
  settings: Settings;
  comparisonSettings: Settings | null;
}

type Side = 'a' | 'b';
const sides = ['a', 'b'] as const;

export class ComparisonController {
  readonly #parts: ElementParts<FilterResult>;
  readonly #own: Compared;
  readonly #chosen: () => FilterOperation;
  readonly #divider: Divider;
  /** Layer over the canvas. The inner element covers exactly the image. */
  readonly layer = document.createElement('div');
  readonly #picture = document.createElement('div');
  #edited: Side = 'b';

  constructor(parts: ElementParts<FilterResult>, own: Compared, chosen: () => FilterOperation) {
    this.#parts = parts;
    this.#own = own;
    this.#chosen = chosen;
    this.#divider = new Divider({
      moved: (percent) => (own.compare = this.second ? percent : Math.max(0.1, percent)),
      leave: () => {
        if (this.second) this.toggle();
        else own.compare = 0;
        parts.host.focusStage();
      },
      describe: (percent) => this.#describe(percent),
    });
    this.layer.className = 'compared';
    this.layer.append(this.#picture);
    this.#picture.append(this.#divider.element);
    parts.host.add(this);
  }

  /** Comparison settings. Null: no comparison. Inpainting is interactive and has none. */
  get second(): Settings | null {
    return this.#chosen() === 'inpaint' ? null : this.#own.comparisonSettings;
  }

  /** Settings that the panel shows and changes: A or B. */
  get shown(): Settings {
    return this.#edited === 'b' ? (this.second ?? this.#own.settings) : this.#own.settings;
  }

  /** Converts a change in the panel to a change of the element's settings. */
  changed(changes: Settings): Settings {
    if (!this.second || this.#edited === 'a') return changes;
    const all = Object.entries({ ...this.second, ...changes }).filter(([, value]) => value !== undefined);
    return { comparisonSettings: Object.fromEntries(all) };
  }

  /** Starts the comparison with a copy of the settings, so that single values can be changed, or ends it. */
  toggle(): void {
    const { host, settings } = this.#parts;
    if (this.#chosen() === 'inpaint') return;
    const on = !this.second;
    this.#edited = 'b';
    settings.edit({ comparisonSettings: on ? { ...this.#own.settings } : null });
    if (on) host.element.settingsOpen = true;
  }

  #describe(percent: number): { label: string; value: string } {
    const { compare, compareAt, twoSettings, shareOfA } = this.#parts.strings.filter;
    return this.second
      ? { label: twoSettings, value: shareOfA(percent) }
      : { label: compare, value: compareAt(percent) };
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    const { scale, scaleY, left, top, mirror, width, ratio } = view;
    const size = [this.#parts.feed?.width ?? 0, this.#parts.feed?.height ?? 0] as const;
    const across = size[0] * scale;
    layOver(this.layer, overlay);
    const { style } = this.#picture;
    style.left = `${(mirror ? width - left - across : left) / ratio}px`;
    style.top = `${top / ratio}px`;
    style.width = `${across / ratio}px`;
    style.height = `${(size[1] * scaleY) / ratio}px`;
  }

  updated(): void {
    const { compare } = this.#own;
    this.#divider.show(this.#parts.feed && (this.second || compare > 0) ? compare : null);
  }

  left(): void {
    this.#edited = 'b';
  }

  /** Switch that selects whether the panel changes A or B. */
  renderChoice(): TemplateResult {
    const { settingsOf } = this.#parts.strings.filter;
    const choice = {
      label: settingsOf,
      part: 'sides',
      values: sides,
      words: { a: 'A', b: 'B' },
      chosen: this.#edited,
    };
    return html`<div class="sides">
      <span aria-hidden="true">${settingsOf}</span>
      ${choiceSwitch(choice, (side) => {
        this.#edited = side;
        this.#parts.host.element.requestUpdate();
      })}
    </div>`;
  }

  get menuItem(): MenuItem {
    const { filter: s } = this.#parts.strings;
    return {
      ...{ word: s.twoSettings, key: 'B', checked: this.second !== null, act: () => this.toggle() },
      disabled: this.#chosen() === 'inpaint' && s.notFilling,
    };
  }

  renderSlider(): TemplateResult {
    const { compare } = this.#own;
    const { label, value } = this.#describe(compare);
    return html`<label class="compare"
      >${label}
      <input
        type="range"
        min="0"
        max="100"
        .value=${String(compare)}
        aria-valuetext=${value}
        @input=${(event: Event) => (this.#own.compare = (event.target as HTMLInputElement).valueAsNumber)}
    /></label>`;
  }
}

// Draws the last filter result on the overlay, and exports it as a separate image.

interface FilterView extends Frame {
  readonly operation: FilterOperation;
  /** Display of flow, and the unit of its key. */
  readonly colors: boolean;
  readonly arrows: boolean;
  readonly unit: string;
  /** Number format. */
  readonly number: NumberFormat;
}

const edgeColor = [67, 240, 181];

export class FilterDrawing {
  readonly #edges = document.createElement('canvas');
  readonly #image = document.createElement('canvas');
  readonly #flow = new FlowDrawing();
  #last: FilterResult | null = null;

  clear(): void {
    this.#last = null;
    this.#flow.clear();
  }

  set(result: FilterResult): void {
    if (result === this.#last) return;
    this.#last = result;
    if (result.edges) paintMask(result.edges, edgeColor, this.#edges);
    if (result.image) paintGray(result.image, this.#image, sideOf(result.image));
    if (result.flow) this.#flow.set(result.flow);
  }

  /** Edges in white on black, flow as colors, or a filtered image. Null if the result is not an image. */
  resultOf(operation: FilterOperation): HTMLCanvasElement | null {
    if (operation === 'flow') return this.#flow.picture;
    const last = this.#last;
    const levels = last?.operation === operation ? (last.edges ?? last.image) : null;
    return levels && paintGray(levels);
  }

  draw(
    context: CanvasRenderingContext2D,
    view: View,
    colors: Colors,
    how: FilterView,
    retouch: Retouch | null,
  ): Box | null {
    const { operation } = how;
    if (operation === 'flow') return this.#flow.draw(context, view, colors, how);
    return inPicture(context, view, how, (unit) => {
      if (operation === 'canny' && this.#last?.edges) context.drawImage(this.#edges, 0, 0, how.width, how.height);
      if (operation === 'hough') drawLines(context, this.#last?.lines ?? [], colors, unit);
      const filtered = this.#last?.operation === operation && this.#last.image;
      if (!filtered && (operation !== 'inpaint' || !retouch)) return;
      context.imageSmoothingEnabled = true; // as the browser draws the image itself
      if (filtered) context.drawImage(this.#image, 0, 0, how.width, how.height);
      if (operation !== 'inpaint' || !retouch) return;
      if (retouch.shown) context.drawImage(retouch.shown, 0, 0);
      context.drawImage(retouch.tinted, 0, 0);
    });
  }
}
