/** A string, since the lazily loaded file creates the style sheet. */
export const timelineStyle = `
  .timeline { padding: 8px 12px 6px; border-top: 1px solid var(--_border); background: var(--_surface); }
  .timeline .scrub { position: relative; height: 44px; padding: 8px 0; direction: ltr; cursor: pointer; touch-action: pan-y; border-radius: 6px; }
  .timeline .scrub canvas { display: block; width: 100%; height: 28px; }
  .timeline .head { position: absolute; top: 2px; bottom: 2px; width: 2px; margin-left: -1px; background: var(--_text); pointer-events: none; }
  .timeline .head::before { position: absolute; top: -1px; left: -5px; width: 12px; height: 12px; border-radius: 50%; background: var(--_text); content: ''; }
  .timeline .row { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 4px; }
  .timeline .clock { margin-inline-end: auto; color: var(--_muted); font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .timeline .clock b { color: var(--_text); font-weight: 600; }
  .timeline select { min-height: 38px; max-width: 90px; border-color: transparent; }
  .timeline select[part=hiding] { max-width: 150px; }
  .stage[data-exporting] > :is(video, canvas) { visibility: hidden; }
  .timeline button > svg:not([fill]) { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
  .timeline .letter { font-weight: 650; }
  :host(:fullscreen) .base { display: flex; flex-direction: column; height: 100%; border: 0; border-radius: 0; overflow: auto; }
  :host(:fullscreen) .stage { flex: 1 1 50vh; max-height: none; }
  @media (forced-colors: active) {
    .timeline .scrub { border: 1px solid CanvasText; forced-color-adjust: none; background: Canvas; }
    .timeline .head, .timeline .head::before { background: CanvasText; }
  }
`;
