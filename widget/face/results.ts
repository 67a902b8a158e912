/** Results of `<foveola-face>`: drawn over the image, and as numbers below it. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Face, measureFace, type FaceResult, type FrameTiming } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { emptyFigures, Rate } from '../base/engine.ts';
import { viewOf } from '../base/feed.ts';
import { toX, toY, type Box, type Colors, type View } from '../base/overlay.ts';
import type { ChartModel } from '../tools/chart/model.ts';
import { eyeName } from '../base/views.ts';
import { type EyeView, eyeOfSide } from './eyes.ts';

/** Attributes of the element that this file reads. */
interface Own {
  readonly view: EyeView | null;
  readonly model: string | null;
  readonly rate: boolean;
}

/** Names of the eyes of a face, the left one in the image first. */
function eyesOf({ host, feed }: ElementParts<FaceResult>, { view }: Own): string[] {
  const { strings, element } = host;
  return [0, 1].map((index) => eyeName(strings, eyeOfSide(index, view ?? viewOf(feed)), index, element.mirror));
}

const measuresOf = ({ landmarks, landmarkConfidence }: Face) => landmarks && measureFace(landmarks, landmarkConfidence);

const degrees = (angle = NaN) => (angle * 180) / Math.PI;
const whole = (value: number) => (Number.isNaN(value) ? '–' : String(Math.round(value)));

/** Head pose in degrees, and opening of eyes and mouth in percent. NaN: unknown. */
function figuresOf(face: Face | undefined, measures = face && measuresOf(face)): [pose: number[], opening: number[]] {
  const { yaw, pitch, roll, mouthOpening = NaN } = measures ?? {};
  const shares = [...(face?.openness ?? [NaN, NaN]), mouthOpening];
  return [[yaw, pitch, roll].map(degrees), shares.map((share) => 100 * share)];
}

/** Curves over time of the first face. */
export const faceCharts = (parts: ElementParts<FaceResult>, own: Own): ChartModel<FaceResult> => ({
  boxes: () => {
    const { face: s } = parts.strings;
    if (own.model === 'none') return [];
    return [
      { label: s.pose, unit: '°', lines: [s.yaw, s.pitch, s.roll] },
      { label: s.opening, unit: '%', lines: [...eyesOf(parts, own), s.mouth] },
    ];
  },
  samples: ({ faces: [face] }) => figuresOf(face).map((values) => [values, face?.score ?? NaN]),
});

// The numbers below the image. They are written directly into the DOM five times per second, without a render.

export class ReadoutController {
  readonly #parts: ElementParts<FaceResult>;
  readonly #own: Own;
  readonly #rate = new Rate();
  #later = 0;
  #result: FaceResult | null = null;

  constructor(parts: ElementParts<FaceResult>, own: Own) {
    this.#parts = parts;
    this.#own = own;
    parts.host.add(this);
  }

  present(result: FaceResult, { dropped }: FrameTiming): void {
    this.#rate.add(dropped);
    this.recalled(result);
  }

  recalled(result: FaceResult): void {
    this.#result = result;
    // The rate limit holds, but the last result is always written: a photograph gets its landmarks later.
    this.#later ||= window.setTimeout(() => this.#write(), this.#rate.wait);
  }

  #write(): void {
    const box = this.#parts.host.find('.readout');
    this.#later = 0;
    this.#rate.written();
    if (!box || !this.#result) return;
    const { faces, warnings } = this.#result;
    const { face: s } = this.#parts.strings;
    const [face] = faces;
    const measures = face && measuresOf(face);
    const [pose, opening] = figuresOf(face, measures);
    const texts = [
      String(faces.length),
      whole(100 * (face?.score ?? NaN)),
      face?.blink === undefined ? '–' : face.blink ? s.shut : s.open,
      ...[...pose, degrees(face?.gaze?.yaw), degrees(face?.gaze?.pitch), ...opening].map(whole),
      ...[this.#rate.text, String(this.#rate.dropped)],
    ];
    // In the order of `render`.
    box.querySelectorAll('[data-value]').forEach((place, i) => {
      if (place.textContent !== texts[i]) place.textContent = texts[i]!;
    });
    this.#warn(warnings ? s.cut : measures?.warnings.length ? s.untrusted : '');
  }

  /** Faces were left out, or the points of the first face are unreliable. */
  #warn(text: string): void {
    const place = this.#parts.host.find('.unsure');
    if (place && place.textContent !== text) place.textContent = place.title = text;
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#result = null;
    this.#rate.hurry();
    emptyFigures(this.#parts.host.find('.readout'));
    this.#warn('');
  }

  forget(): void {
    this.#rate.clear();
  }

  left(): void {
    this.forgetFrame();
    this.forget();
  }

  /** Groups of figures, each with a small label. */
  render(): TemplateResult {
    const s = this.#parts.strings;
    const { face } = s;
    const [left = '', right = ''] = eyesOf(this.#parts, this.#own);
    type Figure = readonly [name: string, label: string, unit?: string];
    const group = (title: string, ...figures: readonly Figure[]) =>
      html`<div>
        <dt>${title}</dt>
        ${figures.map(
          ([name, label, unit]) =>
            html`<dd>
              <small>${label}</small> <bdi dir="ltr"><span data-value=${name}>–</span> <small>${unit}</small></bdi>
            </dd>`,
        )}
      </div>`;
    return html`<dl class="readout" part="readout">
        ${group(face.faces, ['faces', ''])} ${group(s.confidence, ['score', '', '%'])}
        ${group(face.blink, ['blink', ''])}
        ${group(face.pose, ['yaw', face.yaw, '°'], ['pitch', face.pitch, '°'], ['roll', face.roll, '°'])}
        ${group(face.gaze, ['gaze-yaw', face.yaw, '°'], ['gaze-pitch', face.pitch, '°'])}
        ${group(face.opening, ['left', left, '%'], ['right', right, '%'], ['mouth', face.mouth, '%'])}
        ${this.#own.rate ? [group(s.frameRate, ['rate', '']), group(s.dropped, ['dropped', ''])] : nothing}
      </dl>
      <p class="hint unsure" part="hint" role="status"></p>`;
  }
}

// Draws faces: boxes with their numbers, and landmarks as contours. A hidden face is covered by its coarse pixels.

/** Contours through the 68 landmarks of most models. A `closed` contour returns to its first point. */
const contours: readonly { from: number; to: number; closed?: boolean }[] = [
  { from: 0, to: 16 },
  { from: 17, to: 21 },
  { from: 22, to: 26 },
  { from: 27, to: 30 },
  { from: 31, to: 35 },
  { from: 36, to: 41, closed: true },
  { from: 42, to: 47, closed: true },
  { from: 48, to: 59, closed: true },
  { from: 60, to: 67, closed: true },
];

interface FaceDrawing {
  readonly points: boolean;
  /** Source of the pixels of hidden faces. Null: faces are not hidden. */
  readonly hidden: CanvasImageSource | null;
  /** Canvas for the coarse cells of a hidden face. */
  readonly small: OffscreenCanvas | null;
}

function path(context: CanvasRenderingContext2D, view: View, landmarks: Float32Array): void {
  context.beginPath();
  if (landmarks.length !== 136) return;
  for (const { from, to, closed } of contours) {
    for (let i = from; i <= to; i++) {
      const [x, y] = [toX(view, landmarks[2 * i]!), toY(view, landmarks[2 * i + 1]!)];
      if (i === from) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    if (closed) context.closePath();
  }
}

/**
 * Draws the face's pixels as coarse cells. The area is larger (1.3 x 1.5), since the frame on show may be one ahead.
 */
function hide(context: CanvasRenderingContext2D, view: View, face: Face, { hidden, small }: FaceDrawing): void {
  const [w, h] = [face.width * 1.3, face.height * 1.5];
  const [x, y] = [face.x + (face.width - w) / 2, face.y + (face.height - h) / 2];
  const cells = small!.getContext('2d')!;
  cells.imageSmoothingEnabled = true;
  cells.clearRect(0, 0, small!.width, small!.height);
  cells.drawImage(hidden!, x, y, w, h, 0, 0, small!.width, small!.height);
  const left = toX(view, x - 0.5);
  const right = toX(view, x + w - 0.5);
  context.save();
  context.beginPath();
  const top = toY(view, y - 0.5);
  const height = h * view.scaleY;
  context.ellipse((left + right) / 2, top + height / 2, Math.abs(right - left) / 2, height / 2, 0, 0, 2 * Math.PI);
  context.clip();
  if (view.mirror) {
    context.translate(left, 0);
    context.scale(-1, 1);
    context.drawImage(small!, 0, top, left - right, height);
  } else context.drawImage(small!, left, top, right - left, height);
  context.restore();
}

/** Returns the bounding box of the drawing, in canvas pixels. */
export function drawFaces(
  context: CanvasRenderingContext2D,
  view: View,
  colors: Colors,
  faces: readonly Face[],
  drawing: FaceDrawing,
): Box | null {
  const unit = view.ratio;
  let drawn: Box | null = null;
  const cover = (x: number, y: number, by: number) => {
    drawn = drawn
      ? [Math.min(drawn[0], x - by), Math.min(drawn[1], y - by), Math.max(drawn[2], x + by), Math.max(drawn[3], y + by)]
      : [x - by, y - by, x + by, y + by];
  };
  for (const face of faces) {
    const ends = [toX(view, face.x), toX(view, face.x + face.width)];
    const [left, right] = [Math.min(...ends), Math.max(...ends)];
    const [top, bottom] = [toY(view, face.y), toY(view, face.y + face.height)];
    const reach = Math.max(right - left, bottom - top) * 0.3 + 28 * unit;
    cover(left, top, reach);
    cover(right, bottom, reach);
    if (drawing.hidden) hide(context, view, face, drawing);
    else if (face.landmarks) {
      for (let i = 0; i < face.landmarks.length; i += 2)
        cover(toX(view, face.landmarks[i]!), toY(view, face.landmarks[i + 1]!), 6 * unit);
      path(context, view, face.landmarks);
      stroke(context, colors, unit);
      if (drawing.points || face.landmarks.length !== 136) dots(context, view, colors, face.landmarks, unit);
    }
    context.beginPath();
    context.roundRect(left, top, right - left, bottom - top, 6 * unit);
    stroke(context, colors, unit);
    context.font = `600 ${13 * unit}px system-ui, sans-serif`;
    context.textBaseline = 'bottom';
    context.lineWidth = 4 * unit;
    context.strokeStyle = colors.halo;
    context.strokeText(String(face.id), left + 2 * unit, top - 4 * unit);
    context.fillStyle = colors.ellipse;
    context.fillText(String(face.id), left + 2 * unit, top - 4 * unit);
  }
  return drawn;
}

function stroke(context: CanvasRenderingContext2D, colors: Colors, unit: number): void {
  context.lineJoin = 'round';
  context.strokeStyle = colors.halo;
  context.lineWidth = 4 * unit;
  context.stroke();
  context.strokeStyle = colors.ellipse;
  context.lineWidth = 1.75 * unit;
  context.stroke();
}

function dots(
  context: CanvasRenderingContext2D,
  view: View,
  colors: Colors,
  landmarks: Float32Array,
  unit: number,
): void {
  context.fillStyle = colors.points;
  for (let i = 0; i < landmarks.length; i += 2) {
    context.beginPath();
    context.arc(toX(view, landmarks[i]!), toY(view, landmarks[i + 1]!), 2 * unit, 0, 2 * Math.PI);
    context.fill();
  }
}
