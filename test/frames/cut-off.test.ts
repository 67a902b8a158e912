/** Recordings that are not whole are called incomplete; no message asks to convert them; what is no picture is called so. */
import { expect } from 'chai';
import { missingOf } from '../../src/frames/containers.ts';
import { openVideo } from '../../src/frames/video.ts';
import { makeClip, steady } from '../support/clips.ts';
import { failure } from './made-frames.ts';

const named = (parts: BlobPart[], name = 'eye.mp4') => new File(parts, name, { type: 'video/mp4' });
/** The MP4 without its last box, which is its index. */
async function withoutIndex(clip: File): Promise<File> {
  const view = new DataView(await clip.arrayBuffer());
  let at = 0;
  for (let size = 0; at < clip.size; at += size) {
    size = view.getUint32(at) === 1 ? Number(view.getBigUint64(at + 8)) : view.getUint32(at);
    if (view.getUint32(at + 4) === 0x6d6f6f76) return named([clip.slice(0, at)]); // moov
  }
  throw new Error('there is no index');
}

describe('an MP4 that is not whole', () => {
  let clip: File;
  before(async () => {
    clip = await makeClip({ times: steady(20), format: 'mp4' });
  });

  it('plays when it is whole', async () => {
    expect(await missingOf(clip)).to.equal(null);
    (await openVideo(clip)).close();
  });

  it('is not said to lack an index that stands behind ten thousand boxes', async () => {
    const free = Uint8Array.from({ length: 88_000 }, (_, i) => [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65][i % 8]!);
    const start = new DataView(await clip.slice(0, 4).arrayBuffer()).getUint32(0);
    expect(await missingOf(new Blob([clip.slice(0, start), free, clip.slice(start)]))).to.equal(null);
  });

  it('is incomplete where it is cut off', async () => {
    const cut = named([clip.slice(0, Math.floor(clip.size / 2))]);
    const { code, message } = await failure(() => openVideo(cut));
    expect(code).to.equal('decode-failed');
    expect(message).to.match(/^'eye\.mp4' is incomplete: it has \d+ of its \d+ bytes\./);
    expect(message).to.not.match(/[Cc]onvert/);
  });

  it('is incomplete where its index was never written', async () => {
    const { code, message } = await failure(async () => openVideo(await withoutIndex(clip)));
    expect(code).to.equal('decode-failed');
    expect(message).to.match(/^'eye\.mp4' is incomplete: its index \(moov\)/);
  });

  it('is incomplete at an address as well', async () => {
    const address = URL.createObjectURL(await withoutIndex(clip));
    const { code, message } = await failure(() => openVideo(address));
    expect(code).to.equal('decode-failed');
    expect(message).to.include(`${address} is incomplete`);
    URL.revokeObjectURL(address);
  });

  it('is to be converted only where it is whole and of another kind', async () => {
    const bytes = new Uint8Array(await clip.arrayBuffer());
    const text = new TextDecoder('latin1').decode(bytes);
    // Another codec by its name, everywhere.
    for (let at = text.indexOf('vp09'); at >= 0; at = text.indexOf('vp09', at + 1)) bytes.set([113, 113, 113, 113], at);
    const { code, message } = await failure(() => openVideo(named([bytes])));
    expect(code).to.equal('source-unsupported');
    expect(message).to.match(/Convert it/);
  });
});

describe('what is no recording', () => {
  it('is called by its name, and is not said to be played', async () => {
    const text = named(['only text'], 'notes.txt');
    const { code, message } = await failure(() => openVideo(text));
    expect(code).to.equal('decode-failed');
    expect(message).to.match(/'notes\.txt' is not a supported video or image.* a text file/);
  });
});
