/** A video that has its first frame and gives no pixels of it yet, as in a browser that is busy. */
import { expect } from 'chai';
import { openVideo } from '../../src/frames/video.ts';
import { toPacket } from '../../src/frames/to-packet.ts';
import { closePacket, type ReadablePacket } from '../../src/runtime/engine/protocol.ts';
import { makeClip, steady } from '../support/clips.ts';
import { awaitVideo } from '../../widget/base/media-ready.ts';

describe('the first frame of a video', () => {
  const { createImageBitmap: make, VideoFrame: Frame } = globalThis;
  let clip: File;
  let refused: number;

  before(async () => (clip = await makeClip({ times: steady(5) })));
  /** The next `times` attempts to read a video fail as they do before its frame is there. */
  const early = (times: number) => {
    let left = times;
    refused = 0;
    const check = (source: unknown) => {
      if (!(source instanceof HTMLVideoElement) || left-- <= 0) return;
      refused++;
      throw new DOMException('The image source is not usable.', 'InvalidStateError');
    };
    globalThis.createImageBitmap = (async (source: ImageBitmapSource, ...rest: []) => {
      check(source);
      return make(source, ...rest);
    }) as typeof make;
    globalThis.VideoFrame = class extends Frame {
      constructor(source: CanvasImageSource, options?: VideoFrameInit) {
        check(source);
        super(source, options);
      }
    } as typeof Frame;
  };
  afterEach(() => Object.assign(globalThis, { createImageBitmap: make, VideoFrame: Frame }));

  it('is waited for where a file is opened', async () => {
    early(3);
    const { video, close } = await openVideo(clip);
    expect(refused).to.equal(3);
    new VideoFrame(video).close();
    close();
  });

  it("is waited for where a video of the page's own is taken, and where one is given to the engine", async () => {
    const { video, close } = await openVideo(clip);
    early(3);
    await awaitVideo(video, 'it', new AbortController().signal);
    expect(refused).to.equal(3);
    early(3);
    const packet = (await toPacket(video)) as ReadablePacket & { kind: 'bitmap' };
    expect(refused).to.equal(3);
    expect(packet.bitmap.width).to.equal(video.videoWidth);
    closePacket(packet);
    close();
  });
});
