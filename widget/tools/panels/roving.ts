/** Every toolbar inside an element (below the image, in the timeline, a list of files) is one tab stop. */

/** Browsers make a list that scrolls a tab stop, so it is one of the controls. */
const stopsOf = (bar: Element): HTMLElement[] =>
  [...bar.querySelectorAll<HTMLElement>(':is(button, select):not(:disabled), summary, ul')].filter(
    (one) => one.localName !== 'ul' || one.scrollHeight > one.clientHeight,
  );

/** Lets the Tab key reach one control of each toolbar: the focused one, otherwise the last one. */
export function oneStop(root: ShadowRoot | null): void {
  for (const bar of root?.querySelectorAll('[role=toolbar]') ?? []) {
    const stops = stopsOf(bar);
    const focused = root!.activeElement;
    const stop = stops.find((one) => one === focused) ?? stops.find(({ dataset }) => dataset.stop) ?? stops[0];
    for (const one of stops) {
      one.tabIndex = one === stop ? 0 : -1;
      if (one === stop) one.dataset.stop = 'true';
      else delete one.dataset.stop;
    }
  }
}

/** The control in the next row of a list or a table, in the same place. */
function inNextRow(target: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const row = target.closest('li, tr');
  const rows = [...(row?.parentElement?.children ?? [])].filter((one) => !(one as HTMLElement).hidden);
  const next = row && rows[rows.indexOf(row) + step];
  return next ? (stopsOf(next)[stopsOf(row).indexOf(target)] ?? stopsOf(next)[0]) : undefined;
}

/**
 * Arrow keys, Home and End move through the toolbar of the focused control, up and down through its rows. Returns whether
 * the key did that.
 */
export function moveInToolbar(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  const bar = target instanceof HTMLElement && target.closest('[role=toolbar]');
  const { key } = event;
  if (!bar || !/^(Arrow|Home|End)/.test(key) || event.ctrlKey || event.metaKey || event.altKey) return false;
  const stops = stopsOf(bar);
  if (!stops.includes(target)) return false; // a field handles its keys itself
  const go = (to: HTMLElement | undefined) => {
    to?.focus();
    if (to) oneStop(bar.getRootNode() as ShadowRoot);
    return to !== undefined;
  };
  if (/Up|Down/.test(key)) {
    if (!target.hasAttribute('aria-haspopup')) return go(inNextRow(target, key === 'ArrowDown' ? 1 : -1));
    target.click();
    return true;
  }
  const step = (getComputedStyle(bar).direction === 'rtl') === (key === 'ArrowLeft') ? 1 : -1;
  return go(stops.at(key === 'Home' ? 0 : key === 'End' ? -1 : (stops.indexOf(target) + step) % stops.length));
}
