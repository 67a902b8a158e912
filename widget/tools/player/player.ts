/**
 * Navigation in a recording: seeking by pointer, keys and page, with the known result of the frame or a new one, and
 * looping a part. Loaded when a recording is open.
 */
import type { EyeEvent, FrameTiming } from '../../../src/index.ts';
import type { Part } from '../../base/host.ts';
import type { AnyResult, Rendered } from '../../base/kind.ts';
import type { MenuItem, MenuName } from '../../base/toolbar.ts';
import type { Known, Recall } from '../../base/session-host.ts';
import { Exporting, type PlayerGiven } from './exporting.ts';
import { FloatingPicture } from './strip.ts';
import { KnownResults, stateOf } from './known-results.ts';
import { type PlacedMark, Timeline } from './timeline.ts';

// Duration of a recording whose file does not contain it: recorders that write while recording do not know the end.

/**
 * Duration in seconds. The browser finds the end if it seeks far beyond it. This uses a separate video, since the
 * visible one would be seen to jump. NaN if the end cannot be found.
 */
export async function findDuration(source: Blob | string, crossOrigin: string | null): Promise<number> {
  const video = document.createElement('video');
  const address = typeof source === 'string' ? source : URL.createObjectURL(source);
  video.muted = true;
  video.preload = 'metadata';
  video.crossOrigin = crossOrigin;
  const event = (name: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error('unreadable')), { once: true });
    });
  try {
    const loaded = event('loadedmetadata');
    video.src = address;
    await loaded;
    if (video.duration === Infinity) {
      const found = event('durationchange');
      video.currentTime = 1e7;
      await found;
    }
    return Number.isFinite(video.duration) ? video.duration : NaN;
  } catch {
    return NaN;
  } finally {
    video.removeAttribute('src');
    video.load();
    if (typeof source !== 'string') URL.revokeObjectURL(address);
  }
}

export { ChartTools } from './chart-tools.ts';

interface Wanted<R> {
  readonly seconds: number;
  readonly resolve: (result: R | null) => void;
}

/** A gap in the recording longer than this many milliseconds starts another part. */
const apart = 500;

export class Player<R extends AnyResult = AnyResult> implements Part<R> {
  readonly #parts: PlayerGiven<R>;
  readonly #timeline: Timeline<R>;
  readonly known = new KnownResults<R>();
  readonly floating: FloatingPicture;
  readonly exporting: Exporting<R>;
  marks: PlacedMark[] = [];
  /** Recorded parts, in milliseconds of media time. */
  recorded: [from: number, to: number][] = [];
  /** Start of the current frame in milliseconds. */
  position = 0;
  /** Duration of a recording that does not contain it. */
  #found = NaN;
  #latest: Known<R> | null = null;
  #wanted: Wanted<R> | null = null;
  #going = false;

  constructor(parts: PlayerGiven<R>) {
    this.#parts = parts;
    this.floating = new FloatingPicture(
      (canvas) => parts.picture.paintOn(canvas),
      () => parts.host.store.set({ floating: false }),
    );
    this.exporting = new Exporting(parts, this.known);
    this.#timeline = new Timeline(parts, this);
    parts.host.add(this);
    for (const { recorded, ...one } of parts.missed) {
      this.#settle(one.result);
      this.#keep(one);
      if (recorded) this.#extend(one.timing.mediaTime);
    }
    this.begin();
  }

  get #video(): HTMLVideoElement | null {
    return this.#parts.control.video;
  }

  /** Duration in seconds. NaN if unknown. */
  get duration(): number {
    const duration = this.#video?.duration ?? NaN;
    return duration === Infinity ? this.#found : duration;
  }

  /** Milliseconds between frames. */
  get interval(): number {
    return this.#parts.session.current?.clock.interval ?? 1000 / 30;
  }

  get marksAtPosition(): PlacedMark[] {
    return this.marks.filter(({ mediaTime }) => Math.abs(mediaTime - this.position) <= this.interval);
  }

  render(): Rendered {
    return this.#timeline.render();
  }

  menus(name: MenuName): MenuItem[] {
    return this.#timeline.menus(name);
  }

  /** Resolves with the result of the frame there, or null if another seek followed. */
  seek(seconds: number): Promise<R | null> {
    return new Promise((resolve) => {
      this.#wanted?.resolve(null);
      this.#wanted = { seconds, resolve };
      if (!this.#going) void this.#go();
    });
  }

  /** Goes to the previous frame. */
  back(): void {
    this.#parts.host.element.paused = true;
    const known = this.known.before(this.position);
    const usual = this.position - this.interval;
    const near = known && known.timing.mediaTime > usual - this.interval / 2 ? known.timing.mediaTime : usual;
    void this.seek((near + 0.5) / 1000);
  }

  hostConnected(): void {
    this.#timeline.open();
  }

  begin(): void {
    const { feed } = this.#parts.host.shown;
    this.#latest = null;
    this.#found = NaN;
    this.position = 1000 * (this.#video?.currentTime ?? 0);
    this.#timeline.show();
    if (this.#video?.duration !== Infinity || feed?.file === undefined) return;
    void findDuration(feed.file, this.#video.crossOrigin).then((found) => {
      if (feed !== this.#parts.host.shown.feed) return;
      this.#found = found;
      this.#timeline.show();
    });
  }

  present(result: R, timing: FrameTiming): void {
    if (!this.#video) return;
    this.#latest = { result, timing };
    this.#settle(result);
    const { session, analysis, recorder } = this.#parts;
    // The start time of a still frame is not known.
    if (session.current?.running || analysis.running) this.#keep(this.#latest);
    if (recorder.active) this.#extend(timing.mediaTime);
    this.#moved(timing.mediaTime);
    const { range } = this.#parts.control;
    if (range && session.current?.running && timing.mediaTime >= 1000 * range[1] - this.interval / 2)
      void this.seek(range[0]);
  }

  published(): void {
    this.floating.draw();
  }

  recalled(): void {
    this.floating.draw();
  }

  /** The page may have moved its own video. A loop that ends at the end of the recording also restarts here. */
  playback(): void {
    const { session, control, host } = this.#parts;
    if (control.range && session.current?.ended) {
      void this.seek(control.range[0]);
      host.element.start().catch(() => {}); // the element itself reports the error
    }
    this.#timeline.show();
  }

  marked(label: string, timestamp: number): void {
    const mediaTime = this.#latest && this.known.mediaTimeAt(timestamp);
    if (mediaTime === null || Number.isNaN(mediaTime)) return;
    this.marks.push({ label, mediaTime });
    this.#timeline.show();
  }

  unmarked(label: string): void {
    const at = this.marks.map((mark) => mark.label).lastIndexOf(label);
    if (at >= 0) this.marks.splice(at, 1);
    this.#timeline.show();
  }

  /** Known results, their states and the displayed one follow the corrections. */
  corrected(events: readonly EyeEvent[]): void {
    const { kind } = this.#parts.host;
    const { picture, state, host } = this.#parts;
    this.known.correct(events, (entry) => {
      const { result } = this.#settled({ result: entry, timing: this.#latest!.timing })!;
      return stateOf(kind.meaningOf(result));
    });
    const known = this.#settled(this.known.recall(this.position, this.interval));
    if (known && picture.result && !this.#parts.session.current?.running) {
      picture.prepare(known.result);
      state.setMeaning(kind.meaningOf(known.result));
      host.tell('recalled', known.result);
    }
    this.#timeline.show();
  }

  parametersChanged(): void {
    this.known.clear();
    this.#timeline.show();
  }

  forget(): void {
    this.known.clear();
    this.marks = [];
    this.recorded = [];
    this.#timeline.show();
  }

  analysis(): void {
    this.exporting.cancel();
  }

  closing(): void {
    this.exporting.cancel();
    this.#wanted?.resolve(null);
    this.#wanted = null;
    this.floating.close().catch(() => {}); // it is closed either way
  }

  updated(): void {
    this.#timeline.show();
  }

  left(): void {
    this.#timeline.close();
  }

  async #go(): Promise<void> {
    this.#going = true;
    for (let wanted; (wanted = this.#wanted);) {
      this.#wanted = null;
      wanted.resolve(await this.#show(wanted.seconds));
    }
    this.#going = false;
  }

  async #show(wanted: number): Promise<R | null> {
    const { session, analysis } = this.#parts;
    const { current } = session;
    const video = this.#video;
    if (!current || !video || analysis.running || this.exporting.progress) return null;
    const seconds = Math.max(0, Math.min(wanted, this.duration - 0.001 || wanted));
    this.#moved(1000 * seconds);
    // While it plays, frames are measured, so that their results are continuous.
    if (current.running) return current.goTo(seconds);
    let exact = true;
    let known: Known<R> | null = null;
    const recall: Recall<R> = ({ media, standing = false }) => {
      exact = !standing;
      return (known = this.#settled(this.known.recall(media, standing ? this.interval : 0)));
    };
    const result = await current.goTo(seconds, recall);
    if (result && known) this.#showAgain(known);
    else if (result && exact && this.#latest?.result === result) this.#keep(this.#latest);
    this.#timeline.show();
    return result;
  }

  #settled(known: Known<R> | null): Known<R> | null {
    const { settled } = this.#parts.host.kind;
    return known && settled ? { ...known, result: settled(known.result, this.known.events) } : known;
  }

  #showAgain(known: Known<R>): void {
    const { host, picture, state } = this.#parts;
    picture.shows(known.result);
    state.setMeaning(host.kind.meaningOf(known.result));
    host.kind.draw();
    host.tell('recalled', known.result);
    this.#moved(known.timing.mediaTime);
  }

  #settle(result: R): void {
    for (const event of this.#parts.host.kind.eventsOf?.(result) ?? []) this.known.events.settle(event);
  }

  #keep({ result, timing }: Known<R>): void {
    const { kind } = this.#parts.host;
    this.known.add({ result: kind.largeResults ? null : result, timing, state: stateOf(kind.meaningOf(result)) });
  }

  #extend(mediaTime: number): void {
    const part = this.recorded.find(([from, to]) => mediaTime >= from - apart && mediaTime <= to + apart);
    if (!part) this.recorded.push([mediaTime, mediaTime]);
    else {
      part[0] = Math.min(part[0], mediaTime);
      part[1] = Math.max(part[1], mediaTime);
    }
  }

  #moved(mediaTime: number): void {
    this.position = mediaTime;
    this.#timeline.moved();
  }
}
