/** Before and after: a divider across the stage. The photograph is shown alone while a button or a key is held. */
import type { ElementParts } from '../base/element-parts.ts';
import { Divider } from '../base/controls.ts';
import type { VesselFrame } from './tracker.ts';

export class ComparisonController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #own: { compare: number };
  readonly #divider: Divider;
  #original = false;

  constructor(parts: ElementParts<VesselFrame>, own: { compare: number }) {
    this.#parts = parts;
    this.#own = own;
    this.#divider = new Divider({
      moved: (percent) => (own.compare = Math.max(0.1, percent)),
      leave: () => this.toggle(),
      describe: (percent) => {
        const { compare: label, compareAt } = parts.strings.vessels;
        return { label, value: compareAt(percent) };
      },
    });
    parts.host.add(this);
  }

  /** The divider. */
  get layer(): HTMLElement {
    return this.#divider.element;
  }

  /** Position of the divider, 0 to 1. The original photograph is visible left of it. */
  get split(): number {
    return this.#original ? 1 : Math.max(0, Math.min(1, this.#own.compare / 100));
  }

  toggle(): void {
    const { host } = this.#parts;
    this.#own.compare = this.#own.compare > 0 ? 0 : 50;
    if (this.#own.compare) void host.element.updateComplete.then(() => this.#divider.element.focus());
    else host.focusStage();
  }

  showOriginal(on: boolean): void {
    if (on === this.#original) return;
    this.#original = on;
    this.#parts.host.kind.draw();
  }

  updated(): void {
    this.#divider.show(this.#parts.feed && this.#own.compare > 0 ? this.#own.compare : null);
  }

  left(): void {
    this.#original = false;
  }
}
