/** The numbers below the image. They are written directly into the DOM five times per second, without a render. */
import { html, nothing, type TemplateResult } from 'lit';
import { type Face, measureFace, type FaceMeasures, type FaceResult, type FrameTiming } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { emptyFigures, Rate, writeFigure } from '../base/engine.ts';

const degrees = (...angles: readonly number[]) =>
  angles.map((angle) => Math.round((angle * 180) / Math.PI)).join(' | ');
const pose = ({ yaw, pitch, roll }: FaceMeasures) => degrees(yaw, pitch, roll);
const openings = ({ eyes }: FaceMeasures) => eyes.map(({ opening }) => Math.round(100 * opening)).join(' | ');

export class ReadoutController {
  readonly #parts: ElementParts<FaceResult>;
  readonly #rate = new Rate();
  #later = 0;
  #result: FaceResult | null = null;

  constructor(parts: ElementParts<FaceResult>) {
    this.#parts = parts;
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
    const { faces } = this.#result;
    writeFigure(box, 'faces', String(faces.length));
    writeFigure(box, 'score', faces.map(({ score }) => Math.round(100 * score)).join(' | ') || '–');
    writeFigure(box, 'rate', this.#rate.text);
    writeFigure(box, 'dropped', String(this.#rate.dropped));
    const [face] = faces;
    const measures = face?.landmarks ? measureFace(face.landmarks, face.landmarkConfidence) : null;
    writeFigure(box, 'pose', measures ? pose(measures) : '–');
    writeFigure(box, 'eyes', measures ? openings(measures) : '–');
    writeFigure(box, 'blink', this.#blink(face));
    writeFigure(box, 'gaze', face?.gaze ? degrees(face.gaze.yaw, face.gaze.pitch) : '–');
    this.#show('.untrusted', !!measures?.warnings.length);
    this.#show('.cut', !!this.#result.warnings);
  }

  #blink(face: Face | undefined): string {
    if (face?.blink === undefined) return '–';
    const { face: s } = this.#parts.strings;
    return face.blink ? s.shut : s.open;
  }

  /** Shows a hint: the points of the first face are unreliable, or faces were left out. */
  #show(hint: '.untrusted' | '.cut', shown: boolean): void {
    const place = this.#parts.host.find<HTMLElement>(hint);
    if (place) place.hidden = !shown;
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#result = null;
    this.#rate.hurry();
    emptyFigures(this.#parts.host.find('.readout'));
    this.#show('.untrusted', false);
    this.#show('.cut', false);
  }

  forget(): void {
    this.#rate.clear();
  }

  left(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#rate.clear();
  }

  render(rate: boolean): TemplateResult {
    const s = this.#parts.strings;
    const item = (name: string, label: string, unit = '') =>
      html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi dir="ltr"><span data-value=${name}>–</span>${unit ? html`<small>${unit}</small>` : nothing}</bdi>
        </dd>
      </div>`;
    return html`<dl class="readout" part="readout">
        ${item('faces', s.face.faces)} ${item('score', s.confidence, '%')} ${item('pose', s.face.pose, '°')}
        ${item('eyes', s.face.eyes, '%')} ${item('blink', s.face.blink)} ${item('gaze', s.face.gaze, '°')}
        ${rate ? [item('rate', s.frameRate), item('dropped', s.dropped)] : nothing}
      </dl>
      <p class="hint untrusted" part="hint" role="status" hidden>${s.face.untrusted}</p>
      <p class="hint cut" part="hint" role="status" hidden>${s.face.cut}</p>`;
  }
}
