/** engine.opticDisc on drawn retinas, changed ones, photographs, and pictures without a disc. */
import { expect } from 'chai';
import { createEngine, retinalMeasures } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import { describeShared, sharedFile } from '../../support/shared.ts';
import { drawnPhotograph } from '../drawn.ts';
import { drawnRetina, kindAt, scene, tree } from '../scenes.ts';
import { itInFull } from '../../support/full.ts';

const drawn = drawnRetina(600, 0.2, { arteries: [8, 7, 7, 6, 6, 5], veins: [10, 9, 9, 8, 7, 7] });
const { disc } = drawn;
const photograph = drawnPhotograph(scene(600, drawn.lines, { ...drawn, blur: 1, noise: 2, fundus: true, seed: 5 }));
const rejected = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: string; message: string }) => error,
  );

describe('engine.opticDisc', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());
  const away = (place: { x: number; y: number } | null, x: number, y: number) =>
    place ? Math.hypot(place.x - x, place.y - y) / disc!.radius : Infinity;

  it('finds the drawn disc, its radius and the fovea, with and without segments', async () => {
    const alone = await engine.opticDisc(photograph as ImageData);
    const { segments } = await engine.vessels(photograph as ImageData, { scales: 'all', measures: true });
    const both = await engine.opticDisc(photograph as ImageData, { segments });
    expect(alone.depths).to.equal(null);
    expect(both.depths).to.have.length(segments!.length);
    expect(both.depths![0]!.red).to.have.length(segments![0]!.widths.length);
    for (const found of [alone, both]) {
      expect(away(found.disc, disc!.x, disc!.y)).to.be.below(0.25);
      expect(found.disc!.radius / disc!.radius).to.be.within(0.85, 1.15);
      expect(found.disc!.confidence).to.be.within(0.5, 1);
      expect(away(found.fovea, drawn.fovea!.x, drawn.fovea!.y)).to.be.below(1);
      expect(found.warnings).to.deep.equal([]);
    }
  });
  it('tells arteries from veins by the network, and by darkness where its model is missing', async () => {
    const vessels = await engine.vessels(photograph as ImageData, { scales: 'all', measures: true });
    const { segments } = vessels;
    const right = async (own: Engine) => {
      const found = await own.opticDisc(photograph as ImageData, { segments });
      const { zone } = retinalMeasures(vessels, { ...found, disc });
      const share = zone!.vessels.filter(({ kind, angle }) => kind === kindAt(drawn as never, angle)).length;
      return { share: share / zone!.vessels.length, odds: found.depths!.map(({ odds }) => odds) };
    };
    const by = await right(engine);
    expect(by.share).to.be.above(0.8);
    expect(by.odds.filter((odds) => odds! < 0).length).to.be.above(4);
    expect(by.odds.filter((odds) => odds! > 0).length).to.be.above(4);
    const lost = await createEngine({ worker: false, backend: 'wasm', threads: 1 });
    const { warn } = console;
    const said: string[] = [];
    console.warn = (text: string) => void said.push(text);
    const { fetch } = globalThis;
    globalThis.fetch = (...given) =>
      String(given[0]).includes('vessel-kinds') ? Promise.reject(new TypeError('lost')) : fetch(...given);
    try {
      const without = await right(lost);
      expect(without.share).to.be.above(0.9);
      expect(without.odds.every((odds) => odds === undefined)).to.equal(true);
      expect(said.join()).to.contain('no network of arteries and veins');
    } finally {
      [console.warn, globalThis.fetch] = [warn, fetch];
      await lost.dispose();
    }
  });
  itInFull('finds it mirrored and dark', async () => {
    const { width, height, data } = photograph;
    const changed = new Uint8ClampedArray(data.length);
    for (let i = 0; i < width * height; i++) {
      const from = 4 * (i - (i % width) + width - 1 - (i % width));
      for (let c = 0; c < 4; c++) changed[4 * i + c] = c < 3 ? 0.5 * data[from + c]! : 255;
    }
    const found = await engine.opticDisc({ width, height, data: changed } as ImageData);
    expect(away(found.disc, width - 1 - disc!.x, disc!.y)).to.be.below(0.25);
  });
  it('takes a gray picture', async () => {
    const { width, height, data } = photograph;
    const gray = Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + 1]!);
    const { segments } = await engine.vessels({ width, height, data: gray }, { scales: 'all', measures: true });
    const found = await engine.opticDisc({ width, height, data: gray }, { segments });
    expect(away(found.disc, disc!.x, disc!.y)).to.be.below(0.25);
    expect(found.depths!.every(({ odds }) => odds === undefined)).to.equal(true);
  });
  it('finds none where none is, and says so', async () => {
    const { lines } = tree(600, 0.4, 9, 3);
    const none = drawnPhotograph(scene(600, lines, { blur: 1, noise: 2, fundus: true, seed: 6 }));
    const flat = { width: 80, height: 60, data: new Uint8Array(4800).fill(90) };
    for (const picture of [none as ImageData, flat, { width: 1, height: 1, data: Uint8Array.of(7) }]) {
      const found = await engine.opticDisc(picture);
      expect(found).to.deep.include({ disc: null, fovea: null });
      expect(found.warnings.join(' ')).to.contain('No optic disc was found');
    }
  });
  it('refuses segments that are none', async () => {
    for (const segments of [
      5,
      [null],
      [{ points: [1, 2], widths: [1] }],
      [{ points: new Float32Array(3), widths: new Float32Array(1) }],
    ]) {
      const error = await rejected(engine.opticDisc(photograph as ImageData, { segments: segments as never }));
      expect(error?.code).to.equal('invalid-argument');
      expect(error?.message).to.contain('segments');
    }
    const other = await rejected(engine.opticDisc(photograph as ImageData, { radius: 3 } as never));
    expect(other?.code).to.equal('invalid-argument');
  });
});

/** As lab/vessels/parts/discs.json has them. */
const marks = {
  'fundus/drive/19_test.png': { x: 485, y: 276, radius: 36, fovea: [282, 294] },
  'fundus/stare/im0162.png': { x: 156, y: 283, radius: 43, fovea: [360, 287] },
  'fundus/chase/Image_06L.jpg': { x: 511, y: 450, radius: 99, fovea: null },
};

describeShared('engine.opticDisc, over ../shared', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());
  itInFull('is within half a radius of the mark on a photograph of each set', async () => {
    for (const [name, mark] of Object.entries(marks)) {
      const { disc: found, fovea } = await engine.opticDisc(await (await sharedFile(`data/${name}`)).blob());
      expect(Math.hypot(found!.x - mark.x, found!.y - mark.y), name).to.be.below(mark.radius / 2);
      if (mark.fovea)
        expect(Math.hypot(fovea!.x - mark.fovea[0]!, fovea!.y - mark.fovea[1]!), name).to.be.below(mark.radius);
      else expect(fovea, name).to.equal(null);
    }
  });
});
