/**
 * The limits of the pupil's size as two circles over the image while the settings are open. They are around the pupil,
 * or in the middle of the searched area. A pointer drags their edges. The sliders of the panel do the same by keyboard.
 */
import { pupilParameters, type PupilResult, type Roi } from '../../src/index.ts';
import { layOver, sourcePoint, toX, toY, type View } from '../base/overlay.ts';
import { make } from '../base/page.ts';
import { shownIn, written } from '../tools/panels/parameter-row.ts';
import type { PanelParts } from './region.ts';

const names = ['minDiameter', 'maxDiameter'] as const;
type Name = (typeof names)[number];

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Center of the circles of an eye in source pixels: its pupil, otherwise the middle of its area. */
export function placeOf(
  eye: number,
  eyes: number,
  size: { readonly width: number; readonly height: number },
  result: Pick<PupilResult, 'pupils'> | null,
  roi: Roi | null,
): Place {
  const pupil = result?.pupils[eye];
  if (pupil?.found) return pupil;
  const { x, y, width, height } = roi ?? { x: 0, y: 0, ...size };
  return { x: x + (width * (eye + 0.5)) / eyes - 0.5, y: y + height / 2 - 0.5 };
}

export class SizeLimits {
  /** The layer inside the stage. */
  readonly element = make('div', 'tool limits');
  readonly #parts: PanelParts;
  readonly #free: () => boolean;
  #circles: { readonly name: Name; readonly eye: number; readonly circle: HTMLElement }[] = [];
  #view: View | null = null;
  #canvas: HTMLElement | null = null;
  /** The circle that a pointer holds, and its center, which stays while it is held. */
  #drag: { readonly name: Name; readonly pointer: number; readonly at: Place; readonly gesture: string } | null = null;
  #gestures = 0;

  /** `free`: no other shape is being placed over the image. */
  constructor(parts: PanelParts, free: () => boolean) {
    this.#parts = parts;
    this.#free = free;
    this.element.hidden = true;
    this.element.setAttribute('aria-hidden', 'true'); // the panel has the same numbers
    this.element.addEventListener('pointerdown', this.#down);
    this.element.addEventListener('pointermove', this.#move);
    for (const type of ['pointerup', 'pointercancel']) this.element.addEventListener(type, () => (this.#drag = null));
    parts.host.add(this);
  }

  viewChanged(view: View, canvas: HTMLCanvasElement): void {
    this.#view = view;
    this.#canvas = canvas;
    layOver(this.element, canvas);
    this.#show();
  }

  present(): void {
    this.#show();
  }

  recalled(): void {
    this.#show();
  }

  updated(): void {
    this.#show();
  }

  left(): void {
    this.element.hidden = true;
  }

  get #eyes(): number {
    return this.#parts.settings.given.eyes === 2 ? 2 : 1;
  }

  #make(): void {
    const eyes = this.#eyes;
    if (this.#circles.length === names.length * eyes) return;
    this.#circles = Array.from({ length: eyes }, (_, eye) => eye).flatMap((eye) =>
      names.map((name) => {
        const knob = make('span', 'handle e');
        knob.dataset.name = name;
        knob.dataset.eye = String(eye);
        return { name, eye, circle: make('div', `limit ${name}`, make('span', 'length'), knob) };
      }),
    );
    this.element.replaceChildren(...this.#circles.map(({ circle }) => circle));
  }

  #placeOf(eye: number): Place {
    const { feed, picture, settings } = this.#parts;
    return placeOf(eye, this.#eyes, feed!, picture.result, (settings.given.roi as Roi | undefined) ?? null);
  }

  #show(): void {
    const { feed, host, settings, strings } = this.#parts;
    const view = this.#view;
    this.element.hidden = !feed || !view || !host.element.settingsOpen || !this.#free();
    if (this.element.hidden) return;
    this.#make();
    const { given } = settings;
    const { scale, scaleY, ratio } = view!;
    for (const { name, eye, circle } of this.#circles) {
      const as = shownIn(pupilParameters[name], { size: feed, given });
      const value = Number(given[name] ?? pupilParameters[name].default);
      const pixels = value / shownIn(pupilParameters[name], { size: feed, given: {} }).per;
      const { x, y } = this.#drag?.name === name ? this.#drag.at : this.#placeOf(eye);
      const { style } = circle;
      const [width, height] = [(pixels * scale) / ratio, (pixels * scaleY) / ratio];
      style.left = `${toX(view!, x) / ratio - width / 2}px`;
      style.top = `${toY(view!, y) / ratio - height / 2}px`;
      style.width = `${width}px`;
      style.height = `${height}px`;
      const length = `${strings.number(written(value, as), as.unit === 'mm' ? 2 : 0)} ${as.unit!}`;
      circle.firstElementChild!.textContent = strings.sizeLimits[name](length);
    }
  }

  readonly #down = (event: PointerEvent) => {
    const { name, eye } = (event.target as HTMLElement).dataset as { name?: Name; eye?: string };
    if (!name || event.button !== 0 || this.#drag) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    const gesture = `limit ${++this.#gestures}`;
    this.#drag = { name, pointer: event.pointerId, at: this.#placeOf(Number(eye)), gesture };
  };

  readonly #move = (event: PointerEvent) => {
    const { feed, settings } = this.#parts;
    if (!this.#drag || event.pointerId !== this.#drag.pointer || !feed) return;
    const { name, at, gesture } = this.#drag;
    const to = sourcePoint(this.#view!, this.#canvas!, event);
    if (!to) return;
    const { min, max } = pupilParameters[name];
    const { per } = shownIn(pupilParameters[name], { size: feed, given: {} });
    const diameter = 2 * Math.hypot(to.x - 0.5 - at.x, to.y - 0.5 - at.y);
    settings.edit({ [name]: Math.min(max, Math.max(min, diameter * per)) }, gesture);
  };
}
