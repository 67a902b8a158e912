/** Several photographs in <foveola-vessels>: the table, two visits side by side, and a pair that does not match. */
import { expect } from 'chai';
import type { GrayImage, Source, VesselResult } from '../../src/index.ts';
import { setEngineProvider } from '../../widget/base/engine.ts';
import '../../widget/strings/de.ts';
import '../../widget/vessels/vessels.ts';
import type { FoveolaVessels } from '../../widget/vessels/vessels.ts';
import { tabStops, waitUntil } from './element-state.ts';
import { fakeCapabilities } from './fake-engine.ts';

const [width, height] = [160, 120];

/** Two winding vessels, and a disc. A wide photograph has other vessels. */
const engine = {
  capabilities: fakeCapabilities,
  async vessels(source: Source): Promise<VesselResult> {
    const size = source as GrayImage;
    const plane = { width: size.width, height: size.height, data: new Uint8Array(size.width * size.height).fill(255) };
    const wide = size.width > width;
    const line = (bend: (x: number) => number) => {
      const points = Float32Array.from({ length: 240 }, (_, i) => (i % 2 ? bend(20 + (i >> 1)) : 20 + (i >> 1)));
      return { points, widths: new Float32Array(120).fill(3), width: 3, length: 130 };
    };
    const segments = wide
      ? [line((x) => 100 - 0.6 * x), line((x) => 118 - 0.2 * x)]
      : [line((x) => 40 + 12 * Math.sin(x / 11)), line((x) => 80 + 9 * Math.sin(x / 17))];
    return {
      ...{
        mask: plane,
        fieldOfView: plane,
        skeleton: plane,
        response: new Float32Array(1),
        branchPoints: [],
        segments,
      },
      ...{ fraction: wide ? 0.2 : 0.1, confidence: 0.9, warnings: [] },
    };
  },
  opticDisc: async () => ({
    disc: { x: 80, y: 60, radius: 12, confidence: 0.9 },
    fovea: null,
    depths: null,
    warnings: [],
  }),
};

async function picture(name: string, across = width): Promise<File> {
  const canvas = new OffscreenCanvas(across, height);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#a43';
  context.fillRect(0, 0, across, height);
  return new File([await canvas.convertToBlob()], name, { type: 'image/png' });
}

describe('several photographs', () => {
  let element: FoveolaVessels;
  let restore: Parameters<typeof setEngineProvider>[0];
  const saved: Blob[] = [];
  const { createObjectURL } = URL;
  const all = (selector: string) => [...element.renderRoot.querySelectorAll<HTMLElement>(selector)];
  const texts = (selector: string) => all(selector).map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  const press = (word: string) =>
    all('.visits button')
      .find(({ textContent }) => textContent === word)!
      .click();

  beforeEach(() => {
    restore = setEngineProvider((() => ({ engine: Promise.resolve(engine), release: () => {} })) as never);
    element = document.createElement('foveola-vessels');
    element.controls = true;
    document.body.append(element);
    saved.length = 0;
    URL.createObjectURL = (blob: Blob) => {
      if (!blob.type.startsWith('image')) saved.push(blob);
      return createObjectURL(blob);
    };
  });
  afterEach(() => {
    URL.createObjectURL = createObjectURL;
    element.remove();
    setEngineProvider(restore);
  });

  it('give a table with thumbnails, and two of them stand side by side with differences', async () => {
    await element.analyseFiles([await picture('a.png'), await picture('b.png')]);
    expect(texts('.photographs tbody th')).to.deep.equal(['a.png', 'b.png']);
    expect(all('.photographs canvas.thumbnail')).to.have.length(2);
    expect(texts('.photographs thead th').slice(0, 3)).to.deep.equal([
      'Photograph',
      'Vessel area %',
      'Central retinal artery equivalent (CRAE) px',
    ]);
    expect(texts('.photographs tbody tr:first-child td')[0]).to.equal('10.0');
    expect(texts('.several li:not([hidden])'), 'each file is listed once').to.deep.equal([]);
    expect(all('.join'), 'photographs are no recording').to.deep.equal([]);
    expect(texts('.visits [role=status]')[0]).to.match(/turned by -?0\.0° and scaled by 1\.000\. 100 % of the vessels/);
    expect(all('.pair canvas')).to.have.length(2);
    expect(texts('.differences tbody tr')[0]).to.equal('Vessel area %10.010.00.0');
  });

  it('are one tab stop, and rows of the table are reached with the arrow keys', async () => {
    await element.analyseFiles([await picture('a.png'), await picture('b.png')]);
    const stops = all('.several :is(button, select, input)');
    const names = all('.photographs button');
    expect(stops.length).to.be.greaterThan(6);
    const press = (key: string) =>
      (element.shadowRoot as ShadowRoot).activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
      );
    names[0]!.focus(); // loads what moves the focus
    await waitUntil(
      'one stop',
      () => stops.filter(({ tabIndex }) => tabIndex === 0).length === 1,
      () => stops.map(({ tabIndex }) => tabIndex).join(),
    );
    element.style.width = '390px';
    for (const fold of all('.fold')) (fold as HTMLDetailsElement).open = true;
    await waitUntil(
      'the list of segments',
      () => all('.list').length,
      () => '',
    );
    expect(tabStops(element)).to.have.length.at.most(8);
    press('ArrowDown');
    expect(names.map(({ tabIndex }) => tabIndex)).to.deep.equal([-1, 0]);
    press('ArrowRight');
    expect(texts('.several [tabindex="0"]')).to.deep.equal(['Measures as CSV']);
  });

  it('are saved as one table, and as differences', async () => {
    await element.analyseFiles([await picture('a.png'), await picture('b.png')]);
    press('Measures as CSV');
    press('Differences as CSV');
    const [csv, json, differences, about] = await Promise.all(saved.map((blob) => blob.text()));
    const [head, first] = csv!.split('\n').map((line) => line.split(','));
    expect(head!.slice(0, 4)).to.deep.equal(['file', 'lengthUnit', 'vesselPercent', 'totalLength']);
    expect(first!.slice(0, 4)).to.deep.equal(['a.png', 'px', '10', '260']);
    const { columns } = JSON.parse(json!) as { columns: { name: string }[] };
    expect(columns.map(({ name }) => name)).to.deep.equal(head!.slice(2));
    expect(Object.keys(JSON.parse(await element.exportJson()).measures).slice(1)).to.deep.equal(head!.slice(2));
    expect(differences!.split('\n').slice(0, 2)).to.deep.equal([
      'measure,unit,visit1,visit2,difference',
      'vesselPercent,%,10,10,0',
    ]);
    expect(JSON.parse(about!)).to.deep.include({ visit1: 'a.png', visit2: 'b.png' });
  });

  it('that do not match say so, without an alignment or differences', async () => {
    await element.analyseFiles([await picture('a.png'), await picture('b.png', 2 * width)]);
    expect(texts('.visits [role=status]')[0]).to.contain('do not match');
    expect(texts('.differences thead th')).to.deep.equal(['Measure', 'Visit 1', 'Visit 2']);
    expect(all('.visits button').map(({ textContent }) => textContent)).to.not.include('Differences as CSV');
  });

  it('are chosen for a comparison if there are more than two, and speak German', async () => {
    element.lang = 'de';
    element.micrometresPerPixel = 5;
    await element.analyseFiles([await picture('a.png'), await picture('b.png'), await picture('c.png')]);
    expect(all('.pair')).to.deep.equal([]);
    for (const [name, value] of [
      ['visit-1', '0'],
      ['visit-2', '2'],
    ]) {
      const list = all(`select[name=${name}]`)[0] as HTMLSelectElement;
      list.value = value!;
      list.dispatchEvent(new Event('change'));
      await waitUntil(
        'the choice',
        () => (all(`select[name=${name}]`)[0] as HTMLSelectElement) !== list,
        () => name!,
      );
    }
    expect(texts('figcaption')).to.deep.equal(['Besuch 1: a.png', 'Besuch 2: c.png']);
    expect(texts('.differences tbody th')[0]).to.equal('Gefäßfläche %');
    expect(texts('.differences tbody th')).to.include('Mittlere Gefäßbreite µm');
  });
});
