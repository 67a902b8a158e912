import { expect } from 'chai';
import { maskPixels, overlayPixels, vesselsCsv, vesselsJson } from '../../src/results/export-vessels.ts';
import type { VesselResult } from '../../src/results/types.ts';

const header = {
  version: '1',
  source: { name: 'eye\n.jpg', sha256: null },
  parameters: { scales: 'all' },
  backend: 'wasm',
  renderer: null,
  threads: 1,
};
const plane = { width: 2, height: 1, data: Uint8Array.of(0, 255) };
const result: VesselResult = {
  ...{ mask: plane, fieldOfView: plane, response: Float32Array.of(0, 2), fraction: 0.5, confidence: 0.25 },
  warnings: ['odd'],
  branchPoints: [{ x: 1, y: 0 }],
  segments: [
    { points: Float32Array.of(0, 0, 1, 0), widths: Float32Array.of(3, 5), width: 4, length: 1, widthMicrometres: 40 },
    { points: Float32Array.of(2, 0, 2, 1.5), widths: Float32Array.of(NaN, 4), length: 1.5 },
  ],
};

const comments = { format: 'comments' } as const;

describe('export of vessels', () => {
  it('writes a CSV row a segment, empty where nothing is known', () => {
    const lines = vesselsCsv(result, header, comments).trimEnd().split('\n');
    expect(vesselsCsv(result, header)).to.equal(`${lines.slice(-3).join('\n')}\n`);
    expect(lines.filter((line) => !line.startsWith('#'))).to.deep.equal([
      'segment,x1,y1,x2,y2,length_px,width_px,length_um,width_um',
      '1,0,0,1,0,1,4,,40',
      '2,2,0,2,1.5,1.5,,,',
    ]);
    expect(lines).to.include('# source: {"name":"eye .jpg","sha256":null,"width":2,"height":1}');
    expect(lines).to.include('# warnings: ["odd"]');
    expect(lines).to.include('# scale: null');
    const scale = { micrometresPerPixel: 7.5, from: 'file' } as const;
    expect(vesselsCsv({ ...result, scale }, header, comments)).to.include(
      '# scale: {"micrometresPerPixel":7.5,"from":"file"}\n',
    );
    expect(JSON.parse(vesselsJson({ ...result, scale }, header)).scale).to.deep.equal(scale);
    expect(JSON.parse(vesselsJson(result, header)).scale).to.equal(null);
  });

  it('writes JSON with null where nothing is known', () => {
    const read = JSON.parse(vesselsJson(result, header));
    expect(read.segments[0]).to.deep.equal({
      ...{ length: 1, width: 4, lengthMicrometres: null, widthMicrometres: 40 },
      ...{ points: [0, 0, 1, 0], widths: [3, 5] },
    });
    expect(read.segments[1]).to.deep.equal({
      ...{ length: 1.5, width: null, lengthMicrometres: null, widthMicrometres: null },
      ...{ points: [2, 0, 2, 1.5], widths: [null, 4] },
    });
    expect(read.notice).to.match(/not a medical device/);
  });

  it('says what was corrected by hand, and what was measured around the disc', () => {
    const corrections = [
      { action: 'fovea', x: 1, y: 0 },
      { action: 'fovea', x: 0, y: 0 },
    ];
    const retina = { eye: 'left' };
    const csv = vesselsCsv(result, { ...header, corrections }, comments).split('\n');
    expect(csv).to.include(`# corrections: ${JSON.stringify({ count: { fovea: 2 }, list: corrections })}`);
    expect(JSON.parse(vesselsJson(result, { ...header, corrections, retina }))).to.deep.include({
      corrections: { count: { fovea: 2 }, list: corrections },
      retina,
    });
    expect(vesselsCsv(result, { ...header, corrections: [] }, comments)).to.contain(
      '# corrections: {"count":{},"list":[]}\n',
    );
    expect(vesselsCsv(result, header, comments)).not.to.contain('correction');
    expect(JSON.parse(vesselsJson(result, header))).not.to.have.any.keys('corrections', 'retina');
  });

  it('draws the mask opaque and the overlay only where there are vessels', () => {
    expect([...maskPixels(result).data]).to.deep.equal([0, 0, 0, 255, 255, 255, 255, 255]);
    expect([...overlayPixels(result, [1, 2, 3], 0.5).data]).to.deep.equal([0, 0, 0, 0, 1, 2, 3, 128]);
  });
});
