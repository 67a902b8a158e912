/** Time of the frames of an element's session: the table that the library's frames pass too. */
import { expect } from 'chai';
import type { FrameTiming } from '../../src/index.ts';
import { type ElementTracker, Turns } from '../../widget/base/engine.ts';
import { PageTime } from '../../widget/base/host.ts';
import { Session } from '../../widget/base/session.ts';
import { makeClip, steady } from '../support/clips.ts';
import { clockCases, rounded, handVideo } from '../support/clock-cases.ts';

describe('time of the frames of an element', () => {
  let clip: Blob;
  before(async () => (clip = await makeClip({ times: steady(50) })));

  for (const { name, live = false, presented, timestamps, clocks } of clockCases)
    it(name, async () => {
      const { video, tell, close } = await handVideo(live, clip);
      const timings: FrameTiming[] = [];
      const asked: (number | undefined)[] = [];
      const tracker: ElementTracker<{ dropped: number }> = {
        process: async (_, { timestamp } = {}) => (asked.push(timestamp), { dropped: 0 }),
        reset: async () => {},
        setParameters: async () => {},
        dispose: async () => {},
      };
      const feed = {
        kind: 'video',
        name: '',
        element: video,
        external: true,
        live,
        width: 64,
        height: 64,
        dispose() {},
      } as const;
      const session = new Session(feed, tracker, {
        maxFps: 0,
        pageTime: new PageTime(),
        turns: new Turns(),
        onResult: (_, timing) => void timings.push(timing),
        onFrameFailure: (error) => {
          throw error;
        },
        onInterruption: () => {},
        onPlayback: () => {},
      });
      try {
        await session.open(true);
        for (const frame of presented) {
          tell(frame);
          await new Promise((resolve) => setTimeout(resolve)); // two at most are under way
        }
      } finally {
        session.close();
        close();
      }
      expect(rounded(timings.map(({ timestamp }) => timestamp))).to.deep.equal(timestamps);
      expect(asked).to.deep.equal(timings.map(({ timestamp }) => timestamp));
      expect(timings.map(({ mediaTime }) => mediaTime)).to.deep.equal(
        presented.map(({ media }) => (live ? NaN : media)),
      );
      expect(timings.every(({ dropped }) => dropped === 0)).to.equal(true);
      if (clocks) expect(timings.map(({ clock }) => clock)).to.deep.equal(clocks);
    });
});
