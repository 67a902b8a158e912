/** Tests as a whole, on drawn samples: each response is a wave of known height and time. What the measures do: test/series. */
import { expect } from 'chai';
import { evaluateTest, type SeenInterval } from '../../src/protocols/evaluate-test.ts';
import { protocols } from '../../src/protocols/shipped-protocols.ts';
import type { Laterality } from '../../src/results/types.ts';
import type { PupilSample } from '../../src/series/samples.ts';

/** 0 before x = 0, 1 at x = peak, slowly back: a wave with a soft beginning. */
const wave = (x: number, peak: number) => (x <= 0 ? 0 : ((x / peak) * Math.exp(1 - x / peak)) ** 3);

const samplesOf = (seconds: number, diameter: (t: number) => number): PupilSample[] =>
  Array.from({ length: Math.round(60 * seconds) }, (_, i) => {
    const timestamp = (i * 1000) / 60;
    return { timestamp, diameter: diameter(timestamp), confidence: 0.95, blink: false };
  });
const step = (type: string, onset: number, length: number | null, label: string | null = null): SeenInterval => ({
  ...{ type, label, onset },
  offset: length === null ? null : onset + length,
});

describe('what a test says', () => {
  it('of light: the reflex of each eye to each flash that was seen to its end', () => {
    const onsets = [10_000, 20_000];
    const dip = (t: number) => 2 * onsets.reduce((sum, onset) => sum + wave(t - onset - 250, 500), 0);
    const steps = [step('adapt', 0, 10_000, 'baseline'), ...onsets.map((at) => step('flash', at, 1000, 'flash'))];
    const { reflexes, warnings, anisocoria } = evaluateTest({
      protocol: protocols['light-reflex'],
      eyes: [samplesOf(32, (t) => 6 - dip(t)), samplesOf(32, (t) => 5 - dip(t) / 2)],
      steps: [...steps, step('flash', 31_000, null, 'flash')],
    });
    expect(reflexes!.map(({ pupil, eye, onset }) => [pupil, eye, onset])).to.deep.equal([
      [0, 'left', 10_000],
      [1, 'right', 10_000],
      [0, 'left', 20_000],
      [1, 'right', 20_000],
    ]);
    for (const { pupil, amplitude, baseline, timeToMinimum, latency } of reflexes!) {
      expect(baseline).to.be.closeTo(pupil ? 5 : 6, 0.02);
      expect(amplitude).to.be.closeTo(pupil ? 1 : 2, 0.04);
      expect(timeToMinimum).to.be.closeTo(750, 40);
      expect(latency).to.be.within(220, 400); // a wave that begins softly has no moment of its own
    }
    expect(anisocoria!.difference).to.be.closeTo(1, 0.05);
    expect(warnings).to.deep.equal([]);
  });

  it('of light in turn: which eye sees less of it', () => {
    const sides = Array.from({ length: 8 }, (_, i) => (i % 2 ? 'right' : 'left'));
    const at = (i: number) => 10_000 + 6000 * i;
    // Light in the left eye does a little more than half; noise of its own for each flash.
    const height = (i: number) => (i % 2 ? 1.5 : 0.8) + 0.02 * (i % 3);
    const dip = (t: number) => sides.reduce((sum, _, i) => sum + height(i) * wave(t - at(i) - 250, 500), 0);
    const eyes = [samplesOf(62, (t) => 6 - dip(t)), samplesOf(62, (t) => 6 - dip(t))];
    const steps = sides.map((side, i) => step('flash', at(i), 2000, side));
    const { afferentDefect } = evaluateTest({ protocol: protocols['swinging-flashlight'], eyes, steps });
    expect(afferentDefect!.eye).to.equal('left');
    expect(afferentDefect!.score).to.be.closeTo(Math.log10(1.52 / 0.82), 0.02);
  });

  it('of two eyes: whose they are, as the samples say it, and no side where they do not know it', () => {
    const as = (eye: Laterality, diameter: number) => samplesOf(20, () => diameter).map((one) => ({ ...one, eye }));
    const test = (...eyes: PupilSample[][]) => evaluateTest({ protocol: protocols['light-reflex'], eyes, steps: [] });
    expect(test(as('right', 4), as('left', 5)).anisocoria).to.include({ larger: 'left' });
    expect(test(as('left', 4), as('right', 5)).anisocoria).to.include({ larger: 'right' });
    const changed = [...as('unknown', 4).slice(0, 300), ...as('right', 4).slice(300)];
    for (const eyes of [
      [as('unknown', 4), as('unknown', 5)],
      [changed, as('left', 5)],
      [as('left', 4), as('left', 5)],
    ]) {
      const { anisocoria, warnings } = test(...(eyes as PupilSample[][]));
      expect(anisocoria).to.equal(null);
      expect(warnings.join()).to.match(/anisocoria: the eyes are not named. Set `view`/);
    }
  });

  it('of light in turn: the lit eye by the step, else by its label', () => {
    const dip = (t: number) =>
      [0, 1, 2, 3, 4, 5, 6, 7].reduce(
        (sum, i) => sum + (i % 2 ? 1.5 : 0.8 + 0.02 * i) * wave(t - 10_250 - 6000 * i, 500),
        0,
      );
    const eyes = [samplesOf(62, (t) => 6 - dip(t)), samplesOf(62, (t) => 6 - dip(t))];
    const side = (i: number) => (i % 2 ? 'right' : 'left');
    const lit = (make: (i: number) => Partial<SeenInterval>) =>
      evaluateTest({
        ...{ protocol: protocols['swinging-flashlight'], eyes },
        steps: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ ...step('flash', 10_000 + 6000 * i, 2000), ...make(i) })),
      }).afferentDefect!.eye;
    expect(lit((i) => ({ eye: side(i) }))).to.equal('left');
    expect(lit((i) => ({ eye: 'both', label: side(i) }))).to.equal('left');
    expect(lit((i) => ({ eye: side(i), label: side(i + 1) }))).to.equal('left');
  });

  it('of rest: the waves between the beginning and the end of the rest alone', () => {
    const steps = [step('adapt', 0, 5000, 'adapt'), step('pause', 5000, 60_000, 'rest')];
    const height = (t: number) => (t < 65_000 ? 0.2 : 0.8);
    const diameter = (t: number) => (t < 4000 ? 3 : 5 + height(t) * Math.sin((2 * Math.PI * 0.2 * t) / 1000));
    const { hippus } = evaluateTest({ protocol: protocols.rest, eyes: [samplesOf(100, diameter)], steps });
    expect(hippus![0]!.power).to.be.closeTo(0.02, 0.002);
    expect(hippus![0]!.peakFrequency).to.be.closeTo(0.2, 0.02);
  });

  it('of tasks: how far the pupil widens during each', () => {
    const steps = [step('ask', 10_000, 6000, 'task'), step('ask', 30_000, 6000, 'task')];
    const diameter = (t: number) => 4 + 0.3 * wave(t - 10_500, 3000) + 0.6 * wave(t - 30_500, 3000);
    const { tasks } = evaluateTest({ protocol: protocols['cognitive-load'], eyes: [samplesOf(45, diameter)], steps });
    expect(tasks!.map(({ onset }) => onset)).to.deep.equal([10_000, 30_000]);
    expect(tasks![0]!.dilation).to.be.closeTo(0.3, 0.015);
    expect(tasks![1]!.dilation).to.be.closeTo(0.6, 0.03);
  });

  it('of red and blue light: the response after each, and blue minus red', () => {
    const left = (t: number, plateau: number) => (t < 0 ? 0 : plateau + (0.3 - plateau) * Math.exp(-t / 2500));
    const diameter = (t: number) => 6 * (1 - (t < 75_000 ? left(t - 15_000, 0.02) : left(t - 75_000, 0.15)));
    const light = { wavelength: null, luminance: null, illuminance: null, field: null, duration: 1000 };
    const flash = (onset: number, label: string, color?: string) => ({
      ...step('flash', onset, 1000, label),
      ...(color && { stimulus: { color, ...light } }),
    });
    const of = (steps: SeenInterval[]) =>
      evaluateTest({ protocol: protocols['red-blue'], eyes: [samplesOf(140, diameter)], steps });
    const { postIllumination, netPostIllumination, reflexes } = of([flash(15_000, 'red'), flash(75_000, 'blue')]);
    expect(reflexes).to.have.lengthOf(2);
    expect(postIllumination!.map(({ plateau }) => Math.round(plateau))).to.deep.equal([2, 13]); // of 98 %
    expect(netPostIllumination![0]!.plateau).to.be.closeTo(11.3, 0.5);
    expect(netPostIllumination![0]!.sixSecond).to.be.closeTo(
      postIllumination![1]!.sixSecond - postIllumination![0]!.sixSecond,
      1e-9,
    );
    // The color of a light counts before its label.
    const named = of([flash(15_000, 'trial 1', '#ff0000'), flash(75_000, 'trial 2', '#0000ff')]);
    expect(named.netPostIllumination![0]!.plateau).to.be.closeTo(11.3, 0.5);
    expect(named.postIllumination![0]!.stimulus).to.equal('trial 1: red, 1 s');
    expect(of([flash(15_000, 'red')]).netPostIllumination).to.deep.equal([]);
  });

  it('of unrest, of the dark and of a near target: the labeled steps', () => {
    const eyes = [samplesOf(110, (t) => (t < 90_000 ? 4 : 6) - (t > 100_000 ? 1 : 0))];
    const of = (name: 'unrest' | 'dark-adaptation' | 'near-response', steps: SeenInterval[]) =>
      evaluateTest({ protocol: protocols[name], eyes, steps });
    expect(of('unrest', [step('pause', 0, 85_000, 'rest')]).unrest![0]!.index).to.be.closeTo(0, 1e-6);
    expect(of('dark-adaptation', [step('adapt', 90_000, 9000, 'dark')]).darkAdaptation![0]!.dilation).to.equal(2);
    const { near } = of('near-response', [step('show', 91_000, 9000, 'far'), step('show', 100_000, 6000, 'near')]);
    expect(near!.map(({ constriction }) => Math.round(100 * constriction))).to.deep.equal([100]);
    expect(of('dark-adaptation', []).warnings.join()).to.match(/no step with the label 'dark'/);
  });

  it('with low confidence: a warning names the eye', () => {
    const unsure = samplesOf(20, () => 4).map((sample, i) => ({ ...sample, confidence: i % 3 ? 0.3 : 0.9 }));
    const eyes = [samplesOf(20, () => 4), unsure];
    const { warnings } = evaluateTest({ protocol: protocols['light-reflex'], eyes, steps: [] });
    expect(warnings).to.deep.equal(['eye 2: low median confidence, 0.30']);
  });

  it('is nothing, with the reason, where nothing was measured or the test was cut short', () => {
    const eyes = [samplesOf(20, () => NaN), []];
    const steps = [step('flash', 10_000, 1000, 'flash')];
    const { reflexes, series, warnings } = evaluateTest({ protocol: protocols['light-reflex'], eyes, steps });
    expect(series[1]).to.equal(null);
    for (const { amplitude } of reflexes!) expect(amplitude).to.deep.equal(NaN);
    expect(warnings.some((text) => text.startsWith('eye 1:'))).to.equal(true);
    expect(warnings.some((text) => text.startsWith('eye 2:'))).to.equal(true);
    const short = evaluateTest({ protocol: protocols.rest, eyes: [samplesOf(8, () => 5)], steps: [] });
    expect(short.hippus).to.deep.equal([null]);
    expect(short.warnings.join()).to.contain('needs');
  });
});
