import { expect } from 'chai';
import { frames, type FramesOptions, type FramesSource, type TimedFrame } from '../../src/frames/frames.ts';
import { openVideo } from '../../src/frames/video.ts';
import { failure, noise } from './made-frames.ts';

const sample = '/demo/media/sample.webm';
const truth = (await (await fetch('/demo/media/sample.truth.json')).json()) as { frames: unknown[] };
const file = async () => new File([await (await fetch(sample)).arrayBuffer()], 'sample.webm');

interface Row extends Omit<TimedFrame, 'frame'> {
  width: number;
}
async function collect(source: FramesSource, options: FramesOptions, most = Infinity): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { frame, ...row } of frames(source, options)) {
    rows.push({ ...row, width: frame instanceof VideoFrame ? frame.displayWidth : frame.width });
    if (rows.length === most) break;
  }
  return rows;
}
const growing = (rows: Row[]) => rows.every((row, i) => i === 0 || row.timestamp > rows[i - 1]!.timestamp);

/** A stream without a camera: a canvas that is painted all the time. */
function painted() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  let n = 0;
  const timer = setInterval(() => {
    context.fillStyle = `rgb(${++n & 255} 0 0)`;
    context.fillRect(0, 0, 64, 64);
  }, 10);
  return { stream: canvas.captureStream(), stop: () => clearInterval(timer) };
}

describe('frames', () => {
  it('every frame of a recording, once and in order', async () => {
    for (const source of [await file(), sample]) {
      const rows = await collect(source, { everyFrame: true });
      expect(rows.length).to.equal(truth.frames.length);
      expect(growing(rows)).to.equal(true);
      expect(rows[0]!.clock).to.equal('media');
      expect(rows.every((row) => row.dropped === 0)).to.equal(true);
    }
  });

  it('frames of a recording as they are presented', async () => {
    const rows = await collect(await file(), {}, 8);
    expect(rows.length).to.equal(8);
    expect(growing(rows)).to.equal(true);
    expect(rows[0]!.clock).to.equal('media');
    expect(rows[0]!.width).to.be.above(0);
  });

  it('frames of a video element, to its end, dropped ones counted', async () => {
    const { video, close } = await openVideo(sample);
    const duration = video.duration;
    video.currentTime = Math.max(0, duration - 0.5);
    await new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
    const reading = collect(video, { maxFps: 20 });
    await video.play();
    const rows = await reading;
    expect(growing(rows)).to.equal(true);
    expect(rows.length).to.be.above(0);
    close();
  });

  it('frames of a stream, by the clock that is asked for', async () => {
    const { stream, stop } = painted();
    try {
      const rows = await collect(stream, { timestampSource: 'arrival' }, 5);
      expect([rows.length, rows[0]!.clock, growing(rows)]).to.deep.equal([5, 'arrival', true]);
      expect((await collect(stream, {}, 2))[0]!.clock).to.be.oneOf(['capture', 'arrival']);
    } finally {
      stop();
    }
  });

  it('counts what a slow reader of a stream leaves out', async () => {
    const { stream, stop } = painted();
    let dropped = 0;
    let n = 0;
    for await (const row of frames(stream)) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      dropped += row.dropped;
      if (++n === 5) break;
    }
    stop();
    expect(dropped).to.be.above(0);
  });

  it('ends with the stream', async () => {
    const { stream, stop } = painted();
    setTimeout(() => stream.getTracks().forEach((track) => track.stop()), 200);
    await collect(stream, {});
    stop();
  });

  it('stops when it is cancelled', async () => {
    const { stream, stop } = painted();
    const controller = new AbortController();
    const error = await failure(async () => {
      for await (const _row of frames(stream, { signal: controller.signal })) controller.abort();
    });
    stop();
    expect(error.code).to.equal('aborted');
    expect((await failure(() => collect(sample, { signal: AbortSignal.abort() }))).code).to.equal('aborted');
  });

  it('refuses bad arguments at once', async () => {
    const { stream, stop } = painted();
    stop();
    for (const [source, options] of [
      [null, {}],
      [7, {}],
      [sample, { timestampSource: 'sun' }],
      [sample, { maxFps: 0 }],
      [stream, { everyFrame: true }],
    ])
      expect((await failure(() => frames(source as string, options as FramesOptions))).code).to.equal(
        'invalid-argument',
      );
  });

  it('names what is wrong with a file', async () => {
    const text = new File(['just words, no video at all'], 'eye.mp4');
    for (const everyFrame of [true, false]) {
      const code = async (source: FramesSource) => (await failure(() => collect(source, { everyFrame }))).code;
      expect(await code(text)).to.equal('decode-failed');
      expect(await code(new File([], 'empty.mp4'))).to.equal('decode-failed');
      expect(await code('/no-such-video.mp4')).to.equal('decode-failed');
      expect(await code(new Blob([noise(5000)]))).to.equal('decode-failed');
    }
    expect((await failure(() => openVideo(text))).message).to.match(/'eye.mp4'.*a text file/);
    expect((await failure(() => openVideo('/no-such-video.mp4'))).message).to.match(/HTTP 404/);
    expect((await failure(() => openVideo(new MediaStream()))).code).to.equal('source-unsupported');
    const host = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    expect((await failure(() => openVideo(`http://${host}:${location.port}${sample}`))).code).to.equal(
      'source-tainted',
    );
  });
});
