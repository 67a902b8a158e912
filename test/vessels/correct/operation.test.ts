/** engine.vesselMeasures: the very measures of engine.vessels, of masks that were corrected, and of what is none. */
import { expect } from 'chai';
import {
  correctedMask,
  createEngine,
  cutAcross,
  type VesselCorrection,
  type VesselResult,
} from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';
import { drawnPhotograph } from '../drawn.ts';
import { lengthOfLine, parallels, scene, segmentOn } from '../scenes.ts';

const rejected = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { code: string; message: string }) => error,
  );

describe('engine.vesselMeasures', () => {
  let engine: Engine;
  let vessels: VesselResult;
  const lines = parallels(480, 0.2, [6, 8, 10]);
  const photograph = drawnPhotograph(scene(480, lines, { blur: 1, noise: 2, fundus: true, seed: 11 })) as ImageData;
  before(async () => {
    engine = await createEngine({ worker: false, backend: 'wasm', threads: 1 });
    vessels = await engine.vessels(photograph, { scales: 'all', measures: true, micrometresPerPixel: 5 });
  });
  after(() => engine.dispose());
  const measured = async (list: VesselCorrection[]) => {
    const { mask, byHand } = correctedMask(vessels, list);
    return engine.vesselMeasures(photograph, mask, { byHand, micrometresPerPixel: 5 });
  };

  it('measures the mask of engine.vessels to the very same numbers', async () => {
    const { skeleton, branchPoints, segments, scale } = await measured([]);
    expect({ skeleton, branchPoints, segments, scale }).to.deep.equal({
      ...{ skeleton: vessels.skeleton, branchPoints: vessels.branchPoints },
      ...{ segments: vessels.segments, scale: vessels.scale },
    });
  });
  it('measures what was erased as gone, and the others as before', async () => {
    const [[x1, y1], [x2, y2]] = lines[0]!.points as [[number, number], [number, number]];
    const { segments } = await measured([{ action: 'erase', points: [x1, y1, x2, y2], width: 30 }]);
    expect(segmentOn(lines[0]!, segments)).to.equal(null);
    for (const line of lines.slice(1))
      expect(segmentOn(line, segments)!.width).to.be.closeTo(segmentOn(line, vessels.segments!)!.width!, 0.02);
  });
  it('parts a vessel where it is cut: two segments, each as wide, that end there', async () => {
    const before = segmentOn(lines[2]!, vessels.segments!)!;
    const middle = 2 * (before.points.length >> 2);
    const [x, y] = [before.points[middle]!, before.points[middle + 1]!];
    const { segments } = await measured([cutAcross(before, x, y)]);
    expect(segments).to.have.length(vessels.segments!.length + 1);
    const ends = segments.filter(({ points }) =>
      [0, points.length - 2].some((k) => Math.hypot(points[k]! - x, points[k + 1]! - y) < 12),
    );
    expect(ends).to.have.length(2);
    for (const { width, length } of ends) {
      expect(width).to.be.closeTo(10, 0.4);
      expect(length).to.be.within(0.42 * before.length, 0.5 * before.length);
    }
    const gap = Math.min(
      ...[0, ends[0]!.points.length - 2].flatMap((a) =>
        [0, ends[1]!.points.length - 2].map((b) =>
          Math.hypot(ends[0]!.points[a]! - ends[1]!.points[b]!, ends[0]!.points[a + 1]! - ends[1]!.points[b + 1]!),
        ),
      ),
    );
    expect(gap).to.be.above(2);
  });
  it('does not follow a vessel beyond the end that a person gave it', async () => {
    const [, [x, y]] = lines[2]!.points as [[number, number], [number, number]];
    const list: VesselCorrection[] = [{ action: 'erase', points: [x, y], width: 16 }];
    const { mask, byHand } = correctedMask(vessels, list);
    const whole = segmentOn(lines[2]!, vessels.segments!)!.length;
    const given = segmentOn(lines[2]!, (await engine.vesselMeasures(photograph, mask, { byHand })).segments)!.length;
    const followed = segmentOn(lines[2]!, (await engine.vesselMeasures(photograph, mask)).segments)!.length;
    expect(whole - given).to.be.within(6, 15);
    expect(whole - followed).to.be.below(3);
  });
  it('keeps a vessel that a person has drawn where the photograph shows none, without a width', async () => {
    const line = parallels(480, 1.5, [5])[0]!;
    const clear = drawnPhotograph(scene(480, [], { blur: 1, noise: 0, fundus: true })) as ImageData;
    const { width, height } = clear;
    const none = { width, height, data: new Uint8Array(width * height) };
    const all = { ...none, data: new Uint8Array(width * height).fill(255) };
    const points = line.points.flat();
    const { mask, byHand } = correctedMask({ mask: none, fieldOfView: all }, [{ action: 'add', points, width: 5 }]);
    const { segments } = await engine.vesselMeasures(clear, mask, { byHand });
    expect(segments).to.have.length(1);
    expect(segments[0]!.length / lengthOfLine(line)).to.be.closeTo(1, 0.05);
    expect(segments[0]!.width).to.equal(undefined);
    expect((await engine.vesselMeasures(clear, mask)).segments, 'not by hand').to.have.length(0);
  });
  it('takes a mask of ones, an empty one, and a single pixel', async () => {
    const { mask } = vessels;
    const ones = { ...mask, data: mask.data.map((v) => (v ? 1 : 0)) };
    expect((await engine.vesselMeasures(photograph, ones)).segments).to.have.length(vessels.segments!.length);
    const none = { ...mask, data: new Uint8Array(mask.data.length) };
    expect((await engine.vesselMeasures(photograph, none)).segments).to.deep.equal([]);
    const one = { width: 1, height: 1, data: Uint8Array.of(9) };
    expect((await engine.vesselMeasures(one, one)).branchPoints).to.deep.equal([]);
  });
  it('refuses masks of another size, and says which', async () => {
    const small = { width: 3, height: 2, data: new Uint8Array(6) };
    for (const [call, words] of [
      [engine.vesselMeasures(photograph, small), 'mask is 3x2, but the photograph is 480x480'],
      [
        engine.vesselMeasures(photograph, vessels.mask, { byHand: small }),
        'byHand is 3x2, but the photograph is 480x480',
      ],
      [
        engine.vesselMeasures(photograph, vessels.mask, { byHand: { ...small, width: 4 } }),
        'byHand must be a GrayImage',
      ],
      [engine.vesselMeasures(photograph, vessels.mask, { micrometresPerPixel: -1 }), 'micrometresPerPixel'],
      [engine.vesselMeasures(photograph, vessels.mask, { sigma: 1 } as never), 'sigma'],
    ] as const) {
      const error = await rejected(call);
      expect(error?.code).to.equal('invalid-argument');
      expect(error?.message).to.contain(words);
    }
  });
});
