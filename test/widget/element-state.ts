/** Waiting for something of an element; when it does not come, the error has the state that the element is in. */
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';

type Any = Pick<
  FoveolaElement<{ timestamp: number; dropped: number }>,
  'state' | 'paused' | 'renderRoot' | 'isConnected'
>;

/** The element's phase and error, and how far its video has come. */
export function stateOf(element: Any): string {
  const video = element.renderRoot.querySelector('video');
  const { state, paused, isConnected } = element;
  const heard = element.renderRoot.querySelector('[role=alert]')?.textContent?.trim().replaceAll(/\s+/g, ' ');
  const known = {
    ...{ state, paused, isConnected, error: heard ?? '', page: document.visibilityState },
    ...(video && {
      readyState: video.readyState,
      networkState: video.networkState,
      currentTime: video.currentTime,
      duration: video.duration,
      seeking: video.seeking,
      failure: video.error?.message ?? '',
    }),
  };
  return JSON.stringify(known);
}

export async function waitUntil(what: string, done: () => unknown, state: () => string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}; ${state()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The items of a menu of the toolbar, which is opened for it. */
export async function menuItems(
  element: HTMLElement & { renderRoot: HTMLElement | DocumentFragment },
  name: 'exports' | 'more',
): Promise<HTMLElement[]> {
  const button = element.renderRoot.querySelector<HTMLElement>(`[data-menu=${name}]`)!;
  const items = () => [...element.renderRoot.querySelectorAll<HTMLElement>('.menu [role^=menuitem]')];
  if (button.getAttribute('aria-expanded') !== 'true') button.click();
  const opened = () => button.getAttribute('aria-expanded') === 'true' && items().length > 0;
  await waitUntil(
    `the menu ${name}`,
    opened,
    () => `${(button as HTMLButtonElement).disabled ? 'disabled ' : ''}${button.title}`,
  );
  return items();
}

const wordOf = (item: HTMLElement) => item.querySelector('span')!.textContent.trim();

export async function menuItem(
  element: Parameters<typeof menuItems>[0],
  name: 'exports' | 'more',
  word: string,
): Promise<HTMLElement> {
  const items = await menuItems(element, name);
  const item = items.find((one) => wordOf(one) === word);
  if (!item) throw new Error(`no item '${word}' among ${items.map(wordOf).join(', ')}`);
  return item;
}

export const chooseItem = async (...of: Parameters<typeof menuItem>): Promise<void> => (await menuItem(...of)).click();

/** Parts of an element that the Tab key reaches, also those that a browser adds: areas that scroll, without a tab stop inside. */
export function tabStops({ renderRoot }: Pick<Any, 'renderRoot'>): string[] {
  const all = [...renderRoot.querySelectorAll<HTMLElement>('*')].filter((one) => one.checkVisibility());
  const stops = all.filter(
    (one) =>
      one.tabIndex === 0 &&
      one.matches('button, select, input, summary, [tabindex]') &&
      !(one as HTMLButtonElement).disabled,
  );
  const scrolling = all.filter((one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const moves =
      (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth) ||
      (/auto|scroll/.test(overflowY) && one.scrollHeight > one.clientHeight);
    return moves && !one.hasAttribute('tabindex') && !stops.some((stop) => one.contains(stop));
  });
  return [...stops, ...scrolling].map(
    (one) => `${one.localName}.${one.className} ${one.textContent.trim().slice(0, 30)}`,
  );
}
