/** Elements whose picture is zoomed and moved in its stage. The keys are those of ZoomPan. */
import type { PropertyValues } from 'lit';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { FoveolaElement } from './element.ts';
import { inField } from './keyboard.ts';
import { zoomButtons } from '../vessels/views.ts';
import { ZoomPan } from './zoom-pan.ts';

export abstract class ZoomElement<R extends { timestamp: number; dropped: number }> extends FoveolaElement<R> {
  @state() private zoomPercent = 100;

  protected readonly zoom = new ZoomPan({
    moved: () => {
      this.overlay?.moved();
      this.zoomPercent = Math.round(this.zoom.percent);
    },
    pressed: (event) => this.onPressed(event),
  });

  /** The picture was pressed, and not dragged. */
  protected onPressed(_event: PointerEvent): void {}

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { feed } = this;
    if (!changed.has('feed' as never)) return;
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage')!;
    const media = feed && !feed.external ? feed.element : null;
    this.zoom.attach(stage, media, feed?.width ?? 1, feed?.height ?? 1);
  }

  protected override onOwnKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || inField(event)) return false;
    return this.zoom.key(event, event.composedPath()[0] === this.renderRoot.querySelector('.stage'));
  }

  protected override left(): void {
    this.zoom.detach();
  }

  protected renderZoom(): TemplateResult | typeof nothing {
    if (!this.feed || this.feed.external) return nothing;
    return html`${zoomButtons(this.strings, this.zoomPercent, this.zoom.zoom === 1, {
      in: () => this.zoom.in(),
      out: () => this.zoom.out(),
      fit: () => this.zoom.fit(),
    })}`;
  }
}
