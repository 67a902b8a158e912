/** Results of `<foveola-track>`: targets drawn over the image, and their list below it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { FrameTiming, ObjectResult, TrackedObject } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { Rate, writeFigure } from '../base/engine.ts';
import { titleOf } from '../base/views.ts';
import type { BoxDrawingController } from './boxes.ts';
import type { TargetsController } from './targets.ts';
import { middleOf, type Place } from './motion.ts';
import { toX, toY, type Box, type Colors, type View } from '../base/overlay.ts';

// The targets and numbers below the image, updated five times per second.

export class TargetListController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #targets: TargetsController;
  readonly #drawing: () => BoxDrawingController;
  readonly #rate = new Rate();
  #later = 0;

  constructor(parts: ElementParts<ObjectResult>, targets: TargetsController, drawing: () => BoxDrawingController) {
    this.#parts = parts;
    this.#targets = targets;
    this.#drawing = drawing;
    parts.host.add(this);
  }

  present(_result: ObjectResult, { dropped }: FrameTiming): void {
    this.#rate.add(dropped);
    this.#later ||= window.setTimeout(() => this.#list(), this.#rate.wait);
  }

  recalled({ targets }: ObjectResult): void {
    this.#targets.list(targets);
  }

  forgetFrame(): void {
    clearTimeout(this.#later);
    this.#later = 0;
    if (this.#targets.listed.length) this.#targets.list([]);
    this.#write('–', 0);
  }

  forget(): void {
    this.#rate.clear();
  }

  left(): void {
    clearTimeout(this.#later);
  }

  #list(): void {
    this.#later = 0;
    this.#rate.written();
    this.#targets.list(this.#targets.last?.targets ?? []);
    this.#write(this.#rate.text, this.#rate.dropped);
  }

  #write(rate: string, dropped: number): void {
    const box = this.#parts.host.find('.readout');
    writeFigure(box, 'rate', rate);
    writeFigure(box, 'dropped', String(dropped));
  }

  render(): TemplateResult {
    const { strings: s } = this.#parts;
    const { listed, selected } = this.#targets;
    const disabled = this.#parts.unready || (this.#parts.analysis.running && s.why.analysing);
    const draw = (mode: 'add' | 'correct', word: string, label: string) =>
      html`<button
        part="button"
        aria-label=${label}
        aria-pressed=${this.#drawing().mode === mode}
        title=${titleOf(label, { disabled })}
        ?disabled=${!!disabled}
        @click=${() => this.#drawing().toggle(mode)}
      >
        ${word}
      </button>`;
    const adding = this.#drawing().mode === 'add'; // then the primary action ends it
    return html`<div class="readout targets" part="readout">
      ${
        listed.length
          ? html`<div role="toolbar" aria-label=${s.track.targets}>
              ${listed.map(
                ({ id, box, confidence }) =>
                  html`<span class="target">
                    <button
                      part="button"
                      aria-pressed=${id === selected}
                      @click=${() => this.#targets.select(id === selected ? null : id)}
                    >
                      <bdi>${s.track.state(id, box ? Math.round(100 * confidence) : null)}</bdi>
                    </button>
                    <button
                      part="button"
                      aria-label=${s.track.remove(id)}
                      @click=${() => this.#targets.attempt(() => this.#targets.remove(id))}
                    >
                      ×
                    </button>
                  </span>`,
              )}
              ${adding ? nothing : draw('add', s.track.addShort, s.track.add)}
              ${selected === null ? nothing : draw('correct', s.track.correct, s.track.correct)}
            </div>`
          : html`<p class="hint">${s.track.none}</p>`
      }
      <dl>
        <div>
          <dt>${s.frameRate}</dt>
          <dd><bdi data-value="rate">–</bdi></dd>
        </div>
        <div>
          <dt>${s.dropped}</dt>
          <dd><bdi data-value="dropped">0</bdi></dd>
        </div>
      </dl>
    </div>`;
  }
}

// Draws targets: a box colored by confidence, its number, and its past positions.

/** Past positions of each target in source pixels, with gaps where it was lost. */
export class Trails {
  readonly #trails = new Map<number, (Place | null)[]>();

  clear(): void {
    this.#trails.clear();
  }

  /** `length`: maximum number of positions. */
  add(targets: readonly TrackedObject[], length: number): void {
    for (const id of this.#trails.keys()) if (!targets.some((target) => target.id === id)) this.#trails.delete(id);
    for (const { id, box } of targets) {
      const trail = this.#trails.get(id) ?? [];
      this.#trails.set(id, trail);
      trail.push(box && middleOf(box));
    }
    this.shorten(length);
  }

  /** The positions of a target, if they are known. */
  set(id: number, places: (Place | null)[]): void {
    this.#trails.set(id, places);
  }

  shorten(length: number): void {
    for (const trail of this.#trails.values()) trail.splice(0, trail.length - length);
  }

  of(id: number): readonly (Place | null)[] {
    return this.#trails.get(id) ?? [];
  }
}

/** From red at 0 to green at 1, light enough for a dark halo. */
const confidenceColor = (confidence: number): string => `hsl(${Math.round(120 * confidence)} 90% 60%)`;

/** Returns the bounding box of the drawing, in canvas pixels. */
export function drawTargets(
  context: CanvasRenderingContext2D,
  view: View,
  colors: Colors,
  targets: readonly TrackedObject[],
  trails: Trails,
  selected: number | null,
): Box | null {
  const unit = view.ratio;
  let drawn: Box | null = null;
  const include = (x: number, y: number) => {
    const by = 6 * unit;
    drawn = drawn
      ? [Math.min(drawn[0], x - by), Math.min(drawn[1], y - by), Math.max(drawn[2], x + by), Math.max(drawn[3], y + by)]
      : [x - by, y - by, x + by, y + by];
  };
  const twice = (wide: number, color: string) => {
    context.strokeStyle = colors.halo;
    context.lineWidth = (wide + 2.5) * unit;
    context.stroke();
    context.strokeStyle = color;
    context.lineWidth = wide * unit;
    context.stroke();
  };
  context.font = `600 ${13 * unit}px system-ui, sans-serif`;
  context.textBaseline = 'bottom';
  for (const { id, box, confidence, angle = 0 } of targets) {
    const color = confidenceColor(confidence);
    context.beginPath();
    let open = false;
    for (const point of trails.of(id)) {
      if (point) {
        const [x, y] = [toX(view, point.x), toY(view, point.y)];
        if (open) context.lineTo(x, y);
        else context.moveTo(x, y);
        include(x, y);
      }
      open = point !== null;
    }
    twice(1.25, color);
    if (!box) continue;
    const edges = [toX(view, box.x - 0.5), toX(view, box.x + box.width - 0.5)];
    const [left, right] = [Math.min(...edges), Math.max(...edges)];
    const [top, bottom] = [toY(view, box.y - 0.5), toY(view, box.y + box.height - 0.5)];
    context.beginPath();
    context.save();
    context.translate((left + right) / 2, (top + bottom) / 2);
    context.rotate(edges[0]! < edges[1]! ? angle : -angle); // a mirrored view rotates the other way
    context.rect((left - right) / 2, (top - bottom) / 2, right - left, bottom - top);
    context.restore();
    twice(id === selected ? 3 : 2, color);
    const label = `${id} · ${Math.round(100 * confidence)} %`;
    context.lineWidth = 4 * unit;
    context.lineJoin = 'round';
    context.strokeStyle = colors.halo;
    context.strokeText(label, left, top - 3 * unit);
    context.fillStyle = color;
    context.fillText(label, left, top - 3 * unit);
    include(left, top - 20 * unit);
    include(left + context.measureText(label).width, top);
    include(right, bottom);
    if (!angle) continue;
    const [x, y, reach] = [(left + right) / 2, (top + bottom) / 2, Math.hypot(right - left, bottom - top) / 2];
    include(x - reach, y - reach);
    include(x + reach, y + reach);
  }
  return drawn;
}
