// Full run only: further states of an element, some seconds each.
/** What elements are made of: a thin class over Lit's, parts that go with their element, one store. */
import { expect } from 'chai';
import { LitElement } from 'lit';
import '../../widget/elements.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import type { AnyResult } from '../../widget/base/kind.ts';
import { Store } from '../../widget/base/host.ts';
import { makeClip, steady } from '../support/clips.ts';
import { fakeForAll } from './fake-elements.ts';

type Any = FoveolaElement<AnyResult>;
const names = ['pupil', 'face', 'track', 'vessels', 'filter'] as const;

async function until(what: string, done: () => unknown): Promise<void> {
  const end = performance.now() + 20_000;
  while (!done()) {
    if (performance.now() > end) throw new Error(`waited too long: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Counts what parts may forget: listeners of the window and the document, observers, timers. */
function watchLeaks() {
  const kept = new Set<unknown>();
  const restore: (() => void)[] = [];
  const replace = <T extends object, K extends keyof T>(on: T, name: K, make: (original: T[K]) => T[K]) => {
    const original = on[name];
    on[name] = make(original);
    restore.push(() => (on[name] = original));
  };
  for (const Observer of [ResizeObserver, IntersectionObserver] as const) {
    const { prototype } = Observer as { prototype: { observe(e: Element): void; disconnect(): void } };
    replace(
      prototype,
      'observe',
      (observe) =>
        function (this: unknown, ...args) {
          kept.add(this);
          return Reflect.apply(observe, this, args) as void;
        },
    );
    replace(
      prototype,
      'disconnect',
      (disconnect) =>
        function (this: unknown) {
          kept.delete(this);
          return Reflect.apply(disconnect, this, []) as void;
        },
    );
  }
  for (const target of [window, document])
    replace(
      target as EventTarget,
      'addEventListener',
      (add) =>
        function (this: EventTarget, type, listener, options) {
          const { signal, once } = typeof options === 'object' ? options : {};
          if (listener && !once) {
            kept.add(listener);
            signal?.addEventListener('abort', () => kept.delete(listener));
          }
          return Reflect.apply(add, this, [type, listener, options]) as void;
        },
    );
  for (const target of [window, document])
    replace(
      target as EventTarget,
      'removeEventListener',
      (remove) =>
        function (this: EventTarget, type, listener, options) {
          kept.delete(listener);
          return Reflect.apply(remove, this, [type, listener, options]) as void;
        },
    );
  return { kept, restore: () => restore.reverse().forEach((undo) => undo()) };
}

describe('what an element is made of', () => {
  for (const name of names) {
    it(`foveola-${name} stands two classes above Lit's, no more`, () => {
      const chain: unknown[] = [];
      for (
        let made: unknown = customElements.get(`foveola-${name}`);
        made !== LitElement;
        made = Object.getPrototypeOf(made)
      )
        chain.push(made);
      expect(chain.length).to.be.within(1, 2);
    });

    it(`foveola-${name} disposes of every part with itself`, async () => {
      const fake = fakeForAll();
      const provider = setEngineProvider(fake.provider);
      const leaks = watchLeaks();
      try {
        const element = document.createElement(`foveola-${name}`) as unknown as Any;
        element.controls = element.settingsOpen = true;
        element.source = new File([await makeClip({ times: steady(30) })], 'eye.webm');
        document.body.append(element);
        await until('a frame was processed', () => fake.state.frames > 0);
        await until('what is loaded later is there', () => element.renderRoot.querySelector('.timeline'));
        const { host } = element['parts'];
        const parts = [...host.parts]; // others may still be loaded
        expect(host.parts.length).to.be.at.least(8);
        for (const part of parts)
          expect(part.left, `${part.constructor.name} says what it does when the element is gone`).to.be.a('function');
        const heard = new Set<unknown>();
        for (const part of parts) {
          const left = part.left!.bind(part);
          part.left = () => (heard.add(part), left());
        }
        element.remove();
        await until('it is gone', () => heard.size > 0);
        expect(heard.size).to.equal(parts.length);
        expect(element.state).to.equal('idle');
        expect(element['parts'].session.current).to.equal(null);
        expect([...leaks.kept].map(String)).to.deep.equal([]);
      } finally {
        leaks.restore();
        setEngineProvider(provider);
        document.querySelector(`foveola-${name}`)?.remove();
      }
    });
  }

  it('comes back after it was gone, with the same parts', async () => {
    const fake = fakeForAll();
    const provider = setEngineProvider(fake.provider);
    const element = document.createElement('foveola-pupil') as unknown as Any;
    try {
      element.source = new File([await makeClip({ times: steady(30) })], 'eye.webm');
      document.body.append(element);
      await until('a frame was processed', () => fake.state.frames > 0);
      const { parts } = element['parts'].host;
      element.remove();
      await until('it is gone', () => element.state === 'idle');
      const before = fake.state.frames;
      document.body.append(element);
      await until('frames come again', () => fake.state.frames > before);
      expect(element['parts'].host.parts).to.equal(parts);
    } finally {
      element.remove();
      setEngineProvider(provider);
    }
  });
});

describe('a store of state', () => {
  it('tells of changes, and of nothing where nothing is other than before', () => {
    let changes = 0;
    const store = new Store({ a: 1, b: NaN, c: null as object | null }, () => changes++);
    expect(store.set({ a: 1, b: NaN })).to.equal(false);
    expect(changes).to.equal(0);
    const before = store.state;
    expect(store.set({ a: 2, c: null })).to.equal(true);
    expect([changes, store.state.a, before.a]).to.deep.equal([1, 2, 1]);
  });
});
