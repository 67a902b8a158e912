/** Everything together: drawn retinas of known widths through the engine, and what is said where something is missing. */
import { expect } from 'chai';
import { createEngine, FoveolaError, retinalMeasures, type VesselResult } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import { equivalent } from '../../../src/vessels/retina/zone-calibers.ts';
import type { OpticDiscResult } from '../../../src/vessels/retina/operation.ts';
import { drawnPhotograph } from '../drawn.ts';
import { drawnRetina, kindAt, scene } from '../scenes.ts';

const arteries = [11, 10, 9.5, 9, 8, 7.5];
const veins = [14, 13, 12, 11.5, 10, 9];

describe('retinalMeasures', () => {
  let engine: Engine;
  let vessels: VesselResult;
  let found: OpticDiscResult;
  const drawn = drawnRetina(900, 0.1, { arteries, veins });
  before(async () => {
    engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 });
    const photograph = drawnPhotograph(scene(900, drawn.lines, { ...drawn, blur: 1, noise: 2, fundus: true, seed: 3 }));
    vessels = await engine.vessels(photograph as ImageData, {
      scales: 'all',
      measures: true,
      micrometresPerPixel: 10,
    });
    found = await engine.opticDisc(photograph as ImageData, { segments: vessels.segments });
  });
  after(() => engine.dispose());

  it('gives CRAE and CRVE of the drawn widths within 3 %, around the disc that was found', () => {
    const { zone, eye, disc, fovea, warnings } = retinalMeasures(vessels, found);
    expect(warnings).to.deep.equal([]);
    expect(Math.hypot(disc!.x - drawn.disc!.x, disc!.y - drawn.disc!.y)).to.be.below(drawn.disc!.radius / 4);
    expect(fovea, 'fovea').not.to.equal(null);
    expect(eye).to.equal('left');
    const [crae, crve] = [equivalent(arteries, 'artery'), equivalent(veins, 'vein')];
    expect(zone!.crae!.pixels / crae).to.be.closeTo(1, 0.03);
    expect(zone!.crve!.pixels / crve).to.be.closeTo(1, 0.03);
    expect(zone!.avr! / (crae / crve)).to.be.closeTo(1, 0.03);
    expect(zone!.crae!.micrometres! / zone!.crae!.pixels).to.be.closeTo(10, 1e-6);
    expect(zone).to.include({ kinds: 'apart', seen: 1 });
    for (const { kind, angle } of zone!.vessels) expect(kind).to.equal(kindAt(drawn, angle));
  });
  it('finds the forks that were drawn, by Murray’s law', () => {
    const { branching } = retinalMeasures(vessels, found);
    expect(branching.forks.length).to.be.at.least(6);
    expect(branching.areaRatio).to.be.closeTo(0.8 ** 2 + 0.78 ** 2, 0.15);
  });
  it('takes both where colors are missing, and says so', () => {
    const { zone, warnings } = retinalMeasures(vessels, { disc: found.disc });
    expect(zone).to.include({ crae: null, crve: null, avr: null, kinds: 'both', confidence: 0 });
    expect(zone!.meanWidth!.vessels).to.equal(12);
    expect(zone!.meanWidth!.pixels).to.be.closeTo([...arteries, ...veins].reduce((a, b) => a + b, 0) / 12, 0.3);
    expect(warnings.join(' ')).to.match(/cannot be distinguished.*CRAE, CRVE and AVR are not measured/);
  });
  it('takes what a person says of a vessel, and of the others what the colors say', () => {
    const own = retinalMeasures(vessels, found).zone!;
    const { segment, kind } = own.vessels.find((vessel) => vessel.kind === 'artery')!;
    const corrected = vessels.segments!.map((_, i) => (i === segment ? ('vein' as const) : null));
    const { zone } = retinalMeasures(vessels, { ...found, corrected });
    for (const [k, vessel] of zone!.vessels.entries())
      if (vessel.segment === segment) expect(vessel).to.include({ kind: 'vein', confidence: 1 });
      else expect(vessel).to.deep.equal(own.vessels[k]);
    expect([kind, zone!.crae!.pixels < own.crae!.pixels]).to.deep.equal(['artery', true]);
    expect(zone!.confidence).to.equal(own.confidence);
    const none = vessels.segments!.map(() => 'unknown' as const);
    expect(retinalMeasures(vessels, { ...found, corrected: none }).zone).to.include({ crae: null, crve: null });
  });
  it('takes what a person says where the colors say nothing', () => {
    const said = retinalMeasures(vessels, found).zone!.vessels;
    const corrected = vessels.segments!.map((_, i) => said.find(({ segment }) => segment === i)?.kind ?? null);
    const { zone } = retinalMeasures(vessels, { disc: found.disc, corrected });
    expect(zone).to.include({ kinds: 'apart', confidence: 1 });
    expect(zone!.avr).to.equal(retinalMeasures(vessels, found).zone!.avr);
    expect(() => retinalMeasures(vessels, { corrected: [null] })).to.throw('corrected must have one entry');
  });
  it('takes kinds that somebody has given as they are', () => {
    const kinds = vessels.segments!.map(() => 'artery' as const);
    const { zone, warnings } = retinalMeasures(vessels, { disc: found.disc, kinds });
    expect(zone!.crae!.pixels).to.be.closeTo(equivalent([...arteries, ...veins], 'artery'), 0.5);
    expect(zone).to.include({ crve: null, avr: null });
    expect(warnings.join(' ')).to.contain('CRVE is not measured');
  });
  it('guesses nothing without a disc', () => {
    const measures = retinalMeasures(vessels, { depths: found.depths, warnings: ['No optic disc was found.'] });
    expect(measures).to.include({ disc: null, fovea: null, zone: null, eye: null });
    expect(measures.density).to.deep.equal({ disc: null, fovea: null });
    expect(measures.warnings).to.have.length(2);
    expect(measures.warnings[1]).to.match(/Without an optic disc, CRAE, CRVE, AVR/);
    expect(measures.fractal!.dimension).to.be.within(1, 1.6);
    expect(measures.tortuosity.arcOverChord).to.be.within(1, 1.2);
  });
  it('knows no side without a fovea', () => {
    const { density, warnings } = retinalMeasures(vessels, { disc: found.disc });
    expect(density.fovea).to.equal(null);
    expect(density.disc).to.include({ nasal: null, temporal: null });
    expect(density.disc!.superior).to.be.within(0.02, 0.4);
    expect(warnings.join(' ')).to.contain('Without a fovea');
  });
  it('gives no equivalents where the zone lies out of the field', () => {
    const disc = { x: 895, y: 600, radius: 60 };
    const { zone, warnings } = retinalMeasures(vessels, { ...found, disc });
    expect(zone!.seen).to.be.below(0.4);
    expect(zone).to.include({ crae: null, crve: null, avr: null });
    expect(warnings.join(' ')).to.contain('of the zone around the disc is in the field of view');
  });
  it('refuses what does not fit, and says what does', () => {
    const { segments, ...without } = vessels;
    const cases: [VesselResult, object, RegExp][] = [
      [without, {}, /measures: true/],
      [vessels, { disc: { x: 1, y: 2, radius: 0 } }, /disc must have/],
      [vessels, { disc: { x: NaN, y: 2, radius: 3 } }, /disc must have/],
      [vessels, { fovea: { x: 1 } }, /fovea must have/],
      [vessels, { depths: [] }, new RegExp(`${segments!.length} segments`)],
      [vessels, { micrometresPerPixel: -1 }, /micrometresPerPixel/],
    ];
    for (const [result, options, message] of cases) {
      let error: unknown;
      try {
        retinalMeasures(result, options);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).to.be.instanceOf(FoveolaError);
      expect((error as FoveolaError).code).to.equal('invalid-argument');
      expect((error as FoveolaError).message).to.match(message);
    }
  });
});
