/** Results of `<foveola-pupil>`: drawn over the image, and as numbers below it. */
import { html, nothing, type TemplateResult } from 'lit';
import { EventList, type FrameTiming, type PupilResult, qualityLimits, type Pupil } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { emptyFigures, Rate, writeFigure } from '../base/engine.ts';
import type { Strings } from '../strings/index.ts';
import { toX, toY, type Box, type Colors, type View } from '../base/overlay.ts';

/** A pupil was found, but the user should check it. */
export const isDoubtful = ({ found, confidence }: Pupil): boolean => found && confidence < qualityLimits.confidence;

// The numbers below the image. They are written directly into the DOM five times per second, without a render.

export class ReadoutController {
  readonly #parts: ElementParts<PupilResult>;
  readonly #rate = new Rate();
  #later = 0;
  #result: PupilResult | null = null;
  // Counts until an analysis has ended, which has its own.
  #frames = 0;
  #found = 0;
  #newest = 0;
  readonly #events = new EventList();

  constructor(parts: ElementParts<PupilResult>) {
    this.#parts = parts;
    parts.host.add(this);
  }

  forget(): void {
    this.#rate.clear();
    this.#frames = this.#found = this.#newest = 0;
    this.#events.clear();
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#result = null;
    this.#rate.hurry();
    emptyFigures(this.#parts.host.find('.readout'));
    this.#warn([]);
  }

  present(result: PupilResult, timing: FrameTiming): void {
    const { timestamp, pupils, events } = result;
    if (timestamp < this.#newest && !this.#parts.shown.analysing) this.forget(); // played again
    this.#newest = timestamp;
    this.#rate.add(timing.dropped);
    this.#frames++;
    if (pupils.some(({ found }) => found)) this.#found++;
    for (const event of events) this.#events.settle(event);
    this.recalled(result);
  }

  recalled(result: PupilResult): void {
    this.#result = result;
    // The rate limit holds, but the last result is always written.
    this.#later ||= window.setTimeout(() => this.#write(), this.#rate.wait);
  }

  left(): void {
    clearTimeout(this.#later);
  }

  render(unit: string): TemplateResult {
    const { strings: s } = this.#parts;
    const item = (name: string, label: string, unitText = '') =>
      html`<div>
        <dt>${label}${unitText ? html`, <bdi>${unitText}</bdi>` : nothing}</dt>
        <dd><bdi dir="ltr" data-value=${name}>–</bdi></dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('diameter', s.diameter, unit)} ${item('found', s.found, '%')} ${item('blinks', s.blinks)}
        ${item('center', s.center, 'px')} ${item('confidence', s.confidence, '%')} ${item('rate', s.frameRate)}
        ${item('dropped', s.dropped)}
      </dl>
      <p class="hint unsure" part="hint" role="status"></p>`;
  }

  /** Warns that the pupil is unreliable, with the reasons. */
  #warn(texts: readonly string[]): void {
    const place = this.#parts.host.find<HTMLElement>('.unsure');
    const text = texts.join(' ');
    if (!place || place.textContent === text) return;
    place.textContent = place.title = text;
  }

  #write(): void {
    const result = this.#result;
    const box = this.#parts.host.find('.readout');
    this.#rate.written();
    this.#later = 0;
    if (!box || !result) return;
    const { number, unsure, eyeLetters } = this.#parts.strings;
    const write = (name: string, text: string) => writeFigure(box, name, text);
    const { pupils, warnings = [] } = result;
    // If the comma is the decimal sign, a semicolon separates two numbers.
    const between = number(0.5, 1).includes(',') ? '; ' : ', ';
    // In screen order, with letters if it is known whose eyes they are.
    const seen = this.#parts.host.element.mirror ? [...pupils].reverse() : pupils;
    const letter = ({ eye }: (typeof pupils)[number]) => (eye === 'unknown' ? '' : `${eyeLetters[eye]} `);
    const each = (value: (pupil: (typeof pupils)[number]) => string) =>
      seen.map((pupil) => letter(pupil) + (pupil.found ? value(pupil) : '–')).join(' | ');
    write(
      'diameter',
      each((p) => (p.diameterMm === null ? number(p.diameter, 1) : number(p.diameterMm, 2))),
    );
    write(
      'center',
      each((p) => number(p.x, 1) + between + number(p.y, 1)),
    );
    write(
      'confidence',
      each((p) => number(p.confidence * 100)),
    );
    const { analysed } = this.#parts.shown;
    const { recording } = this.#parts.recorder;
    const { found, frames } = analysed ?? { found: this.#found, frames: this.#frames };
    const events = analysed && recording ? recording.events : this.#events;
    const blinks = (i: number) => events.of(i).filter(({ kind }) => kind === 'blink').length;
    write('found', frames ? number((100 * found) / frames, 1) : '–');
    // A single image has none.
    const moves = this.#parts.session.current?.moving;
    write('blinks', moves ? seen.map((pupil) => letter(pupil) + blinks(pupils.indexOf(pupil))).join(' | ') : '–');
    write('rate', this.#rate.text);
    write('dropped', String(this.#rate.dropped));
    this.#warn(pupils.some(isDoubtful) ? [unsure, ...warnings] : warnings);
  }
}

// Draws a pupil: ellipse with a dark halo (readable on bright skin), center cross, name of the eye, and optional
// border points.

const margin = 14;

function grow(box: Box | null, x: number, y: number, by: number): Box {
  if (!box) return [x - by, y - by, x + by, y + by];
  return [Math.min(box[0], x - by), Math.min(box[1], y - by), Math.max(box[2], x + by), Math.max(box[3], y + by)];
}

function outline(context: CanvasRenderingContext2D, view: View, pupil: Pupil): number {
  const { ellipse, circle } = pupil;
  const x = toX(view, pupil.x);
  const y = toY(view, pupil.y);
  // Both axes use one scale, unless the page stretches its media.
  const stretch = view.scaleY / view.scale;
  const major = (ellipse ? ellipse.major / 2 : circle.r) * view.scale;
  const minor = (ellipse ? ellipse.minor / 2 : circle.r) * view.scale;
  const angle = (ellipse?.angle ?? 0) * (view.mirror ? -1 : 1);
  context.beginPath();
  if (stretch === 1) context.ellipse(x, y, major, minor, angle, 0, 2 * Math.PI);
  else {
    context.save();
    context.translate(x, y);
    context.scale(1, stretch);
    context.ellipse(0, 0, major, minor, angle, 0, 2 * Math.PI);
    context.restore();
  }
  return major * Math.max(1, stretch);
}

/** Letter right above the outline. It is not mirrored with the image. */
function letter(
  context: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [number, number],
  colors: Colors,
  unit: number,
): void {
  context.font = `600 ${14 * unit}px system-ui, sans-serif`;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.lineWidth = 3 * unit;
  context.strokeStyle = colors.halo;
  context.strokeText(text, x + 3 * unit, y);
  context.fillStyle = colors.ellipse;
  context.fillText(text, x + 3 * unit, y);
}

/** Returns the bounding box of the drawing, in canvas pixels. */
export function drawPupils(
  context: CanvasRenderingContext2D,
  view: View,
  colors: Colors,
  pupils: readonly Pupil[],
  withPoints: boolean,
  letters: Strings['eyeLetters'],
): Box | null {
  const unit = view.ratio;
  let box: Box | null = null;
  for (const pupil of pupils) {
    if (!pupil.found) continue;
    const radius = outline(context, view, pupil);
    if (!(radius > 0 && radius < 4 * (view.width + view.height))) continue;
    context.strokeStyle = colors.halo;
    context.lineWidth = 5 * unit;
    context.stroke();
    context.strokeStyle = colors.ellipse;
    context.lineWidth = 2.25 * unit;
    context.stroke();

    const x = toX(view, pupil.x);
    const y = toY(view, pupil.y);
    const arm = Math.min(7 * unit, radius * 0.6);
    context.beginPath();
    context.moveTo(x - arm, y);
    context.lineTo(x + arm, y);
    context.moveTo(x, y - arm);
    context.lineTo(x, y + arm);
    context.strokeStyle = colors.center;
    context.lineWidth = 1.5 * unit;
    context.stroke();
    box = grow(box, x, y, radius + margin * unit);
    if (pupil.eye !== 'unknown') {
      letter(context, letters[pupil.eye], [x + 0.71 * radius, y - 0.71 * radius], colors, unit);
      box = grow(box, x, y, radius + 2 * margin * unit);
    }

    for (const glint of pupil.glints ?? []) {
      const around = Math.max(4 * unit, 1.5 * view.scale * Math.sqrt(glint.area / Math.PI));
      const [gx, gy] = [toX(view, glint.x), toY(view, glint.y)];
      context.beginPath();
      context.arc(gx, gy, around, 0, 2 * Math.PI);
      context.stroke();
      box = grow(box, gx, gy, around + margin * unit);
    }

    if (withPoints && pupil.outline?.length) {
      const side = (view.scale < 0.75 * unit ? 1.75 : 3) * unit; // on a small image the points would cover the outline
      context.fillStyle = colors.points;
      for (let i = 0; i + 1 < pupil.outline.length; i += 2) {
        const px = toX(view, pupil.outline[i]!);
        const py = toY(view, pupil.outline[i + 1]!);
        context.fillRect(px - side / 2, py - side / 2, side, side);
        box = grow(box, px, py, side);
      }
    }
  }
  return box;
}
