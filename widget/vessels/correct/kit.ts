/** What is loaded later gets of the element: in the CDN scripts Lit is inside the script, and there may be one Lit only. */
import type { html, nothing } from 'lit';
import type { choiceSwitch } from '../../parts/choice-switch.ts';
import type { ElementParts } from '../../parts/element-parts.ts';
import type { button } from '../../parts/views.ts';
import type { Source } from '../../../src/index.ts';
import type { Corrected } from './measuring.ts';
import type { VesselFrame } from '../tracker.ts';

export interface Kit {
  readonly html: typeof html;
  readonly nothing: typeof nothing;
  readonly button: typeof button;
  readonly choiceSwitch: typeof choiceSwitch;
}

export interface CorrectingHost {
  readonly parts: ElementParts<VesselFrame>;
  /** What was analysed. */
  picture(): Promise<Source | null>;
  /** Micrometres per pixel. */
  scale(): number | null;
  /** In the place of the automatic result; `measured`: not a preview of the mask alone. */
  show(frame: VesselFrame, measured: Corrected | null): void;
  /** The list has changed, and its measures are there. */
  corrected(): void;
  redraw(): void;
  leave(): void;
}
