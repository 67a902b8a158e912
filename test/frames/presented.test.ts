/** Frames of a stream that come faster than a display shows them: none is counted twice. */
import { expect } from 'chai';
import { VideoFrames } from '../../src/frames/presented.ts';

interface Generator extends MediaStreamTrack {
  writable: WritableStream<VideoFrame>;
}
const { MediaStreamTrackGenerator } = globalThis as unknown as {
  MediaStreamTrackGenerator?: new (init: { kind: 'video' }) => Generator;
};

describe('frames of a stream', () => {
  it('those that are shown and those that are not are together no more than came', async function () {
    this.timeout(20_000);
    if (!MediaStreamTrackGenerator) this.skip(); // only Chromium gives a page a stream of its own frames
    const track = new MediaStreamTrackGenerator({ kind: 'video' });
    const writer = track.writable.getWriter();
    const canvas = new OffscreenCanvas(64, 48);
    canvas.getContext('2d');
    const picture = new VideoFrame(canvas, { timestamp: 0 });
    let sent = 0;
    const send = () => writer.write(new VideoFrame(picture, { timestamp: sent++ * 5000 }));
    const video = Object.assign(document.createElement('video'), { muted: true, srcObject: new MediaStream([track]) });
    document.body.append(video);
    void video.play();
    let [shown, missed] = [0, 0];
    const frames = new VideoFrames(video, (frame) => {
      shown++;
      missed += frame.missed;
    });
    frames.start();
    while (shown < 30) {
      void send();
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    frames.stop();
    const came = sent;
    video.remove();
    track.stop();
    picture.close();
    expect(came).to.be.above(shown, 'faster than they are shown');
    expect(shown + missed).to.be.within(came / 2, came + 1, `${shown} shown, ${missed} missed`);
  });
});
