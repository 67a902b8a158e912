import { expect } from 'chai';
import { readProtocol } from '../../src/protocols/protocol.ts';
import { ProtocolRun } from '../../src/protocols/protocol-run.ts';

const run = (steps: unknown[]) => new ProtocolRun(readProtocol({ format: 1, id: 'a', title: 'A', steps }));
const flash = { type: 'flash', duration: 1000, label: 'flash' };
const pause = { type: 'pause', duration: 2000 };

describe('runs of a protocol', () => {
  it('count a step from when it was seen, not from when it was asked for', () => {
    const one = run([flash, pause]);
    one.begin(100);
    expect(one.step!.step.type).to.equal('flash');
    expect(one.advance(5000)).to.equal(false); // not seen yet
    one.seen(116);
    expect(one.due).to.equal(1116);
    expect(one.advance(1115)).to.equal(false);
    expect(one.advance(1117)).to.equal(true);
    expect(one.step!.step.type).to.equal('pause');
    one.seen(1133);
    expect(one.advance(3133)).to.equal(false);
    expect(one.state).to.equal('finished');
    expect(one.step).to.equal(null);
    expect(one.events).to.deep.equal([
      { type: 'begin', at: 100 },
      { type: 'step', at: 116, index: 0, label: 'flash' },
      { type: 'end', at: 1117, index: 0 },
      { type: 'step', at: 1133, index: 1 },
      { type: 'end', at: 3133, index: 1 },
      { type: 'finish', at: 3133 },
    ]);
  });

  it('wait for the person at a text and a task, and for nobody at a flash', () => {
    const one = run([{ type: 'text', text: 'Ready?' }, { type: 'ask', text: '2 x 3', duration: 500 }, flash]);
    one.begin(0);
    one.seen(10);
    expect(one.due).to.equal(Infinity);
    expect(one.advance(1e9)).to.equal(false);
    expect(one.answer(2000)).to.equal(true);
    one.seen(2010);
    expect(one.answer(2300)).to.equal(true); // before its time is over
    one.seen(2310);
    expect(one.answer(2400)).to.equal(false);
    expect(one.step!.step.type).to.equal('flash');
    expect(one.events.filter(({ type }) => type === 'answer')).to.deep.equal([
      { type: 'answer', at: 2000, index: 0 },
      { type: 'answer', at: 2300, index: 1 },
    ]);
  });

  it('wait for a marker from outside, at most for their duration', () => {
    const one = run([
      { type: 'wait', for: 'scanner', duration: 1000 },
      { type: 'wait', for: 'scanner', duration: 1000 },
      pause,
    ]);
    one.begin(0);
    one.seen(0);
    expect(one.signal('other', 100)).to.equal(false);
    expect(one.signal('scanner', 200)).to.equal(true);
    one.seen(210);
    expect(one.advance(1209)).to.equal(false);
    expect(one.advance(1210)).to.equal(true);
    expect(one.step!.step.type).to.equal('pause');
  });

  it('begin a step again that a pause has cut short', () => {
    const one = run([flash, pause]);
    one.begin(0);
    one.seen(10);
    one.pause(500);
    expect([one.state, one.step]).to.deep.equal(['paused', null]);
    expect(one.advance(9000)).to.equal(false);
    one.resume(9000);
    expect(one.step!.step.type).to.equal('flash');
    one.seen(9016);
    expect(one.due).to.equal(10_016);
  });

  it('know how far they are, and end for good', () => {
    const one = run([flash, pause, { type: 'text', text: 'Done' }]);
    expect(one.progress(0)).to.equal(0);
    one.begin(0);
    one.seen(0);
    expect(one.progress(600)).to.be.closeTo(0.2, 1e-12);
    one.advance(1000);
    one.seen(1000);
    expect(one.progress(2500)).to.be.closeTo(2500 / 3000, 1e-12);
    one.abort(2600);
    expect([one.state, one.step, one.advance(9999)]).to.deep.equal(['aborted', null, false]);
    expect(() => one.begin(3000)).to.throw(/has already started or ended/);
    const never = run([flash]);
    never.abort(5);
    expect(never.state).to.equal('aborted');
    expect(() => never.begin(10)).to.throw(/has already started or ended/);
  });
});
