/** Inpainting in an element: the brush over the image, the painted mask, and the filling. */
import { html, type TemplateResult } from 'lit';
import { FoveolaError, type GrayImage, asFoveolaError } from '../../src/index.ts';
import { Brush } from '../tools/brush.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Feed } from '../base/feed.ts';
import type { View } from '../base/overlay.ts';
import { imageFiles, pictureOf, readMask } from '../base/picture-controller.ts';
import { Store } from '../base/host.ts';
import { Retouch } from './retouch.ts';
import type { FilterEngine, FilterResult } from './tracker.ts';
import { brushBar } from './views.ts';

export class InpaintingController {
  readonly #parts: ElementParts<FilterResult>;
  /** Whether inpainting is the selected operation. */
  readonly #chosen: () => boolean;
  readonly #store: Store<{ radius: number; erase: boolean }>;
  readonly #brush: Brush;
  #engine: FilterEngine | null = null;
  #retouch: Retouch | null = null;
  #pendingMask: GrayImage | null = null;
  #last: number | null = null;

  constructor(parts: ElementParts<FilterResult>, chosen: () => boolean) {
    this.#parts = parts;
    this.#chosen = chosen;
    this.#store = new Store({ radius: 12, erase: false }, () => parts.host.element.requestUpdate());
    this.#brush = new Brush({
      begin: (x, y) => {
        parts.host.element.paused = true; // the painted frame must stay
        this.#retouch?.begin(x, y, this.#radius, this.#store.state.erase);
      },
      extend: (x, y) => this.#retouch?.extend(x, y),
      end: () => this.#retouch?.end(),
      size: (change) => {
        const radius = Math.round(this.#radius * (change > 0 ? 1.25 : 0.8)) || 1;
        this.#store.set({ radius: Math.max(1, Math.min(100, radius)) });
      },
      erase: () => this.#toggleErase(),
      done: () => this.#tryFill(),
      clear: () => this.#retouch?.clear(),
      leave: () => (this.filling ? this.cancel() : parts.host.focusStage()),
      describe: (x, y, down) => parts.strings.filter.brushAt(Math.round(x), Math.round(y), 2 * this.#radius, down),
    });
    parts.host.add(this);
  }

  /** The painted mask and the filled pixels. Null while no image is open. */
  get retouch(): Retouch | null {
    return this.#retouch;
  }

  get filling(): boolean {
    return this.#retouch?.filling ?? false;
  }

  get mask(): GrayImage | null {
    return this.#retouch?.mask ?? this.#pendingMask;
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#brush.element;
  }

  setMask(mask: GrayImage | null): void {
    if (this.#retouch) this.#retouch.setMask(mask);
    else this.#pendingMask = mask;
  }

  /** Sets the engine for the next filling. */
  use(engine: FilterEngine): void {
    this.#engine = engine;
  }

  async fill(): Promise<void> {
    const { feed, strings: s, state, host, settings, picture } = this.#parts;
    const retouch = this.#retouch;
    if (!feed || !retouch || !this.#engine)
      throw new FoveolaError('source-not-ready', 'No image is open. Open a source first.');
    host.element.paused = true; // the current frame is filled
    const { operation: _, comparisonSettings: __, ...options } = settings.parameters;
    state.announce(s.filter.filling);
    const outcome = await retouch.fill(
      this.#engine,
      () => pictureOf({ ...feed, element: picture.shown! }),
      this.#chosen() ? options : {},
    );
    if (outcome === 'done') state.announce(s.filter.filled(retouch.progress.patches));
    if (outcome === 'cancelled') state.announce(s.filter.cancelled(Math.round(100 * retouch.progress.done)));
  }

  /** Cancels the filling. Pixels filled so far stay. */
  cancel(): void {
    this.#retouch?.cancel();
  }

  begin(feed: Feed): void {
    this.#store.set({ radius: Math.max(3, Math.round(Math.min(feed.width, feed.height) / 40)) });
    this.#renew();
  }

  /** A new frame discards the mask painted on the previous one. */
  present({ timestamp }: FilterResult): void {
    const retouch = this.#retouch;
    const moved = this.#last !== null && timestamp !== this.#last;
    if (moved && retouch && (retouch.painted || retouch.shown)) this.#renew();
    this.#last = timestamp;
  }

  forgetFrame(): void {
    this.#last = null;
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#brush.look(view, overlay);
  }

  updated(): void {
    const { feed } = this.#parts;
    this.#brush.show(this.#chosen() && feed !== null, feed?.width ?? 0, feed?.height ?? 0, this.#radius);
  }

  /** The mask belongs to the image. */
  closing(): void {
    this.cancel();
    this.#retouch = null;
    this.#parts.host.element.toggleAttribute('filling', false);
    this.#parts.settings.history.clear();
  }

  left(): void {
    this.cancel();
    this.#retouch = this.#engine = null;
  }

  get #radius(): number {
    return this.#store.state.radius;
  }

  #toggleErase(): void {
    this.#store.set({ erase: !this.#store.state.erase });
  }

  /** Starts with a new image. The mask of the previous image is discarded. */
  #renew(): void {
    const { feed, settings, session } = this.#parts;
    this.cancel();
    const retouch: Retouch | null =
      feed &&
      new Retouch(feed.width, feed.height, {
        remember: (deed) => settings.remember(deed),
        changed: () => this.#retouch === retouch && this.#changed(),
        failed: (error) => session.onFailure(error),
      });
    this.#retouch = retouch;
    settings.history.clear();
    const mask = this.#pendingMask;
    this.#pendingMask = null;
    try {
      if (mask) retouch?.setMask(mask);
    } catch (error) {
      session.onFailure(asFoveolaError(error, 'The mask'));
    }
  }

  #changed(): void {
    const { host } = this.#parts;
    const { filling, progress } = this.#retouch!;
    host.element.toggleAttribute('filling', filling);
    if (filling) host.emit('progress', progress);
    host.element.requestUpdate();
    host.kind.draw();
  }

  #tryFill(): void {
    void this.fill().catch((error) => this.#parts.session.onFailure(asFoveolaError(error, 'Inpainting')));
  }

  readonly #onMaskFile = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    const retouch = this.#retouch;
    if (!file || !retouch) return;
    try {
      retouch.setMask(await readMask(file));
    } catch (error) {
      this.#parts.session.onFailure(asFoveolaError(error, 'Reading the mask'));
    }
  };

  /** `save`: the button that exports the result. */
  renderBar(save: TemplateResult): TemplateResult {
    const { strings, unready, host } = this.#parts;
    const retouch = this.#retouch;
    return html`${brushBar(
        strings,
        {
          ...this.#store.state,
          painted: retouch?.painted ?? false,
          filling: this.filling,
          ...(retouch?.progress ?? { done: 0, patches: 0 }),
          unready: retouch === null && (unready || strings.why.loading),
        },
        {
          radius: (radius) => void this.#store.set({ radius }),
          erase: () => this.#toggleErase(),
          clear: () => retouch?.clear(),
          mask: () => host.find('input.mask-file')!.click(),
          fill: () => this.#tryFill(),
          cancel: () => this.cancel(),
        },
        save,
      )}<input
        class="mask-file"
        type="file"
        accept=${imageFiles}
        hidden
        tabindex="-1"
        aria-label=${strings.filter.maskFile}
        @change=${this.#onMaskFile}
      />`;
  }
}
