/** The clock of a session, and the library's frames by it. */
import { expect } from 'chai';
import { FrameClock } from '../../src/frames/clock.ts';
import { frames, Throttle } from '../../src/frames/frames.ts';
import { makeClip, steady } from '../support/clips.ts';
import { clockCases, rounded, handVideo } from '../support/clock-cases.ts';

describe('time of the frames that the library reads', () => {
  let clip: Blob;
  before(async () => (clip = await makeClip({ times: steady(50) })));

  for (const { name, live = false, presented, timestamps, clocks } of clockCases)
    it(name, async () => {
      const { video, tell, close } = await handVideo(live, clip);
      const reader = frames(video)[Symbol.asyncIterator]();
      const rows: { timestamp: number; clock: string; mediaTime: number; dropped: number }[] = [];
      try {
        for (const frame of presented) {
          const next = reader.next();
          await new Promise((resolve) => setTimeout(resolve)); // it has asked for the frame
          tell(frame);
          const { frame: _, ...row } = (await next).value as { frame: VideoFrame } & (typeof rows)[number];
          rows.push(row);
        }
      } finally {
        await reader.return?.();
        close();
      }
      expect(rounded(rows.map(({ timestamp }) => timestamp))).to.deep.equal(timestamps);
      expect(rows.map(({ mediaTime }) => mediaTime)).to.deep.equal(presented.map(({ media }) => (live ? NaN : media)));
      expect(rows.every(({ dropped }) => dropped === 0)).to.equal(true);
      if (clocks) expect(rows.map(({ clock }) => clock)).to.deep.equal(clocks);
    });

  it('keeps the newest frame that is presented while nobody asks, and counts the others', async () => {
    const { video, tell, close } = await handVideo(false, clip);
    const reader = frames(video)[Symbol.asyncIterator]();
    const ask = async (media: number) => {
      const next = reader.next();
      await new Promise((resolve) => setTimeout(resolve));
      tell({ media });
      const { dropped, mediaTime } = (await next).value as { dropped: number; mediaTime: number };
      return { dropped, mediaTime };
    };
    try {
      expect(await ask(0)).to.deep.equal({ mediaTime: 0, dropped: 0 });
      tell({ media: 40 });
      tell({ media: 80 });
      tell({ media: 160, unseen: 1 });
      expect(await ask(200)).to.deep.equal({ mediaTime: 160, dropped: 3 });
      expect(await ask(240)).to.deep.equal({ mediaTime: 200, dropped: 0 });
    } finally {
      await reader.return?.();
      close();
    }
  });
});

describe('the clock of a session', () => {
  const at = (media: number, standing = false) => ({ media, arrival: 0, standing });

  it('measures the distance of frames by those that were presented', () => {
    const clock = new FrameClock(false);
    for (const media of [0, 40, 80]) clock.stamp(at(media));
    const before = clock.interval;
    clock.stamp(at(85, true)); // the same frame, by the video's own time
    clock.stamp(at(120));
    expect(clock.interval).to.equal(before);
    clock.stamp(at(140));
    expect(clock.interval).to.be.closeTo(20, 0.01);
  });

  it('does not move a recording for a frame that stood, and is then presented with its own time', () => {
    const clock = new FrameClock(false);
    for (const media of [0, 40, 80]) clock.stamp(at(media));
    clock.stamp(at(115, true));
    expect(clock.stamp(at(80)).timestamp).to.equal(115.001);
    expect(clock.stamp(at(120)).timestamp).to.equal(120);
  });

  it('is not chosen by a frame that stands', () => {
    const clock = new FrameClock(true);
    expect(clock.stamp({ media: 0, arrival: 50, standing: true }).clock).to.equal('arrival');
    expect(clock.stamp({ media: 0, arrival: 120, capture: 100 })).to.include({ timestamp: 100, clock: 'capture' });
    expect(clock.describe()).to.match(/^capture/);
  });

  it('tells times that do not go back when frames come late, a video is paused, or it begins again', () => {
    const clock = new FrameClock(false);
    expect(clock.now(0)).to.equal(0);
    clock.stamp(at(1000));
    const times = [1250, 1200, 1020, 100, 1300].map((media) => clock.now(media));
    expect(times).to.deep.equal([1250, 1250, 1250, 1250, 1300]);
    clock.stamp(at(1280));
    expect(clock.now(1280)).to.equal(1300);
  });

  it('goes on by the usual distance where a frame has no time', () => {
    const clock = new FrameClock(false);
    for (const media of [0, 40, 80]) clock.stamp(at(media));
    expect(clock.stamp({ arrival: 7 }).timestamp).to.be.closeTo(120, 1);
  });
});

describe('a limit of frames a second', () => {
  it('leaves out the others on a grid, and lets jitter pass', () => {
    const throttle = new Throttle();
    const times = Array.from({ length: 30 }, (_, i) => i * 20 + (i % 2 ? 3 : -3));
    expect(times.filter((time) => throttle.takes(time, 25)).length).to.be.within(14, 16);
    expect(times.every((time) => new Throttle().takes(time, 0))).to.equal(true);
  });
});
