/**
 * Connects the measures around the disc, and manual correction, to the element. It loads their code, and queues requests
 * until that has loaded.
 */
import { html, nothing } from 'lit';
import {
  checkCorrections,
  FoveolaError,
  type RetinalMeasures,
  type RetinaReport,
  type VesselCorrection,
  asFoveolaError,
} from '../../../src/index.ts';
import { loadPart, type RetinaRow } from '../../../src/internal.ts';
import { choiceSwitch } from '../../base/controls.ts';
import type { ElementParts } from '../../base/element-parts.ts';
import { inField } from '../../base/page.ts';
import type { Rendered } from '../../base/kind.ts';
import type { View } from '../../base/overlay.ts';
import { button } from '../../base/views.ts';
import type { VesselFrame } from '../tracker.ts';
import type { Visits } from '../visits.ts';
import type { WorkController } from '../work.ts';
import type { Correcting } from './correcting.ts';
import type { ReportAbout } from './tools.ts';

const loadCorrecting = () =>
  loadPart(
    'vessel-corrections.js',
    () => import('./correcting.ts'),
    'Measures around the optic disc need their own part',
    'do without them',
  );
type Later = Awaited<ReturnType<typeof loadCorrecting>>;

/** Detail of the event `foveola-correction`. */
export interface CorrectionDetail {
  corrections: readonly VesselCorrection[];
  /** The result with its corrections. */
  result: VesselFrame;
  retina: RetinalMeasures;
}

/** Converts errors of lazily loaded code to the element's class. */
const asOwn = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw asFoveolaError(error, 'The report');
  });

export class CorrectionController {
  readonly #parts: ElementParts<VesselFrame>;
  readonly #own: { correcting: boolean };
  readonly #work: WorkController;
  #later: Promise<Later> | null = null;
  #made: Correcting | null = null;
  #loading: { of: VesselFrame | null; done: Promise<void> } | null = null;
  /** Corrections for the next result. */
  #pending: readonly VesselCorrection[] | null = null;
  #look: [View, HTMLCanvasElement] | null = null;
  #scale: number | null = null;

  constructor(parts: ElementParts<VesselFrame>, own: { correcting: boolean }, work: WorkController) {
    this.#parts = parts;
    this.#own = own;
    this.#work = work;
    parts.host.add(this);
  }

  get list(): readonly VesselCorrection[] {
    return this.#pending ?? this.#made?.list ?? [];
  }

  get retina(): RetinalMeasures | null {
    return this.#made?.retina ?? null;
  }

  /** Every measure. Null until they are available. */
  get rows(): readonly RetinaRow[] | null {
    return this.#made?.rows ?? null;
  }

  /** A table for several photographs. */
  async visits(): Promise<Visits> {
    return new (await this.#module()).Visits(this.#parts);
  }

  /** Resolves when the open image has its measures, or cannot have any. */
  async settled(): Promise<void> {
    if (!this.#work.automatic) return;
    await this.#load().catch(() => {}); // reported by `published`
    await this.#made?.measured();
  }

  /** The layer over the image. */
  get layer(): unknown {
    return this.#made?.layer ?? nothing;
  }

  /**
   * Throws 'invalid-argument': the message names the path and the rule. Whether the corrections fit the photograph is
   * checked once it is open.
   */
  set(corrections: unknown): void {
    this.#pending = checkCorrections(corrections);
    // A source set together with the corrections is open or loading by then.
    this.#parts.actions.attempt('Correcting', async () => {
      await this.#parts.host.element.updateComplete;
      if (this.#parts.state.phase === 'loading' || !this.#work.automatic) return;
      if (this.#made?.ready) this.#made.set(this.#taken()!);
      else await this.#load();
    });
  }

  toggle(): void {
    this.#own.correcting = !this.#own.correcting;
    if (!this.#own.correcting) this.#parts.host.focusStage();
  }

  report(about: ReportAbout): Promise<RetinaReport> {
    return asOwn(this.#report(about));
  }

  printed(about: ReportAbout): Promise<string> {
    return asOwn(this.#printed(about));
  }

  async #report(about: ReportAbout): Promise<RetinaReport> {
    const { retinaReport } = await this.#module();
    await this.#load();
    await this.#made!.measured();
    return this.#work.export(async ({ exportHeader }, of) => {
      const { about: who, source, parameters, backend, renderer } = await exportHeader(of);
      const { list: corrections, retina } = this;
      const from = { frame: of.result, retina, corrections, source, parameters, backend, renderer };
      return retinaReport(from, { ...(who && { about: who }), ...about });
    });
  }

  async #printed(about: ReportAbout): Promise<string> {
    const { printedReport } = await this.#module();
    const report = await this.#report(about);
    const overlay = await this.#work.export(({ exportedOverlay }, of) => exportedOverlay(of));
    return printedReport(report, overlay, this.#parts.strings.vessels.correct.picture);
  }

  published({ preview }: VesselFrame): void {
    if (preview || !this.#work.automatic) return;
    const { actions, state } = this.#parts;
    if (this.#pending?.length || this.#own.correcting) actions.attempt('Correcting', () => this.#load());
    else this.#load().catch((error) => state.setShortfall(asFoveolaError(error, 'Measuring')));
  }

  parametersChanged(): void {
    void this.#made?.automatic(null);
  }

  forgetFrame(): void {
    void this.#made?.automatic(null);
  }

  closing(): void {
    this.#made?.forget();
  }

  viewChanged(view: View, overlay: HTMLCanvasElement): void {
    this.#look = [view, overlay];
    this.#made?.viewChanged(view, overlay);
  }

  updated(): void {
    const { correcting } = this.#own;
    if (correcting && !this.#made && !this.#loading && this.#work.automatic)
      this.#parts.actions.attempt('Correcting', async () => {
        try {
          await this.#load();
        } catch (error) {
          this.#own.correcting = false; // pressing again retries
          throw error;
        }
      });
    this.#made?.show(correcting && this.#parts.feed !== null);
    const { scale } = this.#work;
    if (scale !== this.#scale) this.#made?.refresh();
    this.#scale = scale;
  }

  left(): void {
    void this.#made?.automatic(null);
  }

  draw(context: CanvasRenderingContext2D, unit: number, halo: string): void {
    this.#made?.draw(context, unit, halo);
  }

  onKey(event: KeyboardEvent): boolean {
    // A field with text or a number uses letters itself, and has its own undo.
    const typed = inField(event) && !(event.composedPath()[0] as HTMLElement).matches('[type=range]');
    return this.#own.correcting && !typed && (this.#made?.onKey(event) ?? false);
  }

  render(): Rendered {
    return this.#own.correcting && this.#made ? this.#made.render() : nothing;
  }

  #module(): Promise<Later> {
    const later = (this.#later ??= loadCorrecting());
    later.catch(() => (this.#later = null));
    return later;
  }

  /** The correction code, with the current result. Requested once per result. */
  #load(): Promise<void> {
    const { automatic } = this.#work;
    if (this.#loading?.of !== automatic || this.#pending) {
      const loading = (this.#loading = { of: automatic, done: this.#loaded(automatic) });
      loading.done.catch(() => this.#loading === loading && (this.#loading = null));
    }
    return this.#loading!.done;
  }

  async #loaded(automatic: VesselFrame | null): Promise<void> {
    if (!automatic)
      throw new FoveolaError('source-not-ready', 'No result exists yet. Open a photograph and wait for its vessels.');
    const { Correcting } = await this.#module();
    if (!this.#made) {
      const parts = this.#parts;
      this.#made = new Correcting(
        {
          parts,
          picture: () => this.#work.picture(),
          scale: () => this.#work.scale,
          show: (frame) => this.#work.correct(frame),
          corrected: () => this.#tell(),
          redraw: () => parts.host.kind.draw(),
          leave: () => this.toggle(),
        },
        { html, nothing, button, choiceSwitch },
      );
      if (this.#look) this.#made.viewChanged(...this.#look);
    }
    if (automatic === this.#work.automatic) await this.#made.automatic(automatic, this.#taken());
    this.#parts.host.element.requestUpdate();
  }

  /** Requests made before a result existed. From now on the correction code owns them. */
  #taken(): readonly VesselCorrection[] | null {
    const corrections = this.#pending;
    this.#pending = null;
    return corrections;
  }

  #tell(): void {
    const { result } = this.#work;
    const { list: corrections, retina } = this;
    if (result && retina)
      this.#parts.host.emit('correction', { corrections, result, retina } satisfies CorrectionDetail);
  }
}
