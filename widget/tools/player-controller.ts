/**
 * Connects the element to the player, which navigates the open recording. The timeline is loaded after its first frame.
 */
import { FoveolaError, type FoveolaErrorCode, frames, type FrameTiming, asFoveolaError } from '../../src/index.ts';
import { loadPart, canvasIsNoisy, shown, soundOf } from '../../src/internal.ts';
import { html, nothing } from 'lit';
import type { MissedFrame, PlayerControl, PlayerGiven, VideoOptions } from './player/exporting.ts';
import { loadVideoWriter, type Feed } from '../base/feed.ts';
import type { Player } from './player/player.ts';
import type { Host } from '../base/host.ts';
import type { AnyResult, Rendered } from '../base/kind.ts';
import type { MenuItem, MenuName } from '../base/toolbar.ts';
import { progressBar } from '../base/engine.ts';
import { button } from '../base/views.ts';

/** Loads player.js (the timeline and other tools for recordings) after the first frame of a recording. */
export const loadPlayer = () =>
  loadPart('player.js', () => import('./player/player.ts'), 'The timeline', 'leave out controls');

/** Parts of an element that the player uses. */
type Reached<R extends AnyResult> = Pick<
  PlayerGiven<R>,
  'host' | 'state' | 'picture' | 'session' | 'analysis' | 'recorder' | 'parameters' | 'toggle' | 'unplayable'
>;

export class PlayerController<R extends AnyResult> implements PlayerControl {
  readonly #host: Host<R>;
  readonly #parts: Reached<R>;
  #player: Player<R> | null = null;
  #loading: Promise<Player<R>> | null = null;
  /** Frames of the timeline that came before it had loaded. Null: it could not be loaded. */
  #missed: MissedFrame<R>[] | null = [];
  /** Feed for which the timeline was requested. */
  #asked: Feed | null = null;
  #rate = 1;
  range: readonly [from: number, to: number] | null = null;

  constructor(parts: Reached<R>) {
    this.#host = parts.host;
    this.#parts = parts;
    parts.host.add(this);
  }

  get video(): HTMLVideoElement | null {
    const { feed } = this.#host.shown;
    return feed && !feed.live && feed.element instanceof HTMLVideoElement ? feed.element : null;
  }

  get panel(): Rendered {
    if (!this.#host.element.controls || !(this.video || this.#host.shown.awaited)) return nothing;
    return (this.video && this.#player?.render()) ?? html`<div class="timeline"></div>`; // in its place while it loads
  }

  /** Items for a recording in the menus of the toolbar. */
  menus(name: MenuName): readonly MenuItem[] {
    return (this.video && this.#player?.menus(name)) || [];
  }

  get duration(): number {
    return this.#player?.duration ?? this.video?.duration ?? NaN;
  }

  get rate(): number {
    return this.#rate;
  }

  set rate(rate: number) {
    if (typeof rate !== 'number' || !(rate >= 0.0625 && rate <= 16))
      throw new FoveolaError('invalid-argument', `playbackRate must be a number of 0.0625 to 16, not ${shown(rate)}.`);
    this.#rate = rate;
    const { video } = this;
    if (video) video.playbackRate = rate;
    this.#host.element.requestUpdate();
  }

  async seek(milliseconds: number): Promise<R | null> {
    if (!Number.isFinite(milliseconds))
      throw new FoveolaError('invalid-argument', `seek: the time must be milliseconds, not ${shown(milliseconds)}.`);
    return (await this.load()).seek(milliseconds / 1000);
  }

  async exportVideo(options?: VideoOptions): Promise<Blob> {
    return (await this.load()).exporting.start(options);
  }

  back(): void {
    this.#player?.back();
  }

  load(): Promise<Player<R>> {
    if (!this.video)
      return Promise.reject(new FoveolaError('source-not-ready', 'No recording is open. Open a video file first.'));
    const failed = (error: unknown, doing: string) => this.#parts.session.onFailure(asFoveolaError(error, doing));
    this.#loading ??= loadPlayer().then(
      ({ Player }) =>
        (this.#player = new Player({
          ...{
            ...this.#parts,
            control: this,
            html,
            nothing,
            button,
            progressBar,
            failed,
            loadVideoWriter,
            frames,
            soundOf,
            canvasIsNoisy,
          },
          error: (code: FoveolaErrorCode, message: string) => new FoveolaError(code, message),
          missed: this.#missed?.splice(0) ?? [],
        }) as Player<R>),
    );
    this.#loading.catch(() => (this.#loading = this.#missed = null));
    return this.#loading;
  }

  present(result: R, timing: FrameTiming): void {
    const { analysis, session, recorder } = this.#parts;
    if (!this.#player && this.#host.element.controls && (analysis.running || session.current?.running))
      this.#missed?.push({ result, timing, recorded: recorder.active });
  }

  forget(): void {
    this.#missed &&= [];
  }

  begin(): void {
    this.#missed ??= [];
    const { video } = this;
    if (video && this.#rate !== 1) video.playbackRate = this.#rate;
    this.range = null;
  }

  published(): void {
    const { element, shown } = this.#host;
    const { feed } = shown;
    if (this.#asked === feed || !this.video || !element.controls) return;
    this.#asked = feed;
    // If it cannot be loaded, the rest of the element still works, and the element shows advice.
    this.load().then(
      () => element.requestUpdate(),
      (error) => this.#parts.state.setShortfall(asFoveolaError(error, 'The timeline')),
    );
  }

  left(): void {
    this.#asked = null;
  }
}
