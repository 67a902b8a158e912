/** Times of stimuli from files of other programs, and the average of the diameter around them. */
import { expect } from 'chai';
import { addEvents, eyeSides, FoveolaError, pupilColumns, Recording, type RecordingHeader } from '../../src/index.ts';
import { epochsCsv, epochsJson, epochsOf, seriesOf, unitOf } from '../../widget/pupil/markers/averages.ts';
import { cellsOf, inMilliseconds, readMarkers } from '../../widget/pupil/markers/read-markers.ts';

describe('times of markers', () => {
  const read = (text: string) => {
    const { markers, unit } = readMarkers(text);
    return [unit, ...markers.map(({ label, time }) => `${label} ${time}`)];
  };

  it('are read from the tables that programs write', () => {
    expect(read('onset\tduration\ttrial_type\n1.5\t0.2\tflash\n4\t0.2\tsound\n')).to.deep.equal([
      ...['s', 'flash 1.5', 'sound 4'],
    ]);
    expect(read('\uFEFFname;time_ms\r\n"a; b";1500,5\r\nc;2000\r\n')).to.deep.equal(['ms', 'a; b 1500.5', 'c 2000']);
    expect(read('kind,onset_ms,offset_ms,label\nblink,100,300,\nmarker,1500,1500,M1\n')).to.deep.equal([
      'ms',
      'M1 1500',
    ]);
    expect(read('trial,Time (s),condition\n1,0.5,easy\n2,3,hard\n')).to.deep.equal(['s', 'easy 0.5', 'hard 3']);
    expect(read('# of the stimulus\n1\n2.5\n\n4\n')).to.deep.equal([null, 'marker 1', 'marker 2.5', 'marker 4']);
    expect(read("0.5,'=1+1\n1,b\n")).to.deep.equal([null, '=1+1 0.5', 'b 1']);
    expect(read('when,what\n3,x\n,y\n7,\n')).to.deep.equal([null, 'x 3', 'marker 7']);
    expect(cellsOf('a,"b ""c"", d",', ',')).to.deep.equal(['a', 'b "c", d', '']);
  });

  it('are seconds or milliseconds by their name, otherwise by the length of the recording', () => {
    const times = (text: string) => inMilliseconds(readMarkers(text), 60).map(({ time }) => time);
    expect(times('1\n59\n')).to.deep.equal([1000, 59_000]);
    expect(times('500\n1500\n')).to.deep.equal([500, 1500]);
    expect(times('onset\n1\n')).to.deep.equal([1000]);
    expect(times('time_ms\n1\n')).to.deep.equal([1]);
  });

  it('are refused with a message that says what to do', () => {
    for (const [text, words] of [
      ['', 'no column of times'],
      ['a,b\nx,y\n', 'Name one of its columns onset'],
      ['onset,label\n,a\n', 'no column of times'],
      ['kind,onset_ms\nblink,5\n', 'no times'],
      ['1\n'.repeat(10_001), '10001 times'],
    ] as const)
      expect(() => readMarkers(text), text.slice(0, 20))
        .to.throw(FoveolaError, words)
        .with.property('code', 'invalid-argument');
  });
});

describe('the average around markers', () => {
  const rate = 50;
  const flashes = [2000, 6000, 10_000];
  /** 60 px, 10 px less from 500 to 1500 ms after a flash. A blink covers the third one. */
  const diameterAt = (t: number) => 60 - (flashes.some((flash) => t >= flash + 500 && t < flash + 1500) ? 10 : 0);
  const lid = (t: number) => t >= 9700 && t < 10_300;
  const at = (name: string) => pupilColumns.findIndex((column) => column.name === name);
  const make = (eyes: number, scale: number | null) => {
    const recording = new Recording(pupilColumns);
    for (let i = 0; i < 14 * rate; i++)
      for (let pupil = 0; pupil < eyes; pupil++) {
        const row = new Float64Array(pupilColumns.length).fill(NaN);
        const t = (1000 * i) / rate;
        const diameter = lid(t) ? NaN : diameterAt(t) + pupil;
        for (const [name, value] of Object.entries({
          ...{
            frame: i,
            timestamp: t,
            mediaTime: t,
            pupil,
            eye: eyeSides.indexOf('unknown'),
            found: lid(t) ? 0 : 1,
            diameter,
          },
          diameterMm: scale === null || t < 1000 ? NaN : diameter * scale,
          outlineConfidence: 0.9,
        }))
          row[at(name)] = value;
        recording.push(row);
      }
    for (let pupil = 0; pupil < eyes; pupil++)
      addEvents(recording, [{ kind: 'blink', onset: 9700, offset: 10_300, final: true, pupil, eye: 'unknown' }]);
    for (const [i, flash] of flashes.entries()) recording.mark(i ? 'flash' : '=first', flash);
    return recording;
  };
  const interval = { before: 500, after: 2000, length: 200, baseline: 'subtract' as const };

  it('is cut from the cleaned series of each pupil, with its baseline', () => {
    const recording = make(2, null);
    const all = epochsOf(seriesOf(recording, 'px'), recording.markers, interval);
    expect(all.map(({ pupil, eye }) => [pupil, eye])).to.deep.equal([
      [0, 'unknown'],
      [1, 'unknown'],
    ]);
    for (const { cut } of all) {
      const mean = (t: number) => cut.mean[Array.from(cut.time).findIndex((time) => Math.abs(time - t) < 1)]!;
      expect(mean(-100)).to.be.closeTo(0, 0.1);
      expect(mean(1000)).to.be.closeTo(-10, 0.2);
      expect(cut.time[0]).to.equal(-500);
      expect(cut.epochs.map(({ kept }) => kept)).to.deep.equal([true, true, false]); // no baseline in the blink
    }
    expect(epochsOf(seriesOf(recording, 'px'), [], interval)).to.deep.equal([]);
  });

  it('is in millimeters where they are known, and in percent of the baseline', () => {
    const recording = make(1, 0.05);
    const [one] = epochsOf(seriesOf(recording, 'mm'), recording.markers, interval);
    expect(one!.cut.epochs[0]!.baseline).to.be.closeTo(3, 0.01);
    const [share] = epochsOf(seriesOf(recording, 'mm'), recording.markers, { ...interval, baseline: 'percent' });
    expect(Math.min(...share!.cut.mean)).to.be.closeTo((-100 * 10) / 60, 0.6);
    expect(unitOf({ ...interval, baseline: 'percent' }, 'mm')).to.equal('%');
  });

  it('is exported with one row per marker, pupil and time, and described beside it', () => {
    const recording = make(1, null);
    const header = { software: 'foveola', source: { name: 'eye.mp4' }, parameters: {} } as unknown as RecordingHeader;
    const epochs = epochsOf(seriesOf(recording, 'px'), recording.markers, interval);
    const table = { epochs, markers: recording.markers, header, interval, unit: 'px' as const };
    const lines = epochsCsv(table).trimEnd().split('\n');
    expect(lines[0]).to.equal('marker,label,onset_ms,pupil,eye,time_ms,diameter,baseline,measured,used');
    expect(lines).to.have.length(1 + 3 * 126);
    expect(lines[1]).to.match(/^0,'=first,2000,0,unknown,-500,0(\.\d+)?,60(\.\d+)?,[\d.]+,1$/);
    expect(lines.at(-1)).to.match(/^2,flash,10000,0,unknown,2000,,,0\.\d+,0$/);
    expect(epochsCsv(table, 'excel')).to.match(/^\uFEFFmarker;label;onset_ms;/);
    const about = JSON.parse(epochsJson(table)) as { columns: { name: string; unit?: string }[]; epochs: object };
    expect(about.columns.map(({ name }) => name).join()).to.equal(lines[0]);
    expect(about.columns[6]).to.include({ unit: 'px' });
    expect(about.epochs).to.include({ before: 500, after: 2000, unit: 'px' });
  });
});
