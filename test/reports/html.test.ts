import { expect } from 'chai';
import { createReport } from '../../src/reports/create-report.ts';
import { toHtml } from '../../src/reports/html.ts';
import { commonScale, niceScale, seriesPlot } from '../../src/reports/html-plots.ts';
import { pixelInput, pupilInput, reflex, retinaInput } from '../support/report-samples.ts';

const parsed = (html: string) => new DOMParser().parseFromString(html, 'text/html');
const text = (html: string) => parsed(html).body.textContent!.replace(/\s+/g, ' ');
/** The cells of the row of this name. */
const row = (html: string, name: string): string[] => {
  const found = [...parsed(html).querySelectorAll('tbody tr')].find(
    (tr) => tr.querySelector('th')!.textContent === name,
  );
  return [...(found?.querySelectorAll('td') ?? [])].map((td) => td.textContent!);
};
const attack = '<img src=x onerror="window.reached = true"><script>window.reached = true</script>';

describe('toHtml', () => {
  it('shows both eyes beside each other, the right one first', () => {
    const input = pupilInput();
    const html = toHtml(
      createReport({
        ...input,
        eyes: [input.eyes![0]!, { ...input.eyes![1]!, reflexes: [{ ...reflex, latency: 231.6 }] }],
      }),
    );
    expect(row(html, 'Constriction latency')).to.deep.equal(['232', '200', 'ms']);
    expect(row(html, 'Minimum diameter')).to.deep.equal(['4.000', '4.000', 'mm']);
    expect(row(html, '75 % recovery time')).to.deep.equal(['–', '–', 'ms']);
    expect(row(html, 'Valid samples')[2]).to.equal('%');
    const heads = [...parsed(html).querySelectorAll('thead tr')].map((tr) => tr.textContent);
    expect(heads).to.deep.equal(['Right eyeLeft eye', 'Right eyeLeft eye']);
  });

  it('says that it is for research, who was measured, by what and when', () => {
    const shown = text(toHtml(createReport(pupilInput()), { heading: 'A clinic', patientName: 'Jane Doe' }));
    for (const part of [
      'For research use, not a medical device.',
      'Jane Doe',
      'A clinic',
      '2026-05-04 09:30:00 UTC (6.5 s)',
      'foveola 0.',
      'votes 12',
      'no. 0042',
      'A blink during the recovery.',
    ])
      expect(shown).to.contain(part);
  });

  it('never says millimetres of pixels', () => {
    const html = toHtml(createReport(pixelInput()));
    expect(row(html, 'Minimum diameter')).to.deep.equal(['80.00', 'px']);
    expect(text(html))
      .to.contain('Not calibrated. Lengths are in pixels.')
      .and.not.match(/\d mm\b/);
  });

  it('shows the measures of a retina', () => {
    const html = toHtml(createReport(retinaInput()), { picture: { png: Uint8Array.of(137, 80), title: 'Vessels' } });
    expect(row(html, 'Central retinal artery equivalent (CRAE)')).to.deep.equal(['150.3', 'µm']);
    expect(text(html)).to.contain('8 µm per pixel, from the file');
    expect(parsed(html).querySelector('img')!.getAttribute('src')).to.equal('data:image/png;base64,iVA=');
  });

  it('leaves texts of others texts', () => {
    const input = pupilInput();
    const report = createReport({
      ...input,
      source: { name: attack },
      warnings: [attack],
      camera: { name: attack.slice(0, 64) },
      parameters: { [attack]: attack },
      eyes: [{ ...input.eyes![0]!, reflexes: [{ ...reflex, stimulus: attack, warnings: [attack] }] }],
    });
    const html = toHtml(report, {
      heading: attack,
      patientName: attack,
      picture: { png: new Uint8Array(1), title: attack },
    });
    const page = parsed(html);
    expect(page.querySelectorAll('script').length).to.equal(0);
    expect(page.querySelectorAll('img').length).to.equal(1);
    for (const element of page.querySelectorAll('*'))
      for (const { name, value } of element.attributes) {
        expect(name).not.to.match(/^(on|style$|href|srcdoc)/);
        if (name === 'src') expect(value).to.match(/^data:image\/png;base64,/);
      }
    expect(page.body.textContent).to.contain(attack);
  });

  it('names no address and works under the policy that it carries', async () => {
    const html = toHtml(createReport(pupilInput()));
    expect(html).not.to.match(/https?:|\/\/[a-z]/);
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-same-origin');
    frame.srcdoc = html;
    const reports: string[] = [];
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    frame.contentDocument!.addEventListener('securitypolicyviolation', (event) =>
      reports.push(event.violatedDirective),
    );
    const { display } = frame.contentWindow!.getComputedStyle(frame.contentDocument!.querySelector('main')!);
    expect(display, 'the style is there').to.equal('flex');
    expect(reports).to.deep.equal([]);
    frame.remove();
  });
});

describe('plots of a report', () => {
  it('have round numbers at their axes', () => {
    expect(niceScale(3.5, 6.05).ticks).to.deep.equal([3, 4, 5, 6, 7]);
    expect(niceScale(0, 6.475).ticks).to.deep.equal([0, 2, 4, 6, 8]);
    expect(niceScale(0.12, 0.31).ticks).to.deep.equal([0.1, 0.15, 0.2, 0.25, 0.3, 0.35]);
    expect(niceScale(5, 5).ticks, 'a flat line lies inside').to.deep.equal([4, 6]);
    for (const [least, most] of [
      [0, 0],
      [100, 101],
      [-3, 8],
      [1e-6, 2e-6],
    ] as const) {
      const scale = niceScale(least, most);
      expect(scale.least).to.be.at.most(least);
      expect(scale.most).to.be.at.least(most);
      expect(scale.ticks.length).to.be.within(2, 8);
    }
  });

  it('have the same scale for both eyes', () => {
    const { eyes } = createReport(pupilInput());
    expect(commonScale(eyes)).to.deep.include({ least: 3, most: 7 });
    expect(commonScale([])).to.equal(null);
  });

  it('put a sample where its time and its value are', () => {
    const eye = {
      series: { timestamp: [0, 1000, 2000, 3000, 4000], diameter: [2, 4, NaN, 4, 2], valid: [1, 1, 0, 0, 1] },
      blinks: [{ onset: 1500, offset: 2500 }],
    };
    const report = createReport({ ...pupilInput(), eyes: [eye] }).eyes[0]!;
    const svg = seriesPlot(report, niceScale(2, 4), 'Diameter')!;
    const path = (name: string) => new RegExp(`class="${name}" d="([^"]*)"`).exec(svg)![1];
    // 320 units are 4 s, 116 are 2 mm
    expect(path('filled')).to.equal('M34 124L114 8M274 8L354 124');
    expect(path('measured')).to.equal('M34 124L114 8M354 124');
    expect(svg).to.contain('class="blink" x="154" y="8" width="80" height="116"');
  });

  it('are left out where there is nothing to draw', () => {
    const [eye] = createReport(pixelInput()).eyes;
    expect(seriesPlot(eye!, niceScale(0, 1), '')).to.equal(null);
  });
});
