/** Every toolbar inside an element (below the image, in the timeline, below the chart) is one tab stop. */

const stopsOf = (bar: Element): HTMLElement[] => [
  ...bar.querySelectorAll<HTMLElement>(':is(button, select):not(:disabled), summary'),
];

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

/** Arrow keys, Home and End move through the toolbar of the focused control. Returns whether the key did that. */
export function moveInToolbar(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  const bar = target instanceof HTMLElement && target.closest('[role=toolbar]');
  const { key } = event;
  if (!bar || !/^(Arrow|Home|End)/.test(key) || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (/Up|Down/.test(key)) {
    if (!target.hasAttribute('aria-haspopup')) return false;
    target.click();
    return true;
  }
  const stops = stopsOf(bar);
  const step = (getComputedStyle(bar).direction === 'rtl') === (key === 'ArrowLeft') ? 1 : -1;
  const to = key === 'Home' ? 0 : key === 'End' ? -1 : (stops.indexOf(target) + step) % stops.length;
  stops.at(to)?.focus();
  oneStop(bar.getRootNode() as ShadowRoot);
  return true;
}
