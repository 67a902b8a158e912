/** From a skeleton to arms, by literal pictures. */
import { expect } from 'chai';
import { prune, traceSkeleton } from '../../../src/vessels/segment/trace.ts';

/** A skeleton of these rows, whose vessel is everywhere as wide. */
function armsOf(rows: readonly string[], radius: number) {
  const width = rows[0]!.length;
  const data = Uint8Array.from(rows.join(''), (c) => (c === '#' ? 255 : 0));
  const radiusAt = () => radius;
  return prune(traceSkeleton(data, width, rows.length, radiusAt), { width, radiusAt });
}

describe('prune', () => {
  it('a line that forks at both ends into its corners is one arm, once', () => {
    const line = '..' + '#'.repeat(30) + '..';
    const corner = '.#' + '.'.repeat(30) + '#.';
    const { junctions, arms } = armsOf([corner, line, corner], 2);
    expect(junctions).to.deep.equal([]);
    expect(arms).to.have.length(1);
    expect(arms[0]).to.include({ from: null, to: null });
  });
  it('a branch that is long enough stays, and its junction', () => {
    const line = '#'.repeat(41);
    const branch = '.'.repeat(20) + '#' + '.'.repeat(20);
    const { junctions, arms } = armsOf([line, ...Array<string>(12).fill(branch)], 2);
    expect(junctions).to.have.length(1);
    expect(arms).to.have.length(3);
  });
});
