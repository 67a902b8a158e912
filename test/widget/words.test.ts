// Full run only: further states of an element, some seconds each.
/** Each element speaks of its own things, in both languages; settings have words; what is disabled says why. */
import { expect } from 'chai';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import { layoutOf } from '../../widget/tools/panels/panel-layout.ts';
import { labelOf } from '../../widget/tools/panels/parameter-row.ts';
import { de } from '../../widget/strings/de.ts';
import { en } from '../../widget/strings/en.ts';
import { fakeForAll, type AllState } from './fake-elements.ts';
import { menuItems } from './element-state.ts';

type Any = FoveolaElement<{ timestamp: number; dropped: number }> & Record<string, unknown>;

const names = ['pupil', 'face', 'track', 'vessels', 'filter'] as const;
/** Words that only one element has a use for. */
const own: Record<string, RegExp> = {
  pupil: /pupil|\beye\b|pupille|\bauge(s|n)?\b|border point|randpunkt/i,
  face: /\bfaces?\b|landmark|\bgesicht(er|ern|s)?\b|landmarke/i,
  track: /\btargets?\b|\bziele?n?\b/i,
  vessels: /vessel|fundus|photograph|gefäß/i,
};
const [width, height] = [96, 72];
const picture = () => {
  const data = new Uint8Array(width * height).fill(200);
  for (let y = 30; y < 42; y++) data.fill(20, y * width + 40, y * width + 56);
  return { width, height, data };
};
async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 30_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the words of the elements', () => {
  let state: AllState;
  let restore: Parameters<typeof setEngineProvider>[0];
  let element: Any;
  beforeEach(() => {
    const fake = fakeForAll();
    state = fake.state;
    restore = setEngineProvider(fake.provider);
  });
  afterEach(() => {
    state.delay = 0;
    element.remove();
    setEngineProvider(restore);
  });

  const make = async (name: string, language = 'en') => {
    element = document.createElement(`foveola-${name}`) as unknown as Any;
    element.lang = language;
    element.controls = true;
    document.body.append(element as unknown as Node);
    await element.updateComplete;
  };
  const open = async () => {
    element.source = picture();
    await until('it is open', () => element.state === 'finished' && state.frames > 0);
    await element.updateComplete;
  };
  /** Everything that is read or read aloud. */
  const spoken = () => {
    const root = element.renderRoot as ShadowRoot;
    const attributes = [...root.querySelectorAll('*')].flatMap((e) =>
      ['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt'].map((name) => e.getAttribute(name) ?? ''),
    );
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode())
      if (walker.currentNode.parentElement?.localName !== 'style') texts.push(walker.currentNode.textContent!.trim());
    return [...new Set([...texts, ...attributes])].filter(Boolean);
  };

  for (const language of ['en', 'de'])
    for (const name of names)
      it(`foveola-${name} has none of another element (${language})`, async () => {
        await make(name, language);
        const all = new Set(spoken());
        const look = async () => {
          await element.updateComplete;
          for (const text of spoken()) all.add(text);
        };
        await menuItems(element, 'more');
        await look();
        const help = new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true, cancelable: true });
        element.renderRoot.querySelector('.stage')!.dispatchEvent(help);
        await look();
        await open();
        await look();
        await menuItems(element, 'exports');
        await look();
        element.settingsOpen = true;
        await look();
        for (const operation of name === 'filter' ? Object.keys(en.filter.operations) : []) {
          element.operation = operation;
          await look();
        }
        for (const meaning of ['tracking', 'lost']) {
          const { state } = element['parts'];
          state.setMeaning({ tracking: meaning === 'tracking', blink: false });
          state.setPhase('running');
          await look();
        }
        const wrong = [...all].filter((text) =>
          Object.entries(own).some(([other, words]) => other !== name && words.test(text)),
        );
        expect(wrong).to.deep.equal([]);
      });

  for (const [language, strings] of Object.entries({ en, de }))
    it(`every parameter, its effect, choice, unit and preset has words (${language})`, async () => {
      const missing: string[] = [];
      for (const name of names)
        // A filter that the dictionary does not name has its own names everywhere.
        for (const operation of name === 'filter' ? Object.keys(strings.filter.operations) : ['']) {
          await make(name, language);
          if (operation) element.operation = operation;
          element.settingsOpen = true;
          await element.updateComplete;
          const table = element['parts'].settings.table!;
          const { first, hidden = [], groups = {} } = layoutOf(name);
          // A filter has the parameters of one operation.
          if (name !== 'filter')
            for (const key of [...first, ...hidden, ...Object.values(groups).flat()])
              if (!(key in table) && name !== 'face') missing.push(`${key} of the layout`);
          for (const [key, { unit }] of Object.entries(table as Record<string, { unit?: string }>)) {
            if (hidden.includes(key)) continue;
            if (!strings.parameters[`${name}.${key}`] && !strings.parameters[key]) missing.push(`${name}.${key}`);
            if (unit && !strings.settingsWords.units[unit]) missing.push(`unit ${unit}`);
          }
          for (const option of element.renderRoot.querySelectorAll<HTMLOptionElement>('.panel option')) {
            const { value, text } = option;
            const raw = value === text && !/^[\d.]+$/.test(text);
            if (raw) missing.push(`${name} ${option.closest('.parameter')?.textContent?.trim()}: ${value}`);
          }
          if (language !== 'en')
            for (const { textContent } of element.renderRoot.querySelectorAll('.panel .effect[lang=en]'))
              missing.push(`effect ${textContent}`);
          element.remove();
        }
      expect(missing).to.deep.equal([]);
      expect(labelOf(strings, 'candidates', 'track')).to.not.equal(labelOf(strings, 'candidates', 'pupil'));
    });

  it('has no name of a parameter twice: the words of one element would stand in another', async () => {
    for (const language of ['en', 'de']) {
      const labeled: string[] = [];
      for (const name of names) {
        const { labels } = (await import(`/widget/${name}/${name}.${language}.ts`)) as {
          labels: Record<string, string>;
        };
        labeled.push(...Object.keys(labels ?? {}));
      }
      expect(labeled.filter((name, i) => labeled.indexOf(name) !== i)).to.deep.equal([]);
    }
  });

  it('gives sizes that are shares of the picture in its pixels, and one wording to units', async () => {
    await make('pupil');
    element.settingsOpen = true;
    await element.updateComplete;
    const units = () =>
      ['Minimum diameter', 'Maximum diameter'].map((label) =>
        element.renderRoot.querySelector(`[role=group][aria-label="${label}"] small`)!.textContent!.trim(),
      );
    expect(units()).to.deep.equal(['share of the diagonal', 'share of the short side']);
    await open();
    expect(units()).to.deep.equal(['px', 'px']);
    const [smallest, largest] = ['Minimum diameter', 'Maximum diameter'].map(
      (label) => element.renderRoot.querySelector<HTMLInputElement>(`input[type=number][aria-label="${label}"]`)!.value,
    );
    expect(Number(smallest)).to.be.closeTo(0.048 * Math.hypot(width, height), 0.05);
    expect(Number(largest)).to.be.closeTo(0.8 * height, 0.05);
  });

  const disabled = () =>
    [...element.renderRoot.querySelectorAll<HTMLButtonElement>('button, input')].filter((e) => e.disabled);
  /** Those whose description adds nothing to their name. */
  const silent = () =>
    disabled()
      .filter((e) => {
        const name = e.getAttribute('aria-label') ?? e.textContent?.trim() ?? '';
        return !/\. \S.*\.$/.test(e.title) || e.title.length < name.length + 8;
      })
      .map((e) => e.outerHTML.slice(0, 120));

  for (const name of names)
    it(`what is disabled in foveola-${name} says what enables it`, async () => {
      await make(name);
      element.settingsOpen = true;
      await element.updateComplete;
      expect(disabled().length).to.be.greaterThan(2);
      expect(silent()).to.deep.equal([]);
      state.delay = 60_000;
      element.source = picture();
      await element.updateComplete;
      expect(silent()).to.deep.equal([]);
      state.delay = 0;
      element.source = null;
      await element.updateComplete;
      await open();
      expect(silent()).to.deep.equal([]);
      if (name === 'filter') {
        element.operation = 'inpaint';
        await element.updateComplete;
        expect(silent()).to.deep.equal([]);
      }
    });

  it('says what a button waits for', async () => {
    await make('pupil');
    const title = (label: string) =>
      element.renderRoot.querySelector<HTMLElement>(`button[aria-label="${label}"]`)!.title;
    expect(title('Export')).to.equal('Export. Open a source first.');
    await open();
    expect(title('Export')).to.equal('Export');
    element.remove();
    await make('filter');
    element.operation = 'inpaint';
    await element.updateComplete;
    expect(title('Undo')).to.equal('Undo (Control+Z). Nothing has changed yet.');
  });
});
