/** The timeline: current position and known results of the recording, an accessible slider, and its buttons. */
import { saveFile } from '../../base/page.ts';
import type { AnyResult, Rendered } from '../../base/kind.ts';
import { clockText, FloatingPicture, legendStyle, Strip, timelineStyle } from './strip.ts';
import type { Exporting, PlayerGiven } from './exporting.ts';
import { hidings } from './hide-area.ts';
import type { MenuItem, MenuName } from '../../base/toolbar.ts';
import type { Entry, KnownResults } from './known-results.ts';
import { pauseIcon, playIcon } from '../../base/icons.ts';
import { inLanguage, playerWords, type PlayerWords } from '../words.ts';

const rates = [0.1, 0.25, 0.5, 1, 1.5, 2, 4];
/** Milliseconds between updates of the figures, and between drawings of the strip, during playback. */
const writeEvery = 100;
const drawEvery = 250;
/** Drawn with the text color, 20 x 20. */
const paths = { back: 'M15.5 4.8v10.4L7.9 10ZM5 4.8v10.4', step: 'M4.5 4.8v10.4l7.6-5.2ZM15 4.8v10.4' };
/** Seconds per arrow key press. */
const keyStep = 1;

export interface PlacedMark {
  readonly label: string;
  readonly mediaTime: number;
}

/** State and actions of the recording that the timeline uses. */
export interface Played<R> {
  /** Milliseconds: start of the current frame, and time between frames. */
  readonly position: number;
  readonly interval: number;
  /** Seconds. NaN if unknown. */
  readonly duration: number;
  readonly known: KnownResults<R>;
  readonly marks: readonly PlacedMark[];
  readonly marksAtPosition: readonly PlacedMark[];
  /** Recorded parts, in milliseconds of media time. */
  readonly recorded: readonly (readonly [from: number, to: number])[];
  readonly floating: FloatingPicture;
  readonly exporting: Pick<Exporting<AnyResult>, 'progress' | 'hiding' | 'start' | 'cancel'>;
  seek(seconds: number): Promise<R | null>;
  back(): void;
}

export class Timeline<R extends AnyResult> {
  readonly #parts: PlayerGiven<R>;
  readonly #player: Played<R>;
  readonly #strip: Strip;
  #later = 0;
  #drawnAt = -Infinity;
  /** Resume playing when the pointer is released. */
  #resume = false;
  #dragging = false;

  constructor(parts: PlayerGiven<R>, player: Played<R>) {
    this.#parts = parts;
    this.#player = player;
    parts.host.addStyle(timelineStyle);
    parts.host.addStyle(legendStyle);
    this.#strip = new Strip(() => ({
      duration: 1000 * player.duration,
      interval: player.interval,
      entries: player.known.entries,
      stateOf: (entry) => player.known.stateOf(entry as Entry<R>),
      marks: player.marks,
      recorded: player.recorded,
      loop: parts.control.range,
    }));
    parts.host.element.addEventListener('fullscreenchange', () => parts.host.element.requestUpdate());
  }

  get #words(): PlayerWords {
    return inLanguage(playerWords, this.#parts.host.strings);
  }

  #text(seconds: number): string {
    return clockText(seconds, this.#parts.host.strings.number);
  }

  render(): Rendered {
    const { html } = this.#parts;
    const w = this.#words;
    const { control, host } = this.#parts;
    const s = host.strings;
    const { phase } = host.shown;
    const playing = phase === 'running' || (phase === 'loading' && this.#parts.session.current?.running === true);
    const known = rates.includes(control.rate) ? rates : [...rates, control.rate].sort((a, b) => a - b);
    return html`<div class="timeline" part="timeline" role="group" aria-label=${w.timeline}>
      <div
        class="scrub"
        part="position"
        role="slider"
        tabindex="0"
        aria-label=${w.position}
        aria-orientation="horizontal"
        aria-valuemin="0"
        aria-valuemax="0"
        aria-valuenow="0"
        @keydown=${this.#onKey}
        @pointerdown=${this.#onDown}
        @pointermove=${this.#onMove}
        @pointerup=${this.#onUp}
        @pointercancel=${this.#onUp}
      >
        ${this.#strip.canvas}
        <div class="head"></div>
      </div>
      ${this.#legend()}
      <div class="row" role="toolbar" aria-label=${w.playback}>
        ${this.#parts.button(playing ? pauseIcon : playIcon, playing ? s.pause : s.play, this.#parts.toggle, {
          ...{ disabled: this.#parts.unplayable(), key: 'Space' },
        })}
        ${this.#button(paths.back, w.back, () => this.#player.back(), ',')}
        ${this.#button(paths.step, w.step, () => void host.element.step(), '.')}
        <span class="clock"><b .textContent=${this.#text(0)}></b> / <span .textContent=${this.#text(0)}></span></span>
        <select part="rate" aria-label=${w.rate} title=${w.rate} @change=${this.#onRate}>
          ${known.map(
            (rate) =>
              html`<option value=${rate} .selected=${rate === control.rate}>
                ${w.times(s.number(rate, rate % 1 ? ((rate * 10) % 1 ? 2 : 1) : 0))}
              </option>`,
          )}
        </select>
      </div>
      ${this.#exportProgress()}
    </div>`;
  }

  /** The signs in the strip. The slider reads the state of its frame. */
  #legend(): Rendered {
    const { html, host, control } = this.#parts;
    const { marks, recorded } = this.#player;
    const { states, legend } = this.#words;
    const names = [
      ...(['found', ...(host.kind.lids ?? []), 'lost', 'unknown'] as const),
      ...(marks.length ? (['marker'] as const) : []),
      ...(recorded.length ? (['recorded'] as const) : []),
      ...(control.range ? (['loop'] as const) : []),
    ]; // a new one moves no other
    const words = { ...states, ...legend };
    return html`<p class="legend" aria-hidden="true" dir=${host.strings.direction}>
      ${names.map((name) => html`<span class=${name}>${words[name]}</span>`)}
    </p>`;
  }

  /** Receives every change of the displayed frame. */
  moved(): void {
    this.#later ||= window.setTimeout(() => this.#write(), this.#dragging ? 0 : writeEvery);
  }

  /** Runs after every change. */
  show(): void {
    this.#drawnAt = -Infinity;
    this.moved();
  }

  open(): void {
    this.#strip.open(this.#parts.host.element.renderRoot);
  }

  close(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#strip.close();
  }

  #button(path: string, label: string, act: () => void, key: string) {
    const { analysis, host, html } = this.#parts;
    const why = analysis.running && host.strings.why.analysing;
    const name = `${label} (${key})`;
    return html`<button
      type="button"
      part="button"
      title=${why ? `${name}. ${why}` : name}
      aria-label=${label}
      aria-keyshortcuts=${key}
      ?disabled=${!!why}
      @click=${act}
    >
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d=${path}></path></svg>
    </button>`;
  }

  /** Items for a recording in the menus of the toolbar. */
  menus(name: MenuName): MenuItem[] {
    return name === 'exports' ? this.#exports() : [...this.#loops(), ...this.#windows()];
  }

  #loops(): MenuItem[] {
    const w = this.#words;
    const { range } = this.#parts.control;
    const off = range && [
      { word: `${w.loopOff} (${this.#text(range[0])} – ${this.#text(range[1])})`, act: () => this.#loop(null) },
    ];
    return [
      { word: w.loopFrom, act: () => this.#loopFrom(0), key: '[' },
      { word: w.loopTo, act: () => this.#loopFrom(1), key: ']' },
      ...(off ?? []),
    ];
  }

  #exports(): MenuItem[] {
    const { analysis, host, failed } = this.#parts;
    const { exporting } = this.#player;
    const w = this.#words;
    if (!analysis.possible || host.shown.feed?.external) return [];
    const disabled = (analysis.running || exporting.progress !== null) && host.strings.why.analysing;
    const save = (hideFaces?: (typeof hidings)[number] | null) =>
      void exporting.start(hideFaces === undefined ? {} : { hideFaces }).then(
        (video) => saveFile(host, video, video.type.includes('mp4') ? 'mp4' : 'webm', undefined, 'overlay'),
        (error) => failed(error, w.video),
      );
    if (exporting.hiding === undefined) return [{ word: w.video, act: () => save(), disabled }];
    return [null, ...hidings].map((how) => ({ word: w.faces[how ?? 'show'], act: () => save(how), disabled }));
  }

  #exportProgress(): Rendered {
    const { exporting } = this.#player;
    const { host, progressBar } = this.#parts;
    const { progress } = exporting;
    if (!progress) return this.#parts.nothing;
    return progressBar(host.strings, this.#words.video, progress, () => exporting.cancel());
  }

  #windows(): MenuItem[] {
    const w = this.#words;
    const { host, failed } = this.#parts;
    const { element } = host;
    const { floating } = this.#player;
    if (host.shown.feed?.external) return []; // the image is elsewhere on the page
    const full = element.matches(':fullscreen');
    const toggleFull = async () => (full ? document.exitFullscreen() : element.requestFullscreen());
    const float = async () => {
      const opened = floating.toggle();
      host.store.set({ floating: floating.open });
      await opened;
    };
    const item = (word: string, checked: boolean, work: () => Promise<void>): MenuItem => ({
      ...{ word, checked },
      act: () => void work().catch((error) => failed(error, word)),
    });
    return [
      ...(FloatingPicture.possible ? [item(w.floating, floating.open, float)] : []),
      ...(document.fullscreenEnabled ? [item(w.fullscreen, full, toggleFull)] : []),
    ];
  }

  #loop(range: readonly [number, number] | null): void {
    this.#parts.control.range = range;
    this.#parts.host.element.requestUpdate();
    this.show();
  }

  /** Loops from here to the end, or from the beginning to here. The other key then moves the other end. */
  #loopFrom(end: 0 | 1): void {
    const at = this.#player.position / 1000;
    const { range } = this.#parts.control;
    const other = range?.[1 - end] ?? (end ? 0 : this.#player.duration);
    if (at !== other) this.#loop(at < other ? [at, other] : [other, at]);
  }

  readonly #onRate = (event: Event) => {
    this.#parts.control.rate = Number((event.target as HTMLSelectElement).value);
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const { position, duration, interval } = this.#player;
    const now = position / 1000;
    const step = event.shiftKey ? interval / 1000 : keyStep;
    const places: Record<string, number> = {
      ArrowLeft: now - step,
      ArrowDown: now - step,
      ArrowRight: now + step,
      ArrowUp: now + step,
      PageDown: now - duration / 10,
      PageUp: now + duration / 10,
      Home: 0,
      End: duration,
    };
    const place = places[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (place !== undefined) this.#seek(place);
    else if (event.key === '[' || event.key === ']') this.#loopFrom(event.key === '[' ? 0 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the arrow keys also step through frames
  };

  readonly #onDown = (event: PointerEvent) => {
    if (event.button) return;
    const { session, host } = this.#parts;
    this.#dragging = true;
    this.#resume = session.current?.running ?? false;
    host.element.paused = true;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#onMove(event);
  };

  readonly #onMove = (event: PointerEvent) => {
    if (!this.#dragging) return;
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    this.#seek(((event.clientX - left) / width) * this.#player.duration);
  };

  readonly #onUp = () => {
    if (!this.#dragging) return;
    this.#dragging = false;
    if (this.#resume) this.#parts.host.element.start().catch(() => {}); // the element itself reports the error
  };

  #seek(seconds: number): void {
    if (Number.isFinite(seconds)) void this.#player.seek(seconds);
  }

  #write(): void {
    this.#later = 0;
    const { host } = this.#parts;
    const slider = host.find('.timeline .scrub');
    if (!slider) return;
    host.pageTime.measure('timeline', () => {
      const { position, duration, known, interval, marksAtPosition } = this.#player;
      const w = this.#words;
      const seconds = Math.min(position / 1000, duration || Infinity);
      const time = this.#text(seconds);
      const whole = Number.isNaN(duration) ? '–' : this.#text(duration);
      const entry = known.at(position, interval);
      const state = w.states[entry ? known.stateOf(entry) : 'unknown'];
      const here = [w.of(time, whole), state, ...marksAtPosition.map(({ label }) => w.marker(label))];
      set(slider, 'aria-valuemax', Number.isNaN(duration) ? '0' : duration.toFixed(2));
      set(slider, 'aria-valuenow', seconds.toFixed(2));
      set(slider, 'aria-valuetext', here.join(', '));
      const share = duration > 0 ? (100 * seconds) / duration : 0;
      slider.querySelector<HTMLElement>('.head')!.style.translate = `${share}%`;
      const clock = host.find('.timeline .clock')!;
      clock.firstElementChild!.textContent = time;
      clock.lastElementChild!.textContent = whole;
      const now = performance.now();
      if (now - this.#drawnAt < drawEvery) return;
      this.#drawnAt = now;
      this.#strip.draw();
    });
  }
}

function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
