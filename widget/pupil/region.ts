/** The region of interest as a box over the image and as four numbers in the panel. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PupilResult, Recording } from '../../src/index.ts';
import type { Feed } from '../base/feed.ts';
import type { Host } from '../base/host.ts';
import type { PictureController } from '../base/picture-controller.ts';
import type { SettingsController } from '../tools/settings-controller.ts';
import type { StateController } from '../base/state-controller.ts';
import type { View } from '../base/overlay.ts';
import { type Box, rounded, ShapeTool } from '../tools/shape.ts';
import { titleOf } from '../base/views.ts';
import type { Strings } from '../strings/index.ts';

/** Parts of the element that the panel uses. */
export interface PanelParts {
  readonly host: Host<PupilResult>;
  readonly state: StateController<PupilResult>;
  readonly picture: PictureController<PupilResult>;
  readonly settings: SettingsController<PupilResult>;
  readonly feed: Feed | null;
  readonly strings: Strings;
  /** Reason why the source cannot be used. False if one is open. */
  readonly unready: string | false;
  readonly recorder: { readonly recording: Recording | null; readonly isOfAnother: boolean };
}

/** Middle of an image: the initial region. */
export const middleOf = (width: number, height: number): Box =>
  rounded({ x: 0.2 * width, y: 0.2 * height, width: 0.6 * width, height: 0.6 * height });

export const describeRegion = (s: Strings, box: Box): string =>
  `${s.regionAt(Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height))}. ${s.shapeKeys}`;

export const smallestRegion = 16;

/** `size` of the image. Null while none is open. */
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

/** The region of interest of an element. Every change can be undone. */
export class RegionController {
  readonly #tool: ShapeTool;
  readonly #parts: PanelParts;
  readonly #own: { readonly roi: Box | null };

  constructor(parts: PanelParts, own: { readonly roi: Box | null }) {
    this.#parts = parts;
    this.#own = own;
    this.#tool = new ShapeTool(
      'box',
      {
        changed: (box, last, gesture) => last && parts.settings.edit({ roi: rounded(box) }, gesture),
        describe: (box) => describeRegion(parts.strings, box),
        leave: () => parts.host.focusStage(),
        remove: () => this.toggle(),
      },
      { smallest: smallestRegion },
    );
    parts.host.add(this);
  }

  /** The layer over the image. */
  get layer(): HTMLElement {
    return this.#tool.element;
  }

  toggle(): void {
    const { feed, settings, host } = this.#parts;
    if (this.#own.roi) {
      settings.edit({ roi: undefined });
      host.focusStage();
    } else if (feed) {
      settings.edit({ roi: middleOf(feed.width, feed.height) });
      void host.element.updateComplete.then(() => this.#tool.focus());
    }
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#tool.look(view, overlay);
  }

  updated(): void {
    const { feed } = this.#parts;
    if (feed) this.#tool.show(this.#own.roi, feed.width, feed.height);
  }

  left(): void {
    this.#tool.show(null, 0, 0);
  }

  render(): TemplateResult {
    const { strings, feed, settings } = this.#parts;
    return regionFields(strings, this.#own.roi, feed, {
      toggle: () => this.toggle(),
      set: (box) => settings.edit({ roi: box }, 'roi'),
    });
  }
}
