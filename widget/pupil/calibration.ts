/**
 * Calibrates millimeters: with a disc of known size, with a ruler between two points, or with the iris, marked or measured.
 * The shape is over the image, its fields are in the panel.
 */
import { html, nothing, type TemplateResult } from 'lit';
import {
  type CalibrationNote,
  type FoveolaError,
  millimetresPerPixel,
  type PupilResult,
  asFoveolaError,
} from '../../src/index.ts';
import type { View } from '../base/overlay.ts';
import { problemText, titleOf } from '../base/views.ts';
import { OwnScale } from '../tools/own-scale.ts';
import { type Box, discAbout, ShapeTool } from '../tools/shape.ts';
import { lengthOf, type Line, LineTool } from './line-tool.ts';
import { IrisSource } from './measured-iris.ts';
import type { PanelParts } from './region.ts';
import { iris, type Made, noteOf, originText, type Way, ways } from './scale-origin.ts';

interface Marking {
  readonly way: Way;
  readonly disc: Box | null;
  readonly line: Line | null;
}

/** Initial circle in the middle of the image. */
function discIn(width: number, height: number): Box {
  const size = Math.min(width, height) / 3;
  return { x: (width - size) / 2, y: (height - size) / 2, width: size, height: size };
}

const pixelsOf = ({ disc, line }: Marking): number => (line ? lengthOf(line) : (disc?.width ?? 0));

const value = (event: Event) => (event.target as HTMLInputElement).valueAsNumber;

/** Marks the shape. Escape cancels without a trace. Applying the calibration can be undone. */
export class CalibrationController {
  readonly #disc: ShapeTool;
  readonly #line: LineTool;
  readonly #parts: PanelParts;
  readonly #own: { readonly millimetresPerPixel: number | null };
  #marking: Marking | null = null;
  #made: Made | null = null;
  /** As typed. */
  readonly #millimetres = { disc: 10, ruler: 10, iris: iris.millimetres as number };
  #problem: FoveolaError | null = null;
  readonly #scale: OwnScale<PupilResult>;
  readonly #iris: IrisSource;

  constructor(parts: PanelParts, own: { readonly millimetresPerPixel: number | null }) {
    this.#parts = parts;
    this.#own = own;
    const end = { leave: () => this.cancel(), done: () => this.apply() };
    this.#disc = new ShapeTool(
      'disc',
      {
        ...{ ...end, remove: () => this.cancel(), changed: (disc: Box) => this.#mark({ ...this.#marking!, disc }) },
        describe: ({ width }) => `${this.#words.at(parts.strings.number(width, 1))}. ${parts.strings.shapeKeys}`,
      },
      { smallest: 4, step: 0.5 },
    );
    this.#line = new LineTool({
      ...{ ...end, changed: (line: Line) => this.#mark({ ...this.#marking!, line }) },
      describe: (line) => {
        const { calibrations: c, number } = parts.strings;
        return `${c.ruler.at(number(lengthOf(line), 1))}. ${c.rulerKeys}`;
      },
    });
    this.#scale = new OwnScale(parts, 'millimetresPerPixel');
    this.#iris = new IrisSource(parts);
    parts.host.add(this);
  }

  /** Origin of the scale, for exports. Null if it was not made here. */
  get note(): CalibrationNote | null {
    const made = this.#made;
    return made?.scale === this.#own.millimetresPerPixel ? noteOf(made) : null;
  }

  /** Layers over the image. */
  get layer(): TemplateResult {
    return html`${this.#disc.element}${this.#line.element}`;
  }

  /** A shape is being placed. */
  get marking(): boolean {
    return this.#marking !== null;
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#disc.look(view, overlay);
    this.#line.look(view, overlay);
  }

  closing(): void {
    this.cancel();
  }

  left(): void {
    this.#problem = null;
  }

  get #words() {
    const { calibrations } = this.#parts.strings;
    return calibrations[this.#marking?.way ?? 'disc'];
  }

  /** The initial shape: around the pupil for an iris, otherwise in the middle. */
  #start(way: Way): void {
    const { feed, picture } = this.#parts;
    if (!feed) return;
    const { width, height } = feed;
    if (way === 'ruler') {
      const y = height / 2;
      const line: Line = [
        { x: width / 3, y },
        { x: (2 * width) / 3, y },
      ];
      this.#mark({ way, disc: null, line });
      this.#line.focus();
      return;
    }
    const pupil = picture.result?.pupils.find(({ found }) => found);
    const at = pupil && { x: pupil.x + 0.5, y: pupil.y + 0.5, width: 0, height: 0 };
    const around = at && discAbout(at, 1.5 * pupil.diameter, { ...feed, smallest: 4, disc: true });
    this.#mark({ way, disc: (way === 'iris' && around) || discIn(width, height), line: null });
    this.#disc.focus();
  }

  /** Cancels without a trace. */
  cancel(): void {
    if (!this.#marking) return;
    this.#mark(null);
    this.#parts.host.focusStage();
  }

  apply(): void {
    if (!this.#marking) return;
    const { way } = this.#marking;
    const [pixels, millimetres] = [pixelsOf(this.#marking), this.#millimetres[way]];
    try {
      const scale = millimetresPerPixel(pixels, millimetres);
      this.#mark(null);
      this.#take({ way, pixels, millimetres, scale });
      this.#parts.host.focusStage();
    } catch (error) {
      this.#problem = asFoveolaError(error, 'The calibration');
      this.#parts.host.element.requestUpdate();
    }
  }

  #take(made: Made): void {
    this.#made = made;
    this.#scale.set(made.scale);
    this.#parts.state.announce(`${this.#parts.strings.calibrated}. ${this.#describe(made)}`);
  }

  /** Uses the iris that the second opinion measured. */
  readonly #useIris = (): void => {
    const measured = this.#iris.measure();
    if (!measured) return;
    const { pixels } = measured;
    const { millimetres } = iris;
    this.#take({ way: 'iris', pixels, millimetres, scale: millimetresPerPixel(pixels, millimetres), measured });
  };

  /** Origin and uncertainty of a calibration as text. */
  #describe(made: Made): string {
    const { strings, settings, host } = this.#parts;
    return originText(strings, made, settings.all.eyes, host.element.mirror);
  }

  #mark(marking: Marking | null): void {
    const { feed } = this.#parts;
    const [width, height] = [feed?.width ?? 0, feed?.height ?? 0];
    this.#marking = marking;
    this.#problem = null;
    this.#disc.show(marking?.disc ?? null, width, height);
    this.#disc.armed = !!marking?.disc;
    this.#line.show(marking?.line ?? null, width, height);
    this.#parts.host.element.requestUpdate();
  }

  /** The typed width of the disc or of the iris. */
  #resize(pixels: number): void {
    const { feed } = this.#parts;
    const marking = this.#marking;
    if (!marking?.disc || !feed || !(pixels > 0)) return;
    this.#mark({ ...marking, disc: discAbout(marking.disc, pixels / 2, { ...feed, smallest: 4, disc: true }) });
  }

  render(): TemplateResult {
    const { calibration } = this.#parts.strings;
    return html`<fieldset class="fields">
      <legend>${calibration}</legend>
      ${this.#marking ? this.#placing(this.#marking) : this.#choice()}
    </fieldset>`;
  }

  /** Fields while a shape is placed. */
  #placing(marking: Marking): TemplateResult {
    const { strings: s } = this.#parts;
    const w = this.#words;
    const { way } = marking;
    const take = (event: Event) => (this.#millimetres[way] = value(event));
    const enter = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      take(event);
      this.apply();
    };
    return html`<p>${w.hint}</p>
      <label
        >${w.pixels}
        <input
          type="number"
          min="4"
          step="any"
          ?readonly=${way === 'ruler'}
          .value=${pixelsOf(marking).toFixed(1)}
          @change=${(event: Event) => this.#resize(value(event))}
      /></label>
      <label
        >${w.millimetres}
        <input
          class="millimetres"
          type="number"
          min="0"
          step="any"
          .value=${String(this.#millimetres[way])}
          @change=${take}
          @keydown=${enter}
      /></label>
      <button type="button" part="button" @click=${() => this.apply()}>${s.apply}</button>
      <button type="button" part="button" @click=${() => this.cancel()}>${s.cancel}</button>
      ${this.#problem ? html`<p class="problem" role="alert">${problemText(s, this.#problem)}</p>` : nothing}`;
  }

  #choice(): TemplateResult {
    const { strings: s, feed } = this.#parts;
    const { millimetresPerPixel: scale } = this.#own;
    const edit = (value: number | null) => this.#scale.set(value);
    const made = this.#made?.scale === scale ? this.#made : null;
    return html`<label
        >mm/px
        <input
          type="number"
          min="0.000001"
          max="10"
          step="any"
          placeholder="–"
          .value=${scale === null ? '' : String(Number(scale.toPrecision(6)))}
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            if (input.value === '') edit(null);
            else if (input.validity.valid) edit(input.valueAsNumber);
          }}
      /></label>
      ${ways.map(
        (way) =>
          html`<button
            type="button"
            part="button"
            title=${titleOf(s.calibrations[way].mark, { disabled: !feed && s.why.noSource })}
            ?disabled=${!feed}
            @click=${() => this.#start(way)}
          >
            ${s.calibrations[way].mark}
          </button>`,
      )}
      ${this.#iris.render(this.#useIris)}
      ${
        scale === null
          ? html`<p>${s.notCalibrated}</p>`
          : html`<button type="button" part="button" @click=${() => edit(null)}>${s.removeCalibration}</button>
              ${made ? html`<p>${this.#describe(made)}</p>` : nothing}`
      }`;
  }
}
