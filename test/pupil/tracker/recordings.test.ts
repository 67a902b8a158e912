/** Real infrared recordings beside the checkout, through the public API. */
import { expect } from 'chai';
import { createEngine } from '../../../src/engine.ts';
import type { Engine } from '../../../src/api.ts';
import type { PupilResult } from '../../../src/results/types.ts';
import { describeShared, sharedFile } from '../../support/shared.ts';
import { itInFull } from '../../support/full.ts';

interface Row {
  file: string;
  present: boolean;
  x: number;
  y: number;
}

const folder = 'data/pupil/';
const video = (name: string) => `${folder}videos/${name}/`;

/** The rows of an annotation table that are to be scored. */
async function annotations(path: string, fileOf: (first: string) => string): Promise<Row[]> {
  const text = await (await sharedFile(path)).text();
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .filter((cells) => !cells.includes('uncertain'))
    .map(([first, present, x, y]) => ({
      file: fileOf(first!),
      present: present === 'true',
      x: Number(x),
      y: Number(y),
    }));
}

describeShared('pupils of real recordings', () => {
  let engine: Engine;
  before(async () => {
    engine = await createEngine({ worker: false, backend: 'wasm' });
  });
  after(() => engine.dispose());

  const detect = async (file: string, method: 'starburst' | 'robust' = 'starburst'): Promise<PupilResult> => {
    const tracker = engine.createPupilTracker({ method });
    const result = await tracker.process(await (await sharedFile(file)).blob(), { timestamp: 0 });
    await tracker.dispose();
    return result;
  };

  async function share(rows: Row[], method: 'starburst' | 'robust' = 'starburst'): Promise<number> {
    let good = 0;
    for (const { file, x, y } of rows) {
      const pupil = (await detect(file, method)).pupils[0]!;
      if (pupil.found && Math.hypot(pupil.x - x, pupil.y - y) <= 5) good++;
    }
    return good / rows.length;
  }

  const every = (rows: Row[], n: number) => rows.filter(({ present }) => present).filter((_, i) => i % n === 0);
  const numbered = (name: string) => (frame: string) => `${video(name)}frames/${frame.padStart(6, '0')}.png`;

  itInFull('mrgaze and deepvog: at least 85 % within 5 px in each', async () => {
    const mrgaze = await annotations(`${folder}mrgaze/annotations.csv`, (image) => `${folder}mrgaze/${image}`);
    expect(mrgaze.length).to.equal(40);
    expect(await share(mrgaze), 'mrgaze').to.be.at.least(0.85);
    const deepvog = await annotations(`${video('deepvog_demo')}annotations.csv`, numbered('deepvog_demo'));
    expect(await share(deepvog), 'deepvog').to.be.at.least(0.85);
  });

  it('eyeloop: all within 5 px, nothing on the frames of the blinks', async () => {
    const name = 'eyeloop_short_human_3blink';
    const rows = await annotations(`${video(name)}annotations.csv`, numbered(name));
    expect(await share(every(rows, 5))).to.equal(1);
    const shut = rows.filter(({ present }) => !present);
    expect(shut.length).to.equal(15);
    for (const { file } of shut) expect((await detect(file)).pupils[0]!.found, file).to.equal(false);
  });

  itInFull('meye-human: at least 85 % within 5 px', async () => {
    interface Entry {
      image: string;
      derived_from_mask: { cx: number; cy: number } | null;
    }
    const entries = (await (await sharedFile(`${folder}meye-human/groundtruth.json`)).json()) as Entry[];
    const rows = entries.map(({ image, derived_from_mask: mask }) => ({
      file: `${folder}meye-human/${image}`,
      present: mask !== null,
      x: mask?.cx ?? NaN,
      y: mask?.cy ?? NaN,
    }));
    expect(await share(every(rows, 6))).to.be.at.least(0.85);
  });

  itInFull(
    "'robust': at most one frame of mrgaze and two of deepvog missed, nothing on the frames of blinks",
    async () => {
      const mrgaze = await annotations(`${folder}mrgaze/annotations.csv`, (image) => `${folder}mrgaze/${image}`);
      expect(await share(mrgaze, 'robust')).to.be.at.least(39 / 40);
      const deepvog = await annotations(`${video('deepvog_demo')}annotations.csv`, numbered('deepvog_demo'));
      expect(await share(every(deepvog, 1), 'robust')).to.be.at.least(53 / 55);
      const name = 'eyeloop_short_human_3blink';
      const eyeloop = await annotations(`${video(name)}annotations.csv`, numbered(name));
      expect(await share(every(eyeloop, 5), 'robust')).to.equal(1);
      for (const { file, present } of eyeloop)
        if (!present) expect((await detect(file, 'robust')).pupils[0]!.found, file).to.equal(false);
    },
  );

  itInFull('follows the eyeloop recording as a sequence', async () => {
    const name = 'eyeloop_short_human_3blink';
    const rows = await annotations(`${video(name)}annotations.csv`, numbered(name));
    const tracker = engine.createPupilTracker();
    for (const { file, present, x, y } of rows.slice(20, 40)) {
      const timestamp = Number(/(\d+)\.png/.exec(file)![1]) * (1000 / 60);
      const { pupils } = await tracker.process(await (await sharedFile(file)).blob(), { timestamp });
      expect(pupils[0]!.found, file).to.equal(present);
      if (present) expect(Math.hypot(pupils[0]!.x - x, pupils[0]!.y - y), file).to.be.below(5);
    }
    await tracker.dispose();
  });
});
