// Full run only: many rendered frames, up to a minute.
import { expect } from 'chai';
import { HARD, hardFrame, hardSequences, PAPER, paperFrame, paperSequence, pupilRadii } from '../../lab/eyes/index.ts';
import { sampleFrame, WIDE, wideFrame } from '../../lab/eyes/index.ts';
import { codeBlocks, enlarge, interlace, smear } from '../../lab/eyes/camera.ts';

function checksum(data: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

describe('rendered eyes: sets', () => {
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

  it('changes one property of the paper set at a time', () => {
    const [plain, round, smooth, hidden] = [{}, { frontal: true }, { skin: 0 }, { hidden: 0.25 }].map((change) =>
      paperFrame(7, change),
    );
    const ratio = ({ truth: { ellipse } }: typeof plain) => ellipse!.minor / ellipse!.major;
    expect(ratio(plain!)).to.be.below(0.999);
    expect(ratio(round!)).to.be.closeTo(1, 1e-9);
    expect(smooth!.truth).to.deep.equal(plain!.truth);
    expect(smooth!.data).to.not.deep.equal(plain!.data);
    const { lid, lash } = hidden!.truth.border;
    expect(lid + lash).to.be.within(0.2, 0.35);
    expect(hidden!.truth.ellipse).to.deep.equal(plain!.truth.ellipse);
  });

  it('plays the paper set as a sequence', () => {
    const frames = [...paperSequence(6)];
    expect(frames.map((f) => f.meta.cut)).to.deep.equal([true, false, false, false, false, false]);
    expect(frames[5].meta.time).to.be.closeTo(20, 1e-9);
    expect(frames.every((f) => f.truth.present)).to.equal(true);
    expect(checksum(frames[1].data)).not.to.equal(checksum(frames[2].data));
  });

  describe('wide set', () => {
    // Subjects that are quickly rendered: 224 to 400 px wide.
    const seed = 6001;

    it('depends on seed and number alone', () => {
      const sum = checksum(wideFrame(24, seed).data);
      wideFrame(33, seed);
      expect(checksum(wideFrame(24, seed).data)).to.equal(sum);
      expect(checksum(wideFrame(24, seed + 1).data)).to.not.equal(sum);
      expect(checksum(wideFrame(25, seed).data)).to.not.equal(sum);
    });

    it('keeps person, camera and light of a subject, and has eyes, blinks and eyeless frames of each', () => {
      const kinds = new Map<string, number>();
      for (let i = 0; i < 4 * WIDE.perSubject; i++) {
        const { width, height, meta, truth, data } = wideFrame(i, seed);
        const first = wideFrame(i - (i % WIDE.perSubject), seed);
        expect(meta.subject).to.equal(Math.floor(i / WIDE.perSubject));
        expect([width, height, meta.light, meta.view, meta.glasses]).to.deep.equal([
          first.width,
          first.height,
          first.meta.light,
          first.meta.view,
          first.meta.glasses,
        ]);
        expect(data.length).to.equal(width * height);
        kinds.set(meta.kind, (kinds.get(meta.kind) ?? 0) + 1);
        expect(truth.present).to.equal(meta.kind === 'eye');
        if (meta.kind !== 'eye') continue;
        expect(meta.contrast).to.be.at.least(9);
        expect(meta.offAxis).to.be.within(0, 50);
        const { ellipse } = truth;
        expect(ellipse!.x).to.be.within(0, width);
        expect(ellipse!.y).to.be.within(0, height);
        // What trackers look for by their defaults.
        expect(ellipse!.major / Math.hypot(width, height)).to.be.above(0.048);
        expect(ellipse!.minor / ellipse!.major).to.be.closeTo(Math.cos((meta.offAxis * Math.PI) / 180), 1e-6);
      }
      expect(Object.fromEntries(kinds)).to.deep.equal({ eye: 24, eyeless: 6, blink: 2 });
    });

    it('has the pupil where the truth says: darker inside, or brighter, by the contrast', () => {
      let seen = 0;
      for (let i = 0; i < 5 * WIDE.perSubject; i += 2) {
        const { width, height, data, truth, meta } = wideFrame(i, seed);
        if (!truth.present || truth.partial || truth.occluded > 0.1) continue;
        const { x, y, r } = truth.circle!;
        const mean = (from: number, to: number) => {
          let [sum, n] = [0, 0];
          for (let t = 0; t < 2 * Math.PI; t += 0.05)
            for (let k = from; k <= to; k += 0.1) {
              const px = Math.round(x + k * r * Math.cos(t));
              const py = Math.round(y + k * r * Math.sin(t));
              if (px < 0 || py < 0 || px >= width || py >= height) continue;
              sum += data[py * width + px]!;
              n++;
            }
          return sum / n;
        };
        const step = mean(1.35, 1.5) - mean(0, 0.5);
        expect(meta.polarity === 'bright' ? -step : step, `frame ${i}`).to.be.above(0.3 * meta.contrast);
        seen++;
      }
      expect(seen).to.be.at.least(4);
    });
  });

  describe('cameras', () => {
    const step = () => Float32Array.from({ length: 64 * 16 }, (_, i) => (i % 64 < 32 ? 20 : 120));

    it('smear along a line, and keep the mean', () => {
      const image = step();
      smear(image, 64, 16, 8, 0);
      const row = [...image.subarray(5 * 64, 6 * 64)];
      expect(row[26]).to.be.closeTo(20, 1e-3);
      expect(row[37]).to.be.closeTo(120, 1e-3);
      expect(row[31]! + row[32]!).to.be.closeTo(140, 1e-2);
      for (let x = 28; x < 36; x++) expect(row[x]! - row[x - 1]!).to.be.within(5, 20);
    });

    it('put the two fields apart', () => {
      const image = step();
      interlace(image, 64, 16, 4);
      const edge = (y: number) => image.subarray(y * 64, (y + 1) * 64).findIndex((v) => v > 70);
      expect([edge(4), edge(5), edge(6), edge(7)]).to.deep.equal([30, 34, 30, 34]);
    });

    it('code blocks: flat ones stay, coarse steps at low quality, none at the highest', () => {
      const flat = new Uint8Array(256).fill(133);
      codeBlocks(flat, 16, 16, 30);
      for (const v of flat) expect(v).to.be.closeTo(133, 3);
      const noisy = () => Uint8Array.from({ length: 256 }, (_, i) => 100 + ((i * 7919) % 60));
      const error = (quality: number) => {
        const data = noisy();
        codeBlocks(data, 16, 16, quality);
        return data.reduce((sum, v, i) => sum + Math.abs(v - noisy()[i]!), 0) / 256;
      };
      expect(error(100)).to.be.below(1);
      expect(error(20)).to.be.above(4);
    });

    it('enlarge what was recorded at half its size, in its place', () => {
      const data = Uint8Array.from(step());
      enlarge(data, 64, 16);
      expect([...data.subarray(64 * 7 + 29, 64 * 7 + 35)]).to.deep.equal([20, 20, 45, 95, 120, 120]);
    });
  });
});
