/**
 * A scale that the user set in the element belongs to images of one size. If an image of another size is opened, the
 * scale is removed, and a note is shown. A scale that the page set stays.
 */
import type { Feed } from '../base/feed.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult } from '../base/kind.ts';
import type { StateController } from '../base/state-controller.ts';
import type { SettingsController } from './settings-controller.ts';
import { inLanguage } from './words.ts';

const words = {
  en: (size: string) => `The scale was removed. It was set for images of ${size} pixels. Undo restores it.`,
  de: (size: string) =>
    `Der Maßstab wurde entfernt. Er war für Bilder mit ${size} Pixeln eingestellt. Rückgängig stellt ihn wieder her.`,
};

type Parts<R extends AnyResult> = {
  readonly host: Host<R>;
  readonly state: StateController<R>;
  readonly settings: SettingsController<R>;
};

export class OwnScale<R extends AnyResult> {
  readonly #parts: Parts<R>;
  readonly #name: 'millimetresPerPixel' | 'micrometresPerPixel';
  /** The last scale that was set here. */
  #set: { readonly scale: number; readonly size: string } | null = null;
  /** Size of the images of a scale that was removed. */
  #removed: string | null = null;

  constructor(parts: Parts<R>, name: 'millimetresPerPixel' | 'micrometresPerPixel') {
    this.#parts = parts;
    this.#name = name;
    parts.host.add(this);
  }

  /** Null: no scale. */
  set(scale: number | null): void {
    const { host, settings } = this.#parts;
    const { feed } = host.shown;
    this.#set = scale !== null && feed ? { scale, size: sizeOf(feed) } : null;
    settings.edit({ [this.#name]: scale ?? undefined });
  }

  opened(feed: Feed): void {
    const { settings, state, host } = this.#parts;
    const { scale, size } = this.#set ?? {};
    if (scale === undefined || settings.given[this.#name] !== scale || size === sizeOf(feed)) return;
    this.#removed = size!;
    settings.edit({ [this.#name]: undefined });
    state.announce(inLanguage(words, host.strings)(size!));
    this.analysisEnded();
  }

  /** An analysis removes notes when it begins. */
  analysisEnded(): void {
    const { host, settings } = this.#parts;
    if (this.#removed && settings.given[this.#name] === undefined)
      host.store.set({ note: inLanguage(words, host.strings)(this.#removed) });
  }

  closing(): void {
    this.#removed = null;
  }

  left(): void {
    this.#set = null;
  }
}

const sizeOf = ({ width, height }: Feed) => `${width} × ${height}`;
