// One name, one meaning: a parameter has the same kind and unit wherever it stands, in operations, trackers and stages.
import { expect } from 'chai';
import '../../src/capabilities.ts';
import { operations } from '../../src/runtime/capability.ts';
import { resolveParameters, type Parameter } from '../../src/runtime/parameters.ts';
import { stages } from '../../src/runtime/stage.ts';
import { shippedOperations, shippedTrackers } from '../support/dummies.ts';

/** Of the source or of the plane that is worked on: both are pixels. */
const unitOf = (p: Parameter) => (p.type === 'number' ? (p.unit ?? 'none').replace(' of the source', '') : '');

describe('the names of parameters', () => {
  const kinds = new Map<string, Map<string, string[]>>();
  for (const { name: owner, params } of [...shippedOperations(), ...shippedTrackers(), ...stages.values()])
    for (const [name, p] of Object.entries(params)) {
      const places = kinds.get(name) ?? new Map<string, string[]>();
      const kind = `${p.type} ${unitOf(p)}`.trim();
      places.set(kind, [...(places.get(kind) ?? []), owner]);
      kinds.set(name, places);
    }

  it('have one kind and one unit each', () => {
    expect(kinds.size).to.be.above(80);
    const twice = [...kinds].filter(([, places]) => places.size > 1);
    expect(
      twice.map(
        ([name, places]) => `${name}: ${[...places].map(([kind, of]) => `${kind} (${of.join(', ')})`).join('; ')}`,
      ),
    ).to.deep.equal([]);
  });

  it('give angles in radians', () => {
    const units = [...kinds.values()].flatMap((places) => [...places.keys()]);
    expect(units.filter((unit) => /°|degree/.test(unit))).to.deep.equal([]);
  });

  it('are refused in degrees beside radians', () => {
    const { params } = operations.get('houghLines')!;
    expect(() => resolveParameters(params, { theta: 2 } as never, 'houghLines')).to.throw(
      /rad \(0\.05° to 90°\), not 2 \(114\.6°\)\.$/,
    );
  });

  it("what is left to a call is 'auto'", () => {
    for (const [name, parameter, value] of [
      ['threshold', 'level', -1],
      ['detectFaces', 'step', 0],
      ['vessels', 'sigma', 0],
    ] as const) {
      const { params } = operations.get(name)!;
      expect(resolveParameters(params, { [parameter]: 'auto' }, name)[parameter], name).to.equal(value);
      expect(() => resolveParameters(params, { [parameter]: 'automatic' }, name)).to.throw("or 'auto', not automatic");
    }
    expect(() => resolveParameters(operations.get('canny')!.params, { low: 'auto' } as never, 'canny')).to.throw('low');
    const named = [...kinds].filter(([name]) => /^auto/i.test(name));
    expect(named).to.deep.equal([]);
  });
});
