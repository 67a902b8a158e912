/** The menus of the toolbar (export, more), by the WAI-ARIA pattern of a menu button. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Host, Shown } from '../../base/host.ts';
import type { AnyResult, ChartMenu, Settings } from '../../base/kind.ts';
import type { MenuItem, MenuName } from '../../base/toolbar.ts';
import type { Action } from '../../base/page.ts';
import type { CsvOptions, ExportFormat } from '../../../src/index.ts';
import { titleOf } from '../../base/views.ts';
import { aboutWords, inLanguage } from '../words.ts';
import { askAbout } from './about.ts';
import type { Strings } from '../../strings/index.ts';

/** Parts of an element that its menus use. */
interface Parts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly strings: Strings;
  readonly shown: Readonly<Shown>;
  readonly unready: string | false;
  readonly recorder: { readonly rows: number; readonly isOfAnother: boolean; readonly exportedName: string };
  readonly actions: { act(action: Action): void; export(format: ExportFormat, options?: CsvOptions): void };
  readonly player: { readonly video: HTMLVideoElement | null; menus(name: MenuName): readonly MenuItem[] };
  readonly analysis: { readonly possible: boolean; readonly running: boolean };
  readonly session: { readonly current: { readonly moving: boolean } | null };
  readonly charts: ChartMenu | null;
  readonly settings: { readonly given: Settings; edit(changes: Settings): void };
}

function exportsOf<R extends AnyResult>(parts: Parts<R>): readonly MenuItem[] {
  const { strings: s, recorder, unready, actions, host, player } = parts;
  const charts = parts.charts?.set;
  const noRows = !recorder.rows && s.why.noRows;
  const own = host.kind.menus?.().exports ?? [];
  const events = host.kind.eventsOf !== undefined;
  if (host.kind.ownExports) return [...own, ...player.menus('exports')];
  return [
    { word: s.csv, act: () => actions.export('csv'), disabled: noRows },
    ...(['comments', 'excel', 'pupilext'] as const)
      .filter((format) => events || format !== 'pupilext')
      .map((format) => ({ word: s.tables[format], act: () => actions.export('csv', { format }), disabled: noRows })),
    ...(events ? [{ word: s.eventsCsv, act: () => actions.export('events.csv'), disabled: noRows }] : []),
    { word: s.json, act: () => actions.export('json'), disabled: noRows },
    ...own,
    ...(charts?.usable
      ? [
          { word: s.chartPng, act: () => charts.run((tools) => tools.save(false)) },
          { word: s.chartBoth, act: () => charts.run((tools) => tools.save(true)) },
        ]
      : []),
    { word: s.snapshot, act: () => actions.act('snapshot'), key: 'S', disabled: unready },
    ...player.menus('exports'),
  ];
}

function moreOf<R extends AnyResult>(parts: Parts<R>): readonly MenuItem[] {
  const { strings: s, unready, actions, host, player, analysis, shown, session } = parts;
  const charts = parts.charts?.set;
  const { kind } = host;
  const points = kind.pointsShown?.() ?? null;
  const live = session.current?.moving && !player.video;
  const act = (action: Action) => () => actions.act(action);
  return [
    ...(kind.menus?.().more ?? []),
    ...(charts?.usable ? [{ word: s.chartCopy, act: () => charts.run((tools) => tools.copy(true)) }] : []),
    ...(points === null ? [] : [{ word: s.points, act: act('points'), key: 'P', checked: points, disabled: unready }]),
    ...(analysis.possible && !analysis.running
      ? [{ word: shown.analysed ? s.analyseAgain : s.analyseEvery, act: act('analyse'), key: 'A' }]
      : []),
    ...(shown.recording ? [{ word: s.mark, act: act('mark'), key: 'M' }] : []),
    ...(live ? [{ word: s.step, act: act('step'), key: '.' }] : []),
    { word: s.copy, act: act('copy'), key: `${s.keys.control}+C`, disabled: unready },
    ...player.menus('more'),
    { word: `${inLanguage(aboutWords, s).title} …`, act: () => askAbout(parts) },
    { word: s.help, act: act('help'), key: '?' },
  ];
}

const itemsIn = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')];

/** Moves the focus: arrow keys, Home, End, or the first letter of an item. */
function move(menu: HTMLElement, from: HTMLElement, key: string): void {
  const items = itemsIn(menu);
  const at = items.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  const letter = key.toLowerCase();
  const next =
    to === undefined
      ? [...items.slice(at + 1), ...items].find((item) => item.textContent.trim().toLowerCase().startsWith(letter))
      : items.at(to % items.length);
  next?.focus();
}

export function menuPanel<R extends AnyResult>(parts: Parts<R>, name: MenuName): TemplateResult {
  const { strings: s, host, recorder } = parts;
  const items = name === 'exports' ? exportsOf(parts) : moreOf(parts);
  const label = name === 'exports' ? s.exportMenu : s.more;
  const close = (focus: boolean) => {
    host.store.set({ menu: null });
    if (focus) host.find(`[data-menu=${name}]`)?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation(); // keys of the element do not act here
    if (event.key === 'Tab') return close(true); // and the browser moves on from the button
    if (event.key === ' ' || event.key === 'Enter') return; // presses the item
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key === 'Escape') close(true);
    else move(event.currentTarget as HTMLElement, event.target as HTMLElement, event.key);
  };
  const onLeave = (event: FocusEvent) => {
    if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) close(false);
  };
  const item = ({ word, act, key, checked, disabled }: MenuItem) =>
    html`<button
      type="button"
      part="button menu-item"
      role=${checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      tabindex="-1"
      title=${disabled ? titleOf(word, { disabled }) : nothing}
      aria-checked=${checked === undefined ? nothing : String(checked)}
      aria-disabled=${disabled ? 'true' : nothing}
      aria-keyshortcuts=${key ? key.replace(s.keys.control, 'Control') : nothing}
      @click=${() => {
        if (disabled) return;
        close(true);
        act();
      }}
    >
      <span>${word}</span>${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}
    </button>`;
  return html`<div class="menu" part="menu" popover="manual" @keydown=${onKey} @focusout=${onLeave}>
    ${
      name === 'exports' && recorder.rows
        ? html`<p class=${recorder.isOfAnother ? 'exported another' : 'exported'} part="exported">
            ${recorder.exportedName}
          </p>`
        : nothing
    }
    ${[...new Set(items.map(({ disabled }) => disabled))].map((why) => (why ? html`<p class="reason">${why}</p>` : nothing))}
    <div role="menu" aria-label=${label}>${items.map(item)}</div>
  </div>`;
}

const gap = 4;
const margin = 8;

/** Below the button if there is room, otherwise above it. Always inside the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = innerHeight - bottom - gap - margin;
  const y = height <= below || below >= top ? bottom + gap : Math.max(margin, top - gap - height);
  const x = getComputedStyle(button).direction === 'rtl' ? left : right - width;
  menu.style.top = `${y}px`;
  menu.style.left = `${Math.max(margin, Math.min(innerWidth - width - margin, x))}px`;
}

/** Shows the rendered menu and moves the focus into it. */
export function openMenu<R extends AnyResult>(host: Host<R>): void {
  const { menu: name } = host.shown;
  const menu = host.find('.menu');
  const button = name && host.find(`[data-menu=${name}]`);
  if (!menu || !button) return;
  menu.showPopover?.(); // above the page. Older browsers show it inside the element
  const opened = new AbortController();
  const again = () => (menu.isConnected ? place(menu, button) : opened.abort());
  for (const type of ['scroll', 'resize'])
    addEventListener(type, again, { capture: true, passive: true, signal: opened.signal });
  again();
  itemsIn(menu)[0]?.focus({ preventScroll: true });
}
