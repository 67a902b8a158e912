/** As text: the file that is loaded later makes a style sheet of it. */
export const chartStyle = `
  .chart canvas { cursor: crosshair; }
  .chart-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 2px; padding-left: 36px; }
  .chart-bar > button { font-weight: 600; }
  .chart-bar details { margin-inline-start: auto; }
  .chart-bar details[open] { flex-basis: 100%; }
  .chart-bar summary { min-height: 38px; padding: 8px 9px; color: var(--_muted); font-size: 13px; cursor: pointer; }
  .chart-bar .rows { max-height: 260px; overflow: auto; }
  .chart-bar table { width: 100%; border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
  .chart-bar th, .chart-bar td { padding: 2px 8px; border-top: 1px solid var(--_border); text-align: end; }
  .chart-bar th { color: var(--_muted); font-weight: 500; }
`;
