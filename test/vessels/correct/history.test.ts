/** Undo and redo as a position in a list. */
import { expect } from 'chai';
import { CorrectionHistory } from '../../../src/vessels/correct/correct-vessels.ts';

const at = (x: number) => ({ action: 'fovea' as const, x, y: 0 });

describe('history', () => {
  it('takes back, does again, and forgets what was taken back when something new is done', () => {
    const history = new CorrectionHistory();
    expect([history.canUndo, history.canRedo, history.undo(), history.redo()]).to.deep.equal([
      false,
      false,
      null,
      null,
    ]);
    history.add(at(1));
    history.add(at(2));
    expect(history.undo()).to.deep.equal(at(2));
    expect(history.current).to.deep.equal([at(1)]);
    expect(history.redo()).to.deep.equal(at(2));
    expect(history.current).to.deep.equal([at(1), at(2)]);
    history.undo();
    history.undo();
    history.add(at(3));
    expect(history.current).to.deep.equal([at(3)]);
    expect([history.canUndo, history.canRedo]).to.deep.equal([true, false]);
  });
  it('takes a list, whose last is taken back first', () => {
    const history = new CorrectionHistory();
    const list = [at(1), at(2)];
    history.set(list);
    list.pop();
    expect(history.undo()).to.deep.equal(at(2));
    history.set([]);
    expect([history.canUndo, history.canRedo]).to.deep.equal([false, false]);
  });
});
