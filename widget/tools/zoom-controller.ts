/** Zoom and pan of the image in the stage, for elements that support them. ZoomPan handles the keys. */
import { html, type TemplateResult, nothing } from 'lit';
import type { Strings } from '../strings/index.ts';
import { titleOf } from '../base/views.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { inField } from '../base/page.ts';
import type { AnyResult, Rendered } from '../base/kind.ts';
import { ZoomPan } from './zoom-pan.ts';

// Buttons that zoom in, zoom out, and fit the image into the stage. They are for the pointer: keys of the stage do the
// same, so that they need no tab stop.

interface ZoomActions {
  in(): void;
  out(): void;
  fit(): void;
}

function zoomButtons({ vessels: s }: Strings, percent: number, fitted: boolean, act: ZoomActions): TemplateResult {
  return html`<div class="zoom" part="zoom" role="group" aria-label=${s.zoom}>
    <button
      type="button"
      tabindex="-1"
      part="button"
      aria-label=${s.zoomOut}
      title="${s.zoomOut} (-)"
      aria-keyshortcuts="-"
      @click=${act.out}
    >
      −
    </button>
    <output title=${s.zoomAt(percent)}><bdi dir="ltr">${s.percent(percent)}</bdi></output>
    <button
      type="button"
      tabindex="-1"
      part="button"
      aria-label=${s.zoomIn}
      title="${s.zoomIn} (+)"
      aria-keyshortcuts="+"
      @click=${act.in}
    >
      +
    </button>
    <button
      type="button"
      tabindex="-1"
      part="button"
      aria-label=${s.fitLong}
      title=${titleOf(s.fitLong, { key: '0', disabled: fitted && s.fitted })}
      aria-keyshortcuts="0"
      ?disabled=${fitted}
      @click=${act.fit}
    >
      ${s.fit}
    </button>
  </div>`;
}

export class ZoomController<R extends AnyResult> {
  readonly #parts: ElementParts<R>;
  readonly #pan: ZoomPan;
  /** The feed being zoomed. Undefined: none yet. */
  #feed: object | null | undefined;

  /** `pressed`: the image was pressed but not dragged. */
  constructor(parts: ElementParts<R>, pressed: (event: PointerEvent) => void) {
    this.#parts = parts;
    this.#pan = new ZoomPan({
      moved: () => {
        parts.picture.moved();
        parts.host.store.set({ zoomPercent: Math.round(this.#pan.percent) });
      },
      pressed,
    });
    parts.host.add(this);
  }

  /** Scrolls a point of the image into view. */
  reveal(x: number, y: number, mirror: boolean): void {
    this.#pan.reveal(x, y, mirror);
  }

  updated(): void {
    const { feed, host } = this.#parts;
    if (feed === this.#feed) return;
    this.#feed = feed;
    const media = feed && !feed.external ? feed.element : null;
    this.#pan.attach(host.find('.stage')!, media, feed?.width ?? 1, feed?.height ?? 1);
  }

  onKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return false;
    return this.#pan.key(event, event.composedPath()[0] === this.#parts.host.find('.stage'));
  }

  render(): Rendered {
    const { feed, strings, shown } = this.#parts;
    if (!feed || feed.external) return nothing;
    return html`${zoomButtons(strings, shown.zoomPercent, this.#pan.zoom === 1, {
      in: () => this.#pan.in(),
      out: () => this.#pan.out(),
      fit: () => this.#pan.fit(),
    })}`;
  }

  left(): void {
    this.#pan.detach();
    this.#feed = undefined;
  }
}
