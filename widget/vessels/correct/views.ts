/** Measures of a result with its corrections, and the toolbar for correction. */
import {
  correctedMask,
  correctedOptions,
  type Engine,
  type KindCorrection,
  retinalMeasures,
  type OpticDiscResult,
  type RetinalMeasures,
  type Source,
  type VesselCorrection,
} from '../../../src/index.ts';
import { retinaRows, type RetinaRow } from '../../../src/internal.ts';
import { changed, scaled } from '../figures.ts';
import type { VesselFrame } from '../tracker.ts';
import type { html, nothing, TemplateResult } from 'lit';
import type { choiceSwitch } from '../../base/controls.ts';
import type { ElementParts } from '../../base/element-parts.ts';
import { clearIcon, redoIcon, undoIcon } from '../../base/icons.ts';
import type { button } from '../../base/views.ts';
import type { Strings } from '../../strings/index.ts';
import { tools, type Tool } from './tools.ts';

// Computes measures from the automatic result and a list of corrections, in the engine. The last list counts.

export type CorrectingEngine = Pick<Engine, 'vesselMeasures' | 'opticDisc'>;

export interface Corrected {
  readonly frame: VesselFrame;
  readonly retina: RetinalMeasures;
  /** Every measure, in micrometers if the scale is known. */
  readonly rows: readonly RetinaRow[];
  /**
   * Kind of each segment, from the user or from its colors. The colors cover only segments in the zone around the disc.
   */
  readonly kinds: readonly (KindCorrection['kind'] | null)[];
}

export class Measuring {
  readonly automatic: VesselFrame;
  readonly #picture: Source;
  readonly #engine: CorrectingEngine;
  #found: Promise<OpticDiscResult> | null = null;
  /** Result of the last strokes, measured only once. */
  #last: { strokes: string; made: Promise<{ frame: VesselFrame; found: OpticDiscResult }> } | null = null;
  #run: AbortController | null = null;

  constructor(automatic: VesselFrame, picture: Source, engine: CorrectingEngine) {
    this.automatic = automatic;
    this.#picture = picture;
    this.#engine = engine;
  }

  /** Returns the mask without measures. */
  preview(corrections: readonly VesselCorrection[]): Pick<VesselFrame, 'mask' | 'fraction'> {
    const { mask, fraction } = correctedMask(this.automatic, corrections);
    return { mask, fraction };
  }

  /** Rejects with 'aborted' if another list followed. */
  async measure(corrections: readonly VesselCorrection[], micrometresPerPixel: number): Promise<Corrected> {
    const strokes = corrections.filter((one) => 'width' in one);
    const key = JSON.stringify(strokes);
    if (this.#last?.strokes !== key) {
      this.cancel();
      const run = (this.#run = new AbortController());
      const made = this.#measured(strokes, run.signal);
      const last = (this.#last = { strokes: key, made });
      made.catch(() => this.#last === last && (this.#last = null));
    }
    const { frame, found } = await this.#last!.made;
    const options = correctedOptions(found, corrections, frame.segments!);
    const retina = retinalMeasures(frame, { ...options, micrometresPerPixel });
    const kinds: (KindCorrection['kind'] | null)[] = [...options.corrected!];
    for (const { segment, kind } of retina.zone?.vessels ?? []) kinds[segment] ??= kind;
    const rows = retinaRows(
      scaled(frame, retina.micrometresPerPixel),
      retina,
      retina.micrometresPerPixel ? 'um' : 'px',
    );
    return { frame, retina, rows, kinds };
  }

  cancel(): void {
    this.#run?.abort();
    this.#run = this.#last = null;
  }

  async #measured(strokes: readonly VesselCorrection[], signal: AbortSignal) {
    const { automatic } = this;
    // From the automatic result. It is not aborted together with the measures of one list, since all lists need it.
    this.#found ??= this.#engine.opticDisc(this.#picture, { segments: automatic.segments! });
    this.#found.catch(() => (this.#found = null));
    const found = await this.#found;
    if (!strokes.length) return { frame: automatic, found };
    const { mask, byHand, fraction } = correctedMask(automatic, strokes);
    const {
      backend: _,
      scale: __,
      ...measures
    } = await this.#engine.vesselMeasures(this.#picture, mask, { byHand, signal });
    const frame = changed(automatic, { mask, fraction, ...measures });
    const { depths } = await this.#engine.opticDisc(this.#picture, { segments: frame.segments, signal });
    return { frame, found: { ...found, depths } };
  }
}

// Dependencies that lazily loaded code gets from the element. The CDN scripts contain Lit, and only one copy of Lit may
// exist.

export interface Kit {
  readonly html: typeof html;
  readonly nothing: typeof nothing;
  readonly button: typeof button;
  readonly choiceSwitch: typeof choiceSwitch;
}

export interface CorrectingHost {
  readonly parts: ElementParts<VesselFrame>;
  /** The analyzed image. */
  picture(): Promise<Source | null>;
  /** Micrometers per pixel. */
  scale(): number | null;
  /** Replaces the automatic result. `measured`: null for a preview of the mask only. */
  show(frame: VesselFrame, measured: Corrected | null): void;
  /** The list has changed, and its measures are ready. */
  corrected(): void;
  redraw(): void;
  leave(): void;
}

interface ToolbarModel {
  tool: Tool;
  size: number;
  greatest: number;
  count: number;
  canUndo: boolean;
  canRedo: boolean;
}

interface ToolbarActions {
  tool(tool: Tool): void;
  size(size: number): void;
  undo(): void;
  redo(): void;
  reset(): void;
}

export function correctToolbar(
  { html, button, choiceSwitch }: Kit,
  strings: Strings,
  model: ToolbarModel,
  act: ToolbarActions,
): TemplateResult {
  const { correct: s, pixels } = strings.vessels;
  const { tool, size, greatest, count, canUndo, canRedo } = model;
  return html`<div class="vessels" part="correct" role="group" aria-label=${s.name}>
    ${choiceSwitch({ label: s.tool, part: 'tools', values: tools, words: s.tools, chosen: tool }, act.tool)}
    <label class="slider"
      ><span
        >${s.size} <output><bdi dir="ltr">${pixels(String(size))}</bdi></output></span
      >
      <input
        type="range"
        name="brush"
        min="1"
        max=${greatest}
        .value=${String(size)}
        aria-label=${s.size}
        aria-valuetext=${pixels(String(size))}
        @input=${(event: Event) => act.size((event.target as HTMLInputElement).valueAsNumber)}
      />
    </label>
    <div class="group">
      ${button(undoIcon, s.undo, act.undo, { disabled: !canUndo && s.none, key: 'Control+Z' })}
      ${button(redoIcon, s.redo, act.redo, { disabled: !canRedo && s.none, key: 'Control+Shift+Z' })}
      ${button(clearIcon, s.reset, act.reset, { disabled: !count && s.none })}
    </div>
    <p class="corrections" part="corrections">${count ? s.count(count) : s.none}</p>
  </div>`;
}
