import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { asFoveolaError, type FrameTiming } from '../../src/index.ts';
import { Divider } from './divider.ts';
import type { FoveolaEventMap } from '../parts/events.ts';
import { inField } from '../parts/keyboard.ts';
import { Menu, type MenuItem } from './menu.ts';
import type { View } from '../parts/overlay.ts';
import { progressBar } from '../parts/progress.ts';
import { SegmentIndex } from './segment-index.ts';
import { SegmentPointer } from './segment-pointer.ts';
import { VesselDrawing } from './drawing.ts';
import { trusted, VesselElement } from './vessel-element.ts';
import { figuresOf, type VesselFigures } from './figures.ts';
import type { VesselFrame } from './tracker.ts';
import {
  lengthText,
  ordered,
  segmentList,
  type SegmentOrder,
  vesselBar,
  vesselNumbers,
  vesselScales,
  vesselWarnings,
} from './views.ts';
import { vesselsStyle } from './vessels.style.ts';
import { button, holdButton, type KeyHelp } from '../parts/views.ts';
import type { Strings } from '../strings/index.ts';

/** Segments that are listed at first. */
const listedAtFirst = 100;

export type FoveolaVesselsEventMap = FoveolaEventMap<VesselFrame>;

/**
 * Shows the vessels of a fundus photograph over it, with what is measured of them: share of the field of view, widths,
 * branch points, every segment. Everything is computed in the page; nothing is uploaded. For research use, not a medical
 * device.
 *
 * A video or a camera plays without being analysed; the frame that stands when it is paused, or stepped to, is. With
 * `max-fps` that many frames a second get a preview while it plays.
 *
 * @element foveola-vessels
 *
 * @attr {'thick'|'all'} scales - The thick vessels alone, or the whole tree.
 * @attr {number} sigma - Scale of the narrowest vessels sought, in pixels; 0: in proportion to the field of view.
 * @attr {number} opacity - Of the vessels, 0 to 1.
 * @attr {string} colour - Of the vessels, as `#rrggbb`.
 * @attr {number} compare - 0 to 100: left of this part of the stage the photograph is shown as it came.
 * @attr {number} micrometres-per-pixel - Scale of the photograph; without it that of the file, where it has one.
 * @attr {boolean} points - Shows middle lines and branch points.
 * @attr {string} src - Address of an image or a video.
 * @attr {string} camera - Offers the camera: present for any, `user`, `environment`, or a device id. Starts with a click.
 * @attr {string} for - Id of a video, img or canvas elsewhere on the page; the overlay is laid over it.
 * @attr {boolean} mirror - Shows the picture mirrored; coordinates stay those of the source.
 * @attr {number} max-fps - Frames a second that are analysed while a video or a camera plays; 0: none.
 * @attr {'auto'|'gpu'|'wasm'} backend - Which side computes.
 * @attr {string} asset-base - Folder of the package's files (kernels, worker, models), where they do not lie beside the script.
 * @attr {boolean} paused - Does not play.
 * @attr {boolean} loop - Starts a recording again when it has ended.
 * @attr {boolean} controls - Shows the toolbar.
 * @attr {boolean} settings-open - Shows the settings.
 * @attr {string} lang - Language of the words, where its dictionary is imported (`en`, `de`).
 *
 * @attr {boolean} running - State: a video or a camera plays.
 * @attr {boolean} working - State: a picture is being analysed.
 * @attr {boolean} preview - State: what is shown is of a reduced picture.
 * @attr {boolean} tracking - State: vessels were found, and the result can be trusted.
 * @attr {boolean} lost - State: the picture does not look like a fundus photograph.
 * @attr {boolean} recording - State: rows are being recorded.
 * @attr {string} error - State: code of the error that is shown.
 *
 * @prop {Source | MediaStream | string | null} source - Any source; comes before `src`, `for` and `camera`.
 * @prop {Promise<Capabilities>} ready - What the engine can do on this page.
 * @prop {VesselFrame | null} result - The whole result with the settings as they are; null until it is there.
 *
 * @fires {CustomEvent<Capabilities>} foveola-ready - The engine is there.
 * @fires {CustomEvent<VesselFrame>} foveola-result - A picture was analysed. Does not bubble.
 * @fires {CustomEvent<StateDetail>} foveola-state - `state`, `tracking` or `recording` has changed.
 * @fires {CustomEvent<FoveolaError>} foveola-error - Something failed; the element shows it as well.
 * @fires {CustomEvent<ProgressDetail>} foveola-progress - A source is being opened, or analysed: `done` from 0 to 1.
 *
 * @slot media - A video, img or canvas of the page's own, used as the source.
 * @slot controls - Replaces the toolbar.
 * @slot error - Replaces what is shown when something failed.
 *
 * @csspart base - The whole element.
 * @csspart stage - The area of the picture.
 * @csspart media - The image, video or canvas that was made for the source.
 * @csspart overlay - The canvas over it.
 * @csspart divider - The line between before and after.
 * @csspart zoom - The zoom buttons.
 * @csspart badge - State over the picture.
 * @csspart bar - Scales, opacity, colour.
 * @csspart scales - The switch between thick and all.
 * @csspart readout - The numbers.
 * @csspart warning - What speaks against the result.
 * @csspart segments - The list of segments.
 * @csspart progress - Progress of a large photograph.
 * @csspart controls - The toolbar.
 * @csspart menu - The list of what can be saved.
 * @csspart button - Every button.
 * @csspart error - The error.
 * @csspart panel - The settings.
 * @csspart help - The list of keys.
 *
 * @cssprop --foveola-centre - Middle lines.
 * @cssprop --foveola-points - Branch points, and the segment that is chosen.
 * @cssprop --foveola-max-height - Greatest height of the stage.
 */
export class FoveolaVessels extends VesselElement {
  static override styles = [...VesselElement.styles, vesselsStyle];

  @property({ type: Number }) compare = 0;
  @property({ type: Boolean, reflect: true }) points = false;
  @state() private chosen: number | null = null;
  @state() private listed = { open: false, by: 'length' as SegmentOrder, most: listedAtFirst };

  #figures: VesselFigures | null = null;
  /** Of the last whole result, and in the order of the list. */
  #segments: NonNullable<VesselFrame['segments']> = [];
  #order: number[] = [];
  #index: SegmentIndex | null = null;
  #hovered: number | null = null;
  #original = false;
  #words: { from: Strings; to: Strings } | null = null;
  readonly #drawing = new VesselDrawing();
  readonly #menu = new Menu(() => (this.requestUpdate(), this.updateComplete));

  protected override get strings(): Strings {
    const from = super.strings;
    if (this.#words?.from !== from) {
      const { stage, empty, emptyHint, lines, thresholdFactor, sigma, effects, done, doubtful, keys } = from.vessels;
      const to = {
        ...{ ...from, stage, empty, emptyHint, points: lines },
        states: { ...from.states, tracking: done, lost: doubtful },
        effects: { ...from.effects, ...effects },
        parameters: { ...from.parameters, thresholdFactor, sigma },
        keys: { ...from.keys, playPause: keys.freeze, step: keys.step, points: keys.points },
      };
      this.#words = { from, to };
    }
    return this.#words!.to;
  }

  /** Highlights a segment of `result.segments` and moves it into sight; null: none. */
  choose(segment: number | null): void {
    const chosen = segment === null ? undefined : this.#segments[segment];
    this.chosen = chosen ? segment : null;
    if (!chosen) return;
    const { vessels: s } = this.strings;
    this.announce(`${s.segment(segment! + 1)}: ${s.sizes(this.#text(chosen.width), this.#text(chosen.length))}`);
    const middle = chosen.points.length >> 2;
    this.zoom.reveal(chosen.points[2 * middle]!, chosen.points[2 * middle + 1]!, this.mirror);
    void this.updateComplete.then(() => {
      const row = this.renderRoot.querySelector<HTMLElement>('.list [aria-selected=true]');
      const list = row?.parentElement;
      if (!row || !list) return;
      // Not scrollIntoView, which would scroll the page as well.
      const top = row.offsetTop - list.offsetTop;
      if (top < list.scrollTop) list.scrollTop = top;
      const bottom = top + row.offsetHeight - list.clientHeight;
      if (bottom > list.scrollTop) list.scrollTop = bottom;
    });
  }

  protected override title_(): string {
    return this.strings.vessels.title;
  }

  protected override show(result: VesselFrame | null): void {
    const segments = result?.segments ?? [];
    this.chosen = this.#hovered = this.#index = null;
    this.#pointer.leave();
    this.#figures = result && figuresOf(result);
    this.#drawing.set(result);
    // The list of the former result stays while previews are made, so that nothing jumps below the slider.
    if (!result?.preview) {
      this.#segments = segments;
      this.#order = ordered(segments, this.listed.by);
      this.listed = { ...this.listed, most: listedAtFirst };
    }
    if (result && segments.length) this.#index = new SegmentIndex(segments, result.width, result.height);
    this.drawPictured();
  }

  protected override present(result: VesselFrame, timing: FrameTiming): void {
    super.present(result, timing);
    if (result.preview) return;
    const { fraction, branchPoints } = this.#figures!;
    const { vessels: s } = this.strings;
    const found = s.found(`${this.strings.number(fraction, 1)} %`, branchPoints ?? 0);
    this.announce(result.confidence < trusted ? `${s.unlikely}. ${found}` : found);
  }

  protected override drawPictured(): void {
    if (!this.feed) return;
    const how = {
      ...{ colour: this.tint, opacity: this.strength, lines: this.points },
      ...{ chosen: this.chosen, hovered: this.#hovered },
      split: this.#original ? 1 : Math.max(0, Math.min(1, this.compare / 100)),
    };
    this.overlay?.draw((context, view, colours) => this.#drawing.draw(context, view, colours, how));
  }

  #text(pixels: number): string {
    return lengthText(this.strings, pixels, this.scale);
  }

  readonly #divider = new Divider({
    moved: (percent) => (this.compare = Math.max(0.1, percent)),
    leave: () => this.#toggleCompare(),
    describe: (percent) => {
      const { compare: label, compareAt } = this.strings.vessels;
      return { label, value: compareAt(percent) };
    },
  });

  readonly #pointer = new SegmentPointer({
    find: (x, y, reach) => {
      const hit = this.#index?.nearest(x, y, reach);
      const segment = hit && this.#segments[hit.segment];
      if (!segment) return null;
      const label = this.strings.vessels.widthHere(this.#text(segment.widths[hit.point]!), this.#text(segment.width));
      return { segment: hit.segment, label };
    },
    hovered: (segment) => {
      this.#hovered = segment;
      this.drawPictured();
    },
  });

  protected override firstUpdated(): void {
    super.firstUpdated();
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage')!;
    stage.addEventListener('pointermove', (event) => this.#pointer.move(event), { passive: true });
    stage.addEventListener('pointerleave', () => this.#pointer.leave());
  }

  protected override viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#pointer.look(view, overlay);
  }

  protected override onPressed(event: PointerEvent): void {
    const hit = this.#pointer.at(event);
    this.choose(hit && hit.segment !== this.chosen ? hit.segment : null);
  }

  #next(step: 1 | -1): void {
    const order = this.#order;
    if (!order.length || !this.#index) return;
    const at = this.chosen === null ? (step > 0 ? -1 : 0) : order.indexOf(this.chosen);
    this.choose(order[(at + step + order.length) % order.length]!);
  }

  #toggleCompare(): void {
    this.compare = this.compare > 0 ? 0 : 50;
    if (this.compare) void this.updateComplete.then(() => this.#divider.element.focus());
    else this.renderRoot.querySelector<HTMLElement>('.stage')?.focus();
  }

  #showOriginal(on: boolean): void {
    if (on === this.#original) return;
    this.#original = on;
    this.drawPictured();
  }

  protected override onOwnKey(event: KeyboardEvent): boolean {
    if (super.onOwnKey(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return false;
    if (event.key === 'ArrowRight' && !this.session?.moving) return true; // elsewhere the key for the next frame
    const key = event.key.toLowerCase();
    if (key === 'escape' && this.working) this.cancel();
    else if (key === 'escape' && this.chosen !== null) this.chosen = null;
    else if (key === 'c') this.#toggleCompare();
    else if (key === 'b') {
      this.#showOriginal(true);
      addEventListener('keyup', () => this.#showOriginal(false), { once: true });
    } else if (key === 'n') this.#next(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  protected override get ownKeys(): KeyHelp {
    const { keys } = this.strings.vessels;
    return [
      [['+', '−'], keys.zoom],
      [['0', '1'], keys.fit],
      [['←', '↑', '→', '↓'], keys.pan],
      [['C'], keys.compare],
      [['B'], keys.hold],
      [['N'], keys.next],
    ];
  }

  protected override get unusedKeys(): readonly string[] {
    return this.session?.moving ? ['analyse'] : ['analyse', 'playPause', 'record', 'mark'];
  }

  protected override get pointsShown(): boolean {
    return this.points;
  }

  protected override togglePoints(): void {
    this.points = !this.points;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#divider.show(this.feed && this.compare > 0 ? this.compare : null);
    const looks = ['colour', 'opacity', 'compare', 'points', 'chosen'];
    if (looks.some((name) => changed.has(name as never))) this.drawPictured();
  }

  protected override renderTools(): unknown {
    return html`${this.#divider.element}${this.#pointer.element}${this.#doing()}${this.renderZoom()}`;
  }

  /** What is under way, over the picture: below it it would move the sliders. */
  #doing(): TemplateResult | typeof nothing {
    const { working, strings: s } = this;
    const { vessels: words } = s;
    // What is done at once needs no bar.
    if (working && !this.held && (working.elapsed > 250 || this.shown?.preview))
      return html`<div class="doing">${progressBar(s, words.analysing, working, () => this.cancel())}</div>`;
    if (!this.interrupted) return nothing;
    return html`<div class="doing">
      <div class="progress" part="progress">
        <span>${words.cancelled}</span>
        <button type="button" part="button" @click=${() => void this.step()}>${words.again}</button>
      </div>
    </div>`;
  }

  protected override renderProgress(): typeof nothing {
    return nothing;
  }

  async #save(what: string, extension: string, make: () => Promise<string | Blob>, type?: string): Promise<void> {
    try {
      this.save(await make(), extension, type, what);
    } catch (error) {
      this.onFailure(asFoveolaError(error, 'The export'));
    }
  }

  protected override renderButtons(): TemplateResult {
    const { vessels: s } = this.strings;
    const disabled = this.unready || (!this.result && this.strings.why.noResult);
    const json = 'application/json';
    const items: MenuItem[] = [
      { name: 'mask', word: s.maskPng, act: () => void this.#save('mask', 'png', () => this.exportMask()) },
      { name: 'overlay', word: s.overlayPng, act: () => void this.#save('overlay', 'png', () => this.snapshot()) },
      {
        name: 'csv',
        word: s.segmentsCsv,
        act: () => void this.#save('segments', 'csv', () => this.exportCsv(), 'text/csv'),
      },
      { name: 'json', word: s.allJson, act: () => void this.#save('vessels', 'json', () => this.exportJson(), json) },
    ].map((item) => ({ ...item, disabled }));
    const recording = () => this.#save('recording', 'csv', () => this.exportCsv({ recording: true }), 'text/csv');
    if (this.recorder.rows) items.push({ name: 'recording', word: s.recordingCsv, act: () => void recording() });
    return html`<div class="group">
        ${button('compare', s.compare, () => this.#toggleCompare(), {
          ...{ pressed: this.compare > 0, disabled: this.unready, key: 'C' },
        })}
        ${holdButton('eye', s.hold, (on) => this.#showOriginal(on), { disabled, key: 'B' })}
      </div>
      <div class="group">${this.#menu.template('download', s.saveLong, s.save, items)}</div>`;
  }

  protected override renderReadout(): TemplateResult {
    const { strings: s, shown, given, scale } = this;
    const preview = shown?.preview ?? false;
    const whole = preview ? null : shown;
    const longer = Math.max(this.feed?.width ?? 0, this.feed?.height ?? 0);
    const bar = {
      scales: vesselScales.find((name) => name === this.scales) ?? 'thick',
      sigma: typeof given.sigma === 'number' ? given.sigma : 0,
      greatestSigma: Math.min(32, Math.max(4, Math.round(longer / 100))),
      ...{ opacity: this.strength, colour: this.tint },
    };
    const numbers = {
      ...{ figures: this.#figures, preview, micrometresPerPixel: scale },
      fromFile: scale !== null && scale === this.fileScale && !given.micrometresPerPixel,
    };
    const list = { segments: this.#segments, order: this.#order, chosen: this.chosen, stale: preview };
    const live = this.phase === 'running' && this.standingOnly;
    return html`${vesselBar(s, bar, {
        scales: (scales) => this.edit({ scales }),
        sigma: (sigma) => this.edit({ sigma: sigma || undefined }, 'sigma'),
        opacity: (opacity) => this.edit({ opacity }, 'opacity'),
        colour: (colour) => this.edit({ colour }, 'colour'),
        held: (on) => this.press(on),
      })}
      ${whole ? vesselWarnings(s, whole.warnings, whole.confidence < trusted) : nothing}
      ${vesselNumbers(s, numbers, (value) => this.edit({ micrometresPerPixel: value ?? undefined }))}
      ${
        this.#segments.length
          ? segmentList(
              s,
              { ...list, ...this.listed, micrometresPerPixel: scale },
              {
                by: (by) => {
                  this.#order = ordered(this.#segments, by);
                  this.listed = { ...this.listed, by };
                },
                choose: (segment) => this.choose(segment),
                open: (open) => (this.listed = { ...this.listed, open }),
                all: () => (this.listed = { ...this.listed, most: Infinity }),
              },
            )
          : nothing
      }
      <p class="research">${live ? `${s.vessels.live}. ` : nothing}${s.vessels.research}</p>`;
  }
}
