import { expect } from 'chai';
import { lengthOf } from '../../src/frames/containers.ts';
import { frames, type TimedFrame } from '../../src/frames/frames.ts';
import type { FoveolaError } from '../../src/runtime/error.ts';
import { makeClip, setBack, steady } from '../support/clips.ts';

type Row = Pick<TimedFrame, 'timestamp' | 'mediaTime'> & { width: number; height: number };

async function read(source: Blob | string): Promise<{ rows: Row[]; error: FoveolaError | null }> {
  const rows: Row[] = [];
  try {
    for await (const { frame, timestamp, mediaTime } of frames(source, { everyFrame: true })) {
      const { displayWidth: width, displayHeight: height } = frame as VideoFrame;
      rows.push({ timestamp, mediaTime, width, height });
    }
  } catch (error) {
    return { rows, error: error as FoveolaError };
  }
  return { rows, error: null };
}
const growing = (rows: Row[]) => rows.every((row, i) => i === 0 || row.timestamp > rows[i - 1]!.timestamp);
const partOf = (error: FoveolaError | null) => error!.partial as { frames: number; mediaTime: number };

describe('recordings with faults, frame by frame', () => {
  it('of variable frame rate keep the time of each frame', async () => {
    const times = [0, 0.01, 0.05, 0.06, 0.2, 0.21, 0.5, 0.9, 0.904, 1.7];
    const { rows, error } = await read(await makeClip({ times }));
    expect(error).to.equal(null);
    expect(rows.map((row) => Math.round(row.timestamp))).to.deep.equal(times.map((t) => Math.round(1000 * t)));
  });

  it('whose times leap keep them', async () => {
    const times = [...steady(10), 100, 100.02, 100.04];
    const { rows } = await read(await makeClip({ times }));
    expect(rows.map((row) => Math.round(row.timestamp))).to.deep.equal(times.map((t) => Math.round(1000 * t)));
  });

  it('whose times go back give each frame once, with times that grow, and tell their own', async () => {
    const clip = await setBack(await makeClip({ times: steady(150) }), 2, 1200);
    const { rows, error } = await read(clip);
    expect(error).to.equal(null);
    expect(rows).to.have.length(150);
    expect(growing(rows)).to.equal(true);
    const back = rows.filter((row, i) => i > 0 && row.mediaTime <= rows[i - 1]!.mediaTime);
    expect(back).to.have.length(1);
  });

  it('that are cut off give what was decoded, and say where they break off', async () => {
    const whole = await makeClip({ times: steady(150) });
    for (const share of [0.4, 0.8]) {
      const cut = whole.slice(0, Math.floor(share * whole.size));
      const { rows, error } = await read(cut);
      expect(rows.length).to.be.within(10, 149);
      expect(error!.code).to.equal('decode-failed');
      expect(error!.message).to.include(`after ${rows.length} frames, the last at `);
      expect(error!.message).to.include(`${cut.size} of its ${whole.size} bytes`);
      expect(partOf(error).frames).to.equal(rows.length);
      expect(partOf(error).mediaTime).to.be.closeTo(rows.at(-1)!.mediaTime, 1e-6);
    }
    expect((await read(whole)).error).to.equal(null);
  });

  it('that are cut off on a server say so as well', async () => {
    const whole = await makeClip({ times: steady(150) });
    const address = URL.createObjectURL(whole.slice(0, Math.floor(0.4 * whole.size)));
    const { rows, error } = await read(address);
    URL.revokeObjectURL(address);
    expect(error!.code).to.equal('decode-failed');
    expect(partOf(error).frames).to.equal(rows.length);
  });

  it('that are damaged within say up to where they were read', async () => {
    const bytes = new Uint8Array(await (await fetch('/demo/media/sample.webm')).arrayBuffer());
    bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 4000);
    const { rows, error } = await read(new Blob([bytes]));
    expect(growing(rows)).to.equal(true);
    expect(rows.length).to.be.within(10, 479);
    expect(error!.code).to.equal('decode-failed');
    expect(error!.message).to.include(`cannot be decoded further after ${rows.length} frames`);
    expect(partOf(error).frames).to.equal(rows.length);
  });

  it('of MP4 without its index are called cut off, not silent', async () => {
    const box = (type: string, size: number, bytes: number) => {
      const data = new Uint8Array(bytes);
      new DataView(data.buffer).setUint32(0, size);
      data.set(new TextEncoder().encode(type), 4);
      return data;
    };
    const head = box('ftyp', 20, 20);
    head.set(new TextEncoder().encode('isom'), 8);
    const { rows, error } = await read(new Blob([head, box('mdat', 5000, 900)]));
    expect(rows).to.deep.equal([]);
    expect(error!.code).to.equal('decode-failed');
    expect(error!.message).to.include('920 of its 5020 bytes');
  });
});

describe('length that a container tells', () => {
  it('is not known of files that do not tell', async () => {
    expect(await lengthOf(new Blob(['']))).to.equal(null);
    expect(await lengthOf(new Blob(['only text here, no boxes']))).to.not.equal(0);
    // A live WebM: the segment's size is all ones.
    const live = Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xff, 1, 2, 3);
    expect(await lengthOf(new Blob([live]))).to.equal(null);
  });

  it('is that of the whole file where it does', async () => {
    const clip = await makeClip({ times: steady(5) });
    expect(await lengthOf(clip)).to.equal(clip.size);
    expect(await lengthOf(clip.slice(0, 300))).to.equal(clip.size);
  });
});
