/** Widths, lengths and branch points against lines and trees that are known exactly. */
import { expect } from 'chai';
import { createEngine } from '../../src/index.ts';
import type { Engine } from '../../src/api.ts';
import { full, itInFull, short } from '../support/full.ts';
import { drawnGray, drawnPhotograph, type Scene } from './drawn.ts';
import { lengthOfLine, parallels, pointCounts, scene, segmentOn, tree } from './scenes.ts';

describe('widths of vessels', () => {
  let engine: Engine;
  before(async () => void (engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 })));
  after(() => engine.dispose());
  const measured = async (drawn: Scene, options = {}) =>
    engine.vessels(drawnPhotograph(drawn) as ImageData, { scales: 'all', measures: true, ...options });

  for (const [name, look] of [
    ['soft and noisy', { blur: 1, noise: 2, fundus: true }],
    ['hard', { blur: 0, noise: 1, fundus: true }],
  ] as const)
    (name === 'hard' ? it : itInFull)(
      `are those drawn within 0.3 px, lengths within 1.5 %, whatever their direction: ${name} edges`,
      async () => {
        const widths = [3, 5, 8, 11];
        const step = short ? 4 : 2;
        for (let k = full ? 0 : Number(look.blur === 0); k < 8; k += full ? 1 : step) {
          const lines = parallels(480, 0.05 + (Math.PI * k) / 8, widths);
          const { segments } = await measured(scene(480, lines, { ...look, seed: k + 1 }));
          for (const line of lines) {
            const found = segmentOn(line, segments!);
            const where = `${line.width} px, direction ${k}`;
            expect(found?.width, where).to.be.closeTo(line.width, 0.3);
            expect(found!.length / lengthOfLine(line), where).to.be.closeTo(1, 0.015);
          }
        }
      },
    );

  itInFull('do not take the reflex along a wide vessel for its border', async () => {
    const lines = parallels(900, 0.4, [14, 18], { reflex: 0.5 });
    const { segments } = await measured(scene(900, lines, { blur: 1.2, noise: 2, fundus: true }));
    for (const line of lines) expect(segmentOn(line, segments!)?.width).to.be.closeTo(line.width, 0.4);
  });

  itInFull('hold through a blur of 2 px, with a reflex or without', async () => {
    for (const [k, reflex] of [0, 0.4].entries()) {
      const lines = parallels(640, 0.7, [5, 8, 10, 12], { reflex: 0 }).map((line) =>
        line.width >= 10 ? { ...line, reflex } : line,
      );
      const { segments } = await measured(scene(640, lines, { blur: 2, noise: 1, fundus: true, seed: 40 + k }));
      for (const line of lines) expect(segmentOn(line, segments!)?.width).to.be.closeTo(line.width, 0.35);
    }
  });

  itInFull('are absent where a line is narrower than the blur, which still has its place and its length', async () => {
    const lines = parallels(640, 0.3, [1.5, 2, 8, 12]);
    const { segments } = await measured(scene(640, lines, { blur: 2, noise: 1, fundus: true, seed: 8 }));
    for (const line of lines) {
      const found = segmentOn(line, segments!);
      expect(found!.length / lengthOfLine(line), `${line.width} px`).to.be.closeTo(1, 0.03);
      if (line.width >= 8) expect(found!.width).to.be.closeTo(line.width, 0.3);
      else
        expect([found!.width, ...found!.widths].filter((v) => v !== undefined && !Number.isNaN(v))).to.deep.equal([]);
    }
    const sharp = parallels(640, 0.3, [1.5, 2]);
    const { segments: found } = await measured(scene(640, sharp, { blur: 0.5, noise: 1, fundus: true, seed: 9 }));
    for (const line of sharp) expect(segmentOn(line, found!)?.width).to.be.closeTo(line.width, 0.15);
  });

  it('hold on a small gray picture with one line that has no blur', async () => {
    for (const jagged of [false, true]) {
      const [line] = parallels(200, 0.35, [4]);
      const picture = drawnGray(
        scene(200, [line!], { blur: 0, background: 200, depth: 0.5, jagged } as Partial<Scene>),
      );
      const { segments } = await engine.vessels(picture, { scales: 'all', measures: true });
      expect(segmentOn(line!, segments!)?.width, `jagged: ${jagged}`).to.be.closeTo(4, 0.3);
    }
  });

  itInFull('are not known where a border lies outside of the picture', async () => {
    const line = {
      width: 8,
      points: [
        [1, -10],
        [1, 310],
      ] as const,
    };
    const other = {
      width: 5,
      points: [
        [150, -10],
        [150, 310],
      ] as const,
    };
    const picture = drawnGray(scene(300, [line, other], { blur: 1, noise: 1 }));
    const { segments } = await engine.vessels(picture, { scales: 'all', measures: true });
    expect(segmentOn(other, segments!)?.width).to.be.closeTo(5, 0.3);
    for (const { points, width, widths } of segments!)
      if (points[0]! < 20)
        expect([width, ...widths].filter((v) => v !== undefined && !Number.isNaN(v))).to.deep.equal([]);
  });

  it('stand at points between pixels, on the middle of the vessel', async () => {
    const [line] = parallels(400, 0.3, [6]);
    const { segments } = await measured(scene(400, [line!], { blur: 1, noise: 1, fundus: true }));
    const { points } = segmentOn(line!, segments!)!;
    const [[ax, ay]] = line!.points as unknown as [[number, number]];
    for (let k = 8; k < points.length - 8; k += 2)
      expect(Math.abs((points[k]! - ax) * Math.sin(0.3) - (points[k + 1]! - ay) * Math.cos(0.3))).to.be.below(0.35);
  });

  itInFull('branch points are where a tree forks', async () => {
    for (const [variant, side] of [
      ['default', 900],
      ['lines', 560],
    ] as const)
      for (const angle of [0, 0.9, 2.1]) {
        const { lines, forks } = tree(side, angle, side / 62, 2);
        const drawn = scene(side, lines, { blur: 1, noise: 2, fundus: true });
        const { branchPoints } = await measured(drawn, { variant });
        const where = `${variant}, angle ${angle}`;
        expect(pointCounts(forks, branchPoints!, side / 70), where).to.deep.equal({ hit: 3, missed: 0, false: 0 });
      }
  });
});
