/** Subject, session, trial and note: in file names, tables, reports and settings, and never stored otherwise. */
import { expect } from 'chai';
import { createReport, toHtml } from '../../src/reports/index.ts';
import type { Capabilities, VesselResult } from '../../src/index.ts';
import { aboutOf, fileName } from '../../widget/base/page.ts';
import type { Feed } from '../../widget/base/feed.ts';
import { Recorder } from '../../widget/tools/recorder.ts';
import { originOf } from '../../widget/tools/panels/frame-height.ts';
import { exportHeader } from '../../widget/vessels/export.ts';
import { fakeCapabilities } from './fake-engine.ts';

describe('subject, session, trial and note', () => {
  const stem = (name: string) => name.replace(/-\d{8}-\d{6}\.csv$/, '');
  const given = { subject: 'S 01/a', session: '2', trial: '', note: 'tired' };
  const about = { subject: 'S 01/a', session: '2', note: 'tired' };

  it('begin file names, without the note', () => {
    expect(stem(fileName('eye.one.mp4', 'csv'))).equal('eye-one');
    expect(stem(fileName('eye.mp4', 'csv', 'mask', { ...given, eye: 'left' }))).equal('S-01-a-left-2-eye-mask');
    expect(stem(fileName('eye.mp4', 'csv', '', { eye: 'unknown' }))).equal('eye');
    expect(stem(fileName('', 'csv', '', { trial: '7' }))).equal('7');
    expect(stem(fileName('', 'csv'))).equal('foveola');
  });

  it('is in each export of a recording as it is known then, but not in what is stored', async () => {
    const element = { ...given };
    const recorder = new Recorder(element);
    const feed = { name: 'file', kind: 'file', width: 4, height: 3 } as unknown as Feed;
    recorder.start([{ name: 'frame', type: 'number' }], {
      ...{ feed, parameters: {}, capabilities: fakeCapabilities as Capabilities, clock: '' },
    });
    element.session = '3';
    for (const format of ['json', 'csv.json'] as const)
      expect((JSON.parse(await recorder.text(format, {})) as { about: object }).about).eql({ ...about, session: '3' });
    expect(await recorder.text('csv', { format: 'comments' })).contain('# about: {"subject":"S 01/a"');
    expect((await recorder.text('csv', {})).split('\n')[0]).equal('frame,marker');
    expect(recorder.header).not.property('about');
    expect(aboutOf({})).eql({});
  });

  it('is in the description of vessels', async () => {
    const result = { backend: 'wasm' } as VesselResult;
    const of = { result, element: given, feed: { name: 'a.png' } } as unknown as Parameters<typeof exportHeader>[0];
    expect((await exportHeader({ ...of, capabilities: fakeCapabilities })).about).eql(about);
  });

  it('is printed, and a report refuses other fields', () => {
    const input = {
      kind: 'pupil' as const,
      started: new Date(0),
      unit: 'px' as const,
      eyes: [{ eye: 'left' as const, events: [] }],
    };
    const page = toHtml(createReport({ ...input, about: { subject: '<S01>', trial: '4' } }));
    expect(page).contain('<dt>Subject</dt><dd>&lt;S01&gt;</dd>').contain('<dt>Trial</dt><dd>4</dd>');
    expect(page).not.contain('<dt>Patient</dt>');
    expect(createReport(input)).not.property('about');
    expect(() => createReport({ ...input, about: { name: 'Doe' } as object })).throw(/about\.name/);
  });
});

describe('the origin that receives the height of a frame', () => {
  it('is exact', () => {
    expect(originOf('https://portal.example/page', 'https://own.example')).equal('https://portal.example');
    expect(originOf('', 'https://own.example')).equal('https://own.example');
    for (const bad of ['*', 'portal.example', 'data:text/html,x'])
      expect(() => originOf(bad, 'https://own.example')).throw(/frame-height must be the origin/);
  });
});
