/** Controls that some elements share: a group of buttons with one choice, and a line between two images. */
import { html, type TemplateResult, css } from 'lit';
import { localPoint } from './canvas.ts';

// A group of buttons with one choice. Arrow keys move through it, as in a radio group.

interface SwitchModel<V extends string> {
  /** Accessible name of the group, and its CSS part. */
  label: string;
  part: string;
  values: readonly V[];
  words: Readonly<Record<V, string>>;
  /** If this is not one of the values, no button is selected. */
  chosen: string;
}

export function choiceSwitch<V extends string>(
  { label, part, values, words, chosen }: SwitchModel<V>,
  choose: (value: V) => void,
): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also step through frames
    const group = event.currentTarget as HTMLElement;
    const at = values.findIndex((value) => value === (event.target as HTMLElement).dataset.value);
    const next = values[(at + step + values.length) % values.length]!;
    choose(next);
    group.querySelector<HTMLElement>(`[data-value=${next}]`)?.focus();
  };
  const reached = values.find((value) => value === chosen) ?? values[0]; // with the Tab key
  return html`<div class="switch" part=${part} role="radiogroup" aria-label=${label} @keydown=${onKey}>
    ${values.map(
      (value) =>
        html`<button
          type="button"
          part="button"
          role="radio"
          aria-checked=${String(value === chosen)}
          tabindex=${value === reached ? 0 : -1}
          data-value=${value}
          @click=${() => choose(value)}
        >
          ${words[value]}
        </button>`,
    )}
  </div>`;
}

// A line between two images (before and after, or two results). It is dragged across its container or moved with the
// arrow keys. Its position is a percentage of the container's width, even if the container is enlarged.

// The line between two images, with its handle.

export const dividerStyle = css`
  .divider {
    position: absolute;
    top: 0;
    bottom: 0;
    z-index: 1;
    width: 36px;
    translate: -50% 0;
    cursor: ew-resize;
    touch-action: none;
  }
  .divider[hidden] {
    display: none;
  }
  .divider::before {
    position: absolute;
    inset: 0 auto 0 50%;
    width: 2px;
    background: #fff;
    box-shadow: 0 0 0 1px rgb(0 0 0 / 45%);
    content: '';
    translate: -50% 0;
  }
  .divider span {
    position: absolute;
    top: 50%;
    left: 50%;
    width: 34px;
    height: 34px;
    border: 2px solid #fff;
    border-radius: 50%;
    background: rgb(8 14 20 / 76%);
    translate: -50% -50%;
  }
  .divider span::before,
  .divider span::after {
    position: absolute;
    top: 50%;
    left: 9px;
    width: 6px;
    height: 6px;
    border: solid #fff;
    border-width: 0 0 2px 2px;
    content: '';
    transform: translateY(-50%) rotate(45deg);
  }
  .divider span::after {
    right: 9px;
    left: auto;
    transform: translateY(-50%) rotate(225deg);
  }
  .divider:focus-visible {
    outline: none;
  }
  .divider:focus-visible span {
    outline: 3px solid var(--_ellipse);
    outline-offset: 2px;
  }
`;

interface DividerHost {
  moved(percent: number): void;
  /** Escape or Delete. */
  leave(): void;
  /** Accessible name, and the value as text. */
  describe(percent: number): { label: string; value: string };
}

const keys: Record<string, number> = {
  ArrowLeft: -2,
  ArrowDown: -2,
  ArrowRight: 2,
  ArrowUp: 2,
  PageUp: 10,
  PageDown: -10,
};

export class Divider {
  readonly element = document.createElement('div');
  readonly #host: DividerHost;
  #percent = 50;
  #pointer: number | null = null;

  constructor(host: DividerHost) {
    this.#host = host;
    const { element } = this;
    element.className = 'divider';
    element.hidden = true;
    element.tabIndex = 0;
    element.setAttribute('role', 'slider');
    element.setAttribute('part', 'divider');
    element.setAttribute('aria-valuemin', '0');
    element.setAttribute('aria-valuemax', '100');
    element.append(document.createElement('span'));
    element.addEventListener('pointerdown', this.#down);
    element.addEventListener('pointermove', this.#move);
    element.addEventListener('pointerup', this.#up);
    element.addEventListener('pointercancel', this.#up);
    element.addEventListener('keydown', this.#key);
  }

  /** Null hides it. */
  show(percent: number | null): void {
    this.element.hidden = percent === null;
    if (percent === null) return;
    this.#percent = Math.max(0, Math.min(100, percent));
    const { label, value } = this.#host.describe(Math.round(this.#percent));
    this.element.style.left = `${this.#percent}%`;
    this.element.setAttribute('aria-valuenow', String(Math.round(this.#percent)));
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('aria-valuetext', value);
  }

  #set(percent: number): void {
    this.show(percent);
    this.#host.moved(this.#percent);
  }

  readonly #down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
    this.#pointer = event.pointerId;
  };

  readonly #move = (event: PointerEvent) => {
    if (event.pointerId !== this.#pointer) return;
    const stage = this.element.parentElement!;
    const at = localPoint(stage, event.clientX, event.clientY);
    if (at) this.#set((100 * (at.x - stage.clientLeft)) / stage.clientWidth);
  };

  readonly #up = (event: PointerEvent) => {
    if (event.pointerId === this.#pointer) this.#pointer = null;
  };

  readonly #key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keys[event.key];
    if (step) this.#set(this.#percent + (event.shiftKey ? step / 2 : step));
    else if (event.key === 'Home') this.#set(0);
    else if (event.key === 'End') this.#set(100);
    else if (event.key === 'Escape' || event.key === 'Delete') this.#host.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
