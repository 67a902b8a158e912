/**
 * The screen that the person sees during a test: the stimulus, the keys and clicks for answers, and a check that the
 * person still looks at it.
 */
import { type PlannedStep } from '../../src/index.ts';
import { screenColor } from '../../src/internal.ts';
import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { TestWords } from './pupil-test.en.ts';

// Appearance of a step: a uniform screen, its halves, a fixation cross, text. Changes the elements at once, within a
// frame.

/** Text color on a uniform screen: visible, with no more light than needed. */
const wordsColor = (luminance: number): string => (luminance < 0.18 ? 'rgb(160 160 160)' : 'rgb(20 20 20)');

interface StimulusPlaces {
  readonly screen: HTMLElement;
  readonly left: HTMLElement;
  readonly right: HTMLElement;
  readonly cross: HTMLElement;
  readonly words: HTMLElement;
  readonly time: HTMLElement;
}

/** `even`: luminance between steps. `text`: text of the step in the person's language. */
export function showStimulus(places: StimulusPlaces, planned: PlannedStep | null, even: number, text: string): void {
  const { screen, left, right, cross, words, time } = places;
  const step = planned?.step;
  const flash = step?.type === 'flash' ? step : null;
  const luminance = planned && !flash ? planned.luminance : even;
  const eye = flash?.eye ?? 'both';
  const light = flash ? screenColor(planned!.luminance, flash.color) : '';
  const seen = (half: 'left' | 'right') => (flash && (eye === 'both' || eye === half) ? light : 'transparent');
  screen.style.background = screenColor(luminance);
  left.style.background = seen('left');
  right.style.background = seen('right');
  words.textContent = text;
  words.hidden = !text;
  time.hidden = !(step?.type === 'adapt' && step.countdown);
  cross.hidden = !!text;
  const dark = flash && eye === 'both' ? planned!.luminance : luminance;
  screen.style.color = wordsColor(dark);
}

/** Members of the element used here. A page may use them too. */
interface TestElement extends LitElement {
  readonly state: string;
  readonly markerKeys: string;
  readonly noFullscreen: boolean;
  pause(): void;
  resume(): void;
  stop(): void;
  mark(label: string, at: number): unknown;
}

function placesIn(screen: HTMLElement): StimulusPlaces {
  const part = (name: string) => screen.querySelector<HTMLElement>(name)!;
  const halves = { left: part('.left'), right: part('.right') };
  return { screen, ...halves, cross: part('.cross'), words: part('.words'), time: part('.time') };
}

/** '4:05', for a duration in ms. */
const clock = (left: number): string => {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** How long the buttons stay after the pointer has moved, ms. They are light that the test does not plan. */
const AWAKE = 2000;

export class TestDialog implements ReactiveController {
  readonly #host: TestElement;
  /** Reports an answer of the person, at a time on the page's time line. */
  readonly #answers: (at: number) => void;
  #even = 0;
  #dialog: HTMLDialogElement | null = null;
  #places: StimulusPlaces | null = null;
  /** Whether the person must continue. The buttons are then visible. */
  #waits = false;
  #asleep = 0;
  #ticking = 0;

  constructor(host: TestElement, answers: (at: number) => void) {
    this.#host = host;
    this.#answers = answers;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onHidden);
    document.addEventListener('fullscreenchange', this.#onFullscreen);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onHidden);
    document.removeEventListener('fullscreenchange', this.#onFullscreen);
  }

  /** Called after the first render. The uniform screen has this luminance at first and between steps. */
  prepare(luminance: number): void {
    this.#even = luminance;
    const dialog = (this.#dialog = this.#host.renderRoot.querySelector('dialog'));
    if (dialog) this.#places = placesIn(dialog);
    this.show(null, '');
  }

  /** Requests fullscreen if it is enabled. */
  async enlarge(): Promise<void> {
    if (!this.#host.noFullscreen && document.fullscreenEnabled)
      await this.#host.requestFullscreen({ navigationUI: 'hide' }).catch(() => {}); // the window is good enough
  }

  open(): void {
    this.#dialog!.showModal();
    this.#dialog!.focus(); // a button with the focus would take the space bar
  }

  close(): void {
    clearTimeout(this.#asleep);
    clearInterval(this.#ticking);
    this.#dialog?.close();
    if (document.fullscreenElement === this.#host) void document.exitFullscreen().catch(() => {});
  }

  /** Within a frame. See showStimulus. */
  show(planned: PlannedStep | null, text: string): void {
    if (!this.#places) return;
    showStimulus(this.#places, planned, this.#even, text);
    this.#count(planned);
    const type = planned?.step.type;
    this.#waits = type === 'text' || type === 'ask' || this.#host.state === 'paused';
    const next = this.#dialog!.querySelector<HTMLElement>('.next')!;
    if (!this.#waits && next.matches(':focus')) this.#dialog!.focus(); // a hidden button receives no keys
    next.hidden = !this.#waits;
    this.#wake(this.#waits);
  }

  /** Shows the time that is left of a step. */
  #count(planned: PlannedStep | null): void {
    clearInterval(this.#ticking);
    const { time } = this.#places!;
    if (time.hidden) return;
    const ends = performance.now() + (planned!.step as { duration: number }).duration;
    const tick = () => (time.textContent = clock(ends - performance.now()));
    tick();
    this.#ticking = setInterval(tick, 1000) as unknown as number;
  }

  #wake(awake: boolean): void {
    clearTimeout(this.#asleep);
    this.#dialog?.classList.toggle('awake', awake);
    if (awake && !this.#waits) this.#asleep = setTimeout(() => this.#wake(false), AWAKE) as unknown as number;
  }

  render(title: string, words: TestWords): TemplateResult {
    return html`<dialog
      class="screen"
      part="screen"
      aria-label=${title}
      @cancel=${this.#onCancel}
      @keydown=${this.#onKey}
      @click=${this.#onClick}
      @pointermove=${() => this.#wake(true)}
      @pointerdown=${() => this.#wake(true)}
      tabindex="-1"
    >
      <div class="half left"></div>
      <div class="half right"></div>
      <div class="cross" aria-hidden="true">+</div>
      <div class="words" hidden></div>
      <div class="time" role="timer" hidden></div>
      <div class="buttons" @mousedown=${(event: Event) => event.preventDefault()}>
        <button type="button" part="button" class="next" hidden @click=${this.#onNext}>${words.next}</button>
        <button type="button" part="button" class="stop" @click=${this.#onStop}>${words.stop}</button>
      </div>
    </dialog>`;
  }

  #answer(at: number): void {
    if (this.#host.state === 'paused') this.#host.resume();
    else this.#answers(at);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const host = this.#host;
    const at = event.timeStamp;
    const key = event.key === ' ' ? 'Space' : event.key;
    if (event.target instanceof HTMLButtonElement && /^(Space|Enter)$/.test(key)) return event.stopPropagation();
    if (host.markerKeys.split(/\s+/).includes(key) && key) host.mark(key, at);
    else if (key === 'Space' || key === 'Enter') this.#answer(at);
    else if (key.toLowerCase() === 'p') host.state === 'paused' ? host.resume() : host.pause();
    else if (key === 'Escape') host.stop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #onClick = (event: MouseEvent): void => {
    if (!(event.target as HTMLElement).closest('.buttons')) this.#answer(event.timeStamp);
  };

  readonly #onNext = (event: Event): void => this.#answer(event.timeStamp);

  readonly #onStop = (): void => this.#host.stop();

  readonly #onCancel = (event: Event): void => {
    event.preventDefault();
    this.#host.stop();
  };

  readonly #onHidden = (): void => {
    if (document.hidden) this.#host.pause();
  };

  readonly #onFullscreen = (): void => {
    // Escape has left fullscreen: the person looks elsewhere.
    if (!this.#host.noFullscreen && !document.fullscreenElement) this.#host.pause();
  };
}
