/** Looks of the table of photographs and of two visits side by side. */

export const visitStyle = `
  .visits { display: grid; gap: 10px; }
  .visits .photographs { border: 1px solid var(--_border); border-radius: 10px; }
  .visits table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
  .visits :is(th, td) { padding: 6px 10px; border-top: 1px solid var(--_border); text-align: end; font-weight: 450; }
  .visits thead th { border-top: 0; color: var(--_muted); font-size: 12px; vertical-align: bottom; }
  .visits th:first-child { text-align: start; }
  .visits th small { color: var(--_muted); white-space: nowrap; }
  .visits .photographs table { table-layout: fixed; }
  .visits .photographs th:first-child { width: 200px; }
  .visits .photographs thead th { padding-inline: 6px; hyphens: auto; overflow-wrap: break-word; }
  .visits .differences { border: 1px solid var(--_border); border-radius: 10px; }
  .visits .differences :is(th, td) { padding-inline: 6px; }
  .visits .differences th:first-child { hyphens: auto; overflow-wrap: anywhere; }
  .visits th .row { display: flex; align-items: center; gap: 10px; }
  .visits .choice { display: flex; flex-wrap: wrap; align-items: end; gap: 10px 16px; }
  .visits .choice label { display: grid; gap: 2px; color: var(--_muted); font-size: 13px; }
  .visits select { max-width: 240px; min-height: 36px; }
  .visits .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; }
  .visits figure { margin: 0; min-width: 0; }
  .visits figure canvas { display: block; width: 100%; border-radius: 8px; background: #000; }
  .visits figcaption { padding-top: 4px; color: var(--_muted); font-size: 13px; overflow-wrap: anywhere; }
  .visits p { margin: 0; font-size: 13px; }
  .visits p.bad { color: var(--_danger); }
  .visits canvas.thumbnail { flex: none; width: 64px; border-radius: 5px; }
  /* Each photograph is a block with named values, so that nothing has to scroll sideways. */
  @container (max-width: 900px) {
    .visits .photographs thead { position: absolute; clip-path: inset(50%); }
    .visits .photographs :is(table, tbody, tr, tbody th) { display: block; }
    .visits .photographs tbody tr { padding-bottom: 6px; }
    .visits .photographs tbody tr:not(:first-child) { border-top: 1px solid var(--_border); }
    .visits .photographs tbody th { width: auto; border-top: 0; }
    .visits .photographs td { display: flex; justify-content: space-between; gap: 8px; margin-inline: 10px; padding: 3px 0; font-weight: 600; }
    .visits .photographs td::before { content: attr(data-name); content: attr(data-name) / ''; color: var(--_muted); font-weight: 450; text-align: start; }
  }
`;
