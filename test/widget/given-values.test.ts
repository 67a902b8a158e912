import { expect } from 'chai';
import { setEngineProvider } from '../../widget/parts/engine.ts';
import '../../widget/pupil/pupil.ts';
import '../../widget/track/track.ts';
import type { FoveolaPupil } from '../../widget/pupil/pupil.ts';
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
