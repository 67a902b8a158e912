import { expect } from 'chai';
import {
  HARD,
  hardFrame,
  hardSequences,
  PAPER,
  paperFrame,
  paperSequence,
  pupilRadii,
} from '../../tools/eyes/index.ts';
import { sampleFrame } from '../../tools/eyes/index.ts';

function checksum(data: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

describe('rendered eyes: sets', function () {
  this.timeout(60000);

  it('renders the same bytes everywhere', () => {
    const sums = {
      hard0: checksum(hardFrame(0).data),
      hard1: checksum(hardFrame(1).data),
      hard4: checksum(hardFrame(4).data),
      hard9: checksum(hardFrame(9).data),
      paper20: checksum(paperFrame(20).data),
      sample100: checksum(sampleFrame(100).data),
    };
    expect(sums).to.deep.equal({
      hard0: 'e73ce6c0',
      hard1: 'f6d9a4d1',
      hard4: '0bbe5b38',
      hard9: '4f1468af',
      paper20: '4cfcb4b6',
      sample100: '0c4d3363',
    });
  });

  it('does not depend on the frames made before', () => {
    const first = checksum(hardFrame(3).data);
    paperFrame(400);
    hardFrame(19);
    expect(checksum(hardFrame(3).data)).to.equal(first);
    expect(checksum(hardFrame(3, 99).data)).not.to.equal(first);
  });

  it('builds the hard set as it is specified', () => {
    const kinds = { eye: 0, led: 0, blink: 0, eyeless: 0 };
    let lashed = 0;
    let steep = 0;
    for (let i = 0; i < 2 * HARD.cycle; i++) {
      const { truth, meta, data, width, height } = hardFrame(i);
      expect(data.length).to.equal(width * height);
      kinds[meta.kind]++;
      expect(truth.eyeless).to.equal(meta.kind === 'eyeless');
      expect(truth.blink).to.equal(meta.kind === 'blink');
      expect(truth.present).to.equal(meta.kind === 'eye' || meta.kind === 'led');
      expect(truth.partial).to.equal(false);
      if (truth.blink) expect(truth.occluded).to.be.above(0.8);
      if (!truth.present) continue;
      const { ellipse } = truth;
      if (!ellipse) throw new Error('a visible pupil has an ellipse');
      expect(meta.contrast).to.be.within(15, 60);
      expect(ellipse.minor / ellipse.major).to.be.closeTo(Math.cos((meta.offAxis * Math.PI) / 180), 1e-9);
      expect(meta.offAxis).to.be.within(0, 40);
      if (meta.offAxis > 30) steep++;
      expect(truth.border.lash).to.be.at.most(0.3);
      expect(truth.border.lid).to.be.at.most(0.15);
      if (truth.border.lash > 0.15) lashed++;
      if (meta.kind === 'led') expect(truth.border.led).to.be.at.least(0.1);
    }
    expect(kinds).to.deep.equal({ eye: 28, led: 20, blink: 6, eyeless: 6 });
    expect(lashed).to.be.above(8);
    expect(steep).to.be.above(5);
  });

  it('plays hard sequences with a blink or a gap, and moves from frame to frame', () => {
    const states = [0, 1].map(() => ({ open: 0, blink: 0, eyeless: 0 }));
    let last: { x: number; y: number } | null = null;
    for (const { truth, meta } of hardSequences({ count: 2, length: 40 })) {
      const state = states[meta.sequence];
      if (truth.eyeless) state.eyeless++;
      else if (truth.blink) state.blink++;
      else if (!truth.partial) state.open++;
      if (meta.frame > 0 && truth.ellipse && last)
        expect(Math.hypot(truth.ellipse.x - last.x, truth.ellipse.y - last.y)).to.be.within(1e-6, 40);
      last = truth.ellipse;
    }
    expect(states[0].blink).to.be.above(2);
    expect(states[1]).to.include({ eyeless: 12, blink: 0 });
  });

  it('has the radii of the paper', () => {
    const radii = [...pupilRadii()];
    expect(radii.length).to.equal(964);
    expect(Math.min(...radii)).to.be.closeTo(1.66, 1e-9);
    expect(Math.max(...radii)).to.be.closeTo(4.28, 1e-9);
    expect(radii.reduce((a, b) => a + b) / 964).to.be.closeTo(3.21, 1e-9);
    for (const index of [0, 873, 874, 963]) {
      const { truth, meta, width, height } = paperFrame(index);
      expect([width, height]).to.deep.equal([1280, 1024]);
      expect(meta.subject).to.equal({ 0: 0, 873: 45, 874: 46, 963: 50 }[index]);
      expect(truth.ellipse?.major).to.be.closeTo(2 * PAPER.pxPerMm * radii[index], 1e-6);
      expect((truth.ellipse?.minor ?? 0) / (truth.ellipse?.major ?? 1)).to.be.within(0.9, 1);
      expect(truth.present).to.equal(true);
    }
  });

  it('plays the paper set as a sequence', () => {
    const frames = [...paperSequence(6)];
    expect(frames.map((f) => f.meta.cut)).to.deep.equal([true, false, false, false, false, false]);
    expect(frames[5].meta.time).to.be.closeTo(20, 1e-9);
    expect(frames.every((f) => f.truth.present)).to.equal(true);
    expect(checksum(frames[1].data)).not.to.equal(checksum(frames[2].data));
  });
});
