// Full run only: further states of an element, some seconds each.
// Own page: it is one of the longest, and starts first.
import { expect } from 'chai';
import { LitElement } from 'lit';
import { FoveolaError } from '../../src/index.ts';
import '../../widget/elements.ts';
import '../../widget/pupil-test/pupil-test.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import type { FoveolaElement } from '../../widget/base/foveola-element.ts';
import type { AnyResult } from '../../widget/base/kind.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
import { fakeForAll } from './fake-elements.ts';
import { fakeEngine } from './fake-engine.ts';

// Frameworks set properties where HTML sets attributes.
describe('what frameworks give to properties', () => {
  let restore: ReturnType<typeof setEngineProvider>;
  let element: FoveolaPupil;
  before(() => (restore = setEngineProvider(fakeEngine().provider)));
  after(() => setEngineProvider(restore));
  beforeEach(() => {
    element = document.createElement('foveola-pupil');
    document.body.append(element);
  });
  afterEach(() => element.remove());

  const given = async (values: Record<string, unknown>) => {
    Object.assign(element, values);
    await element.updateComplete;
    return Object.fromEntries(Object.keys(values).map((name) => [name, element[name as keyof FoveolaPupil]]));
  };

  it('is read as the attribute would be', async () => {
    expect(await given({ eyes: '2', maxFps: '30', millimetresPerPixel: '0.05', roi: '1 2 30 40' })).to.deep.equal({
      ...{ eyes: 2, maxFps: 30, millimetresPerPixel: 0.05 },
      roi: { x: 1, y: 2, width: 30, height: 40 },
    });
    expect(await given({ eyes: 'x' })).to.deep.equal({ eyes: NaN });
  });

  it('is the default again without a value, and only then', async () => {
    const defaults = {
      eyes: null,
      maxFps: 0,
      backend: 'auto',
      src: null,
      source: null,
      htmlFor: null,
      controls: false,
    };
    for (const nothing of [undefined, null]) {
      await given({ eyes: 2, maxFps: 3, backend: 'wasm', controls: true });
      const values = Object.fromEntries(Object.keys(defaults).map((name) => [name, nothing]));
      expect(await given(values), String(nothing)).to.deep.equal(defaults);
    }
    await given({ maxFps: 3, backend: 'wasm' });
    expect(await given({ maxFps: '', backend: '' })).to.deep.equal({ maxFps: 0, backend: 'auto' });
    expect(element.state).to.equal('idle');
  });

  it('may be a bare attribute, or one that is not there', async () => {
    expect(await given({ camera: true })).to.deep.equal({ camera: '' });
    expect(await given({ camera: false })).to.deep.equal({ camera: null });
    expect(await given({ camera: '' })).to.deep.equal({ camera: '' });
  });

  it('stays what it is where it is of the right kind', async () => {
    const box = { x: 1, y: 2, width: 3, height: 4 };
    expect((await given({ roi: box })).roi).to.equal(box);
    const track = document.createElement('foveola-track');
    document.body.append(track);
    Object.assign(track, { box: '1 2 3 4' });
    await track.updateComplete;
    expect(track.box).to.deep.equal(box);
    track.remove();
  });
});

describe('settings that cannot be read', () => {
  it('are refused, and the next ones are taken', async () => {
    const restore = setEngineProvider(fakeEngine().provider);
    const element = document.createElement('foveola-pupil');
    const picture = { width: 64, height: 48, data: new Uint8Array(64 * 48) };
    const until = async (done: () => unknown) => {
      for (let i = 0; i < 500 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(done()).to.equal(true);
    };
    try {
      const thrown = () => {
        throw new Error('mine');
      };
      element.settings = Object.defineProperty({}, 'minGradient', { enumerable: true, get: thrown });
      element.source = picture;
      document.body.append(element);
      await until(() => element.error?.code === 'invalid-argument');
      expect(element.error!.message).to.match(/^settings: a value cannot be read/);
      element.settings = {
        get minGradient() {
          return 12;
        },
      };
      await until(() => element.state === 'finished' && element.error === null);
      expect(element.settings).to.deep.equal({ minGradient: 12 });
      element.settings = new Proxy({}, { ownKeys: thrown });
      await until(() => element.error?.code === 'invalid-argument');
      element.settings = {};
      element.source = Object.defineProperty({ ...picture }, 'data', { get: thrown });
      await until(() => element.error?.message.startsWith('source: its data') === true);
    } finally {
      element.remove();
      setEngineProvider(restore);
    }
  });
});

/** Each of them ends conversions to text or to a number, or reading what is in it, in an error of the language. */
const odd: Record<string, unknown> = {
  symbol: Symbol('odd'),
  bare: Object.create(null),
  big: 10n ** 30n,
  nothing: null,
  empty: {},
  word: 'x',
  number: NaN,
  list: [Symbol('odd')],
  function: () => {},
  options: new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : Symbol('odd')) }),
};
const names = ['pupil', 'face', 'track', 'vessels', 'filter', 'pupil-test'];
type Called = Record<string, (...given: unknown[]) => unknown>;
type Any = FoveolaElement<AnyResult> & Called;

describe('what a page may give by mistake', () => {
  let restore: ReturnType<typeof setEngineProvider>;
  let wrong: string[];
  const judge = (error: unknown, where: string) => {
    if (!(error instanceof FoveolaError))
      wrong.push(
        `${where}: ${String((error as Error)?.stack ?? error)
          .split('\n')
          .slice(0, 2)
          .join('')
          .replace(/\(http.*\/(.*?)\)/, '$1')}`,
      );
    else if (error.code === 'internal') wrong.push(`${where}: internal: ${error.message}`);
  };
  const uncaught = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    judge(event.reason, 'nobody waited');
  };
  before(() => {
    restore = setEngineProvider(fakeForAll().provider);
    addEventListener('unhandledrejection', uncaught);
  });
  after(() => {
    removeEventListener('unhandledrejection', uncaught);
    setEngineProvider(restore);
  });
  beforeEach(() => (wrong = []));

  const create = (name: string) => {
    const element = document.createElement(`foveola-${name}`) as unknown as Any;
    element.addEventListener('foveola-error', (event) => judge((event as CustomEvent).detail, 'foveola-error'));
    if (name === 'face') element.setAttribute('model', 'none');
    return element;
  };
  /** Methods and accessors from the class down to Lit's. */
  const members = (element: object) => {
    const found: [string, PropertyDescriptor][] = [];
    for (let at = Object.getPrototypeOf(element); at !== LitElement.prototype; at = Object.getPrototypeOf(at))
      found.push(...Object.entries(Object.getOwnPropertyDescriptors(at as object)));
    return found.filter(([name]) => name !== 'constructor' && (!(name in LitElement.prototype) || name === 'focus'));
  };

  /** Those that are not an element's own business. */
  const properties = (element: LitElement) => {
    const { elementProperties } = element.constructor as typeof LitElement;
    return members(element).filter(([name, { set }]) => set && !elementProperties.get(name)?.state);
  };

  it('is named with the argument and with what to give', async () => {
    const refusal = (name: string, call: (element: Any) => unknown) => {
      const element = create(name);
      try {
        call(element);
      } catch (error) {
        expect((error as FoveolaError).code).to.equal('invalid-argument');
        return (error as FoveolaError).message;
      }
      throw new Error('it was taken');
    };
    const { bare, symbol } = odd;
    const rule = (call: string, found: string) => `${call} must be a text, a number or an object, not ${found}.`;
    expect(refusal('pupil', (element) => element.mark(bare as string))).to.equal(rule('mark: argument 1', 'an object'));
    expect(refusal('pupil', (element) => element.mark('', bare as number))).to.equal(
      'mark: timestamp must be milliseconds, not an object.',
    );
    expect(refusal('vessels', (element) => element.choose!(bare))).to.equal(rule('choose: argument 1', 'an object'));
    expect(refusal('pupil', (element) => element.series!(null, 'x'))).to.equal(rule('series: argument 1', 'null'));
    expect(refusal('track', (element) => element.loadSettings(bare as string))).to.equal(
      rule('loadSettings: argument 1', 'an object'),
    );
    expect(refusal('pupil', (element) => element.series!({ longestGap: bare }))).to.equal(
      rule('series: argument 1', 'an object'),
    );
    expect(refusal('pupil', (element) => element.loadSettings(symbol as string))).to.contain('not valid JSON');
  });

  it('stays an error of the element as long as nothing else is given', async () => {
    const element = create('pupil');
    document.body.append(element);
    const settled = () => new Promise((resolve) => setTimeout(resolve, 30));
    for (const name of ['htmlFor', 'src', 'method', 'assetBase']) {
      (element as unknown as Record<string, unknown>)[name] = odd.symbol;
      await settled();
      expect(element.error?.code, name).to.equal('invalid-argument');
      expect(element.error!.message).to.equal(`${name} must be a text, not Symbol(odd).`);
      element.source = { width: 32, height: 24, data: new Uint8Array(32 * 24).fill(90) };
      await settled();
      expect(element.state, name).to.equal('error');
      (element as unknown as Record<string, unknown>)[name] = null;
      await settled();
      expect(element.error, name).to.equal(null);
      expect(element.state, name).to.equal('finished');
      element.source = null;
      await settled();
    }
    element.remove();
    expect(wrong.join('\n')).to.equal('');
  });

  for (const name of names) {
    it(`is refused by its rule: methods of <foveola-${name}>`, async () => {
      const element = create(name);
      const methods = members(element).filter(([, { value }]) => typeof value === 'function');
      expect(methods.length).to.be.above(5);
      const done: unknown[] = [];
      const call = (method: string) => {
        for (const [first, a] of Object.entries(odd))
          for (const given of [[a], [undefined, a], ['1', a]]) {
            const where = `${method}(${given.length === 1 ? first : `${String(given[0])}, ${first}`})`;
            try {
              done.push(Promise.resolve(element[method]!(...given)).catch((error) => judge(error, where)));
            } catch (error) {
              judge(error, where);
            }
          }
      };
      for (const [method] of methods) call(method);
      element.source = { width: 32, height: 24, data: new Uint8Array(32 * 24).fill(90) };
      document.body.append(element);
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (name !== 'pupil-test') element.record();
      for (const [method] of methods) call(method);
      await new Promise((resolve) => setTimeout(resolve, 50));
      element.remove();
      expect(wrong.join('\n')).to.equal('');
    });

    it(`is refused by its rule: properties of <foveola-${name}>`, async () => {
      for (const [kind, value] of Object.entries(odd).filter(([kind]) => kind !== 'options')) {
        const element = create(name);
        document.body.append(element);
        for (const [property, { set }] of properties(element)) {
          try {
            set!.call(element, value);
            await element.updateComplete.catch((error: unknown) => judge(error, `${property} = ${kind}`));
          } catch (error) {
            judge(error, `${property} = ${kind}`);
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
        element.remove();
      }
      expect(wrong.join('\n')).to.equal('');
    });
  }
});
