/** Results and states of a long recording in the timeline. */
import { expect } from 'chai';
import type { FrameTiming } from '../../src/index.ts';
import { KnownResults } from '../../widget/tools/player/known-results.ts';

describe('known results', () => {
  const most = 36_000;
  const known = new KnownResults<{ frame: number }>();
  const add = (frame: number) => {
    const timing = { frame, timestamp: 20 * frame, mediaTime: 20 * frame } as FrameTiming;
    known.add({ result: { frame }, timing, state: frame % 2 ? 'found' : 'lost' });
  };

  it('keep the state of every frame, and the results of the newest', () => {
    for (let frame = 0; frame < most + 10; frame++) add(frame);
    expect(known.entries).to.have.length(most + 10);
    expect(known.entries.slice(0, 2).map((entry) => known.stateOf(entry))).to.deep.equal(['lost', 'found']);
    expect([9, 10].map((frame) => known.recall(20 * frame, 0)?.result ?? null)).to.deep.equal([null, { frame: 10 }]);
    add(most + 9); // measured again
    expect(known.recall(20 * 10, 0)!.result).to.deep.equal({ frame: 10 });
    known.clear();
    add(0);
    expect(known.recall(0, 0)!.result).to.deep.equal({ frame: 0 });
  });
});
