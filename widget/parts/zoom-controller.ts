/** Zoom and pan of the picture in the stage, for elements that have them. The keys are those of ZoomPan. */
import { html, nothing } from 'lit';
import type { ElementParts } from './element-parts.ts';
import { inField } from './keyboard.ts';
import type { AnyResult, Rendered } from './kind.ts';
import { zoomButtons } from './zoom-buttons.ts';
import { ZoomPan } from './zoom-pan.ts';

export class ZoomController<R extends AnyResult> {
  readonly #parts: ElementParts<R>;
  readonly #pan: ZoomPan;
  /** The picture that is zoomed; undefined: nothing yet. */
  #feed: object | null | undefined;

  /** `pressed`: the picture was pressed, and not dragged. */
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

  /** Moves a point of the picture into sight. */
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
