// examples/portal as it stands: a portal and the widget in a frame of another origin, each under its strict policy, and a
// FHIR server in memory. A test is started by message, its report ends in the record.
import assert from 'node:assert/strict';
/* global channel */
import { after, before, describe, it } from 'node:test';
import { startFhirServer } from '../support/fhir-server.mjs';
import { itInFull } from '../support/full.mjs';
import { startSite, strictPolicy } from '../support/pages.mjs';

describe('a portal with the widget in a frame of another origin', () => {
  let site;
  let fhir;
  let widgetOrigin;
  let page;
  let errors;
  before(async () => {
    const routes = {};
    site = await startSite({
      routes,
      headers: (path) => {
        if (path.endsWith('/portal.html'))
          return {
            'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; frame-src ${widgetOrigin}; connect-src ${fhir.url}`,
          };
        if (!path.endsWith('/widget.html')) return {};
        return {
          'Content-Security-Policy': `${strictPolicy}; frame-ancestors ${site.server.url}; require-trusted-types-for 'script'`,
        };
      },
    });
    widgetOrigin = site.server.url.replace('127.0.0.1', 'localhost');
    fhir = await startFhirServer(site.server.url);
    routes['/examples/portal/config.js'] = `export const portalOrigin = '${site.server.url}';
      export const widgetOrigin = '${widgetOrigin}';
      export const fhirServer = '${fhir.url}';
      export const recording = '/demo/media/sample.webm';`;
    ({ page, errors } = await site.open('/examples/portal/portal.html'));
  });
  after(async () => {
    await site?.close();
    await fhir?.close();
  });

  const state = () => page.$eval('#state', (e) => e.textContent);
  const says = (text) =>
    page.waitForFunction(
      (wanted) => document.querySelector('#state').textContent.startsWith(wanted),
      { polling: 50 },
      text,
    );
  // Not by its place on the screen: the frame may scroll the page.
  const press = (button) => page.$eval(button, (e) => e.click());
  const widget = () => page.frames().find((frame) => frame.url().includes('widget.html'));
  const framesCome = () =>
    widget().waitForFunction(
      () => document.querySelector('foveola-pupil-test')?.shadowRoot?.querySelector('.good, ul.quality'),
      {
        polling: 50,
      },
    );

  it('is ready when both have said hello', async () => {
    await page.waitForFunction(() => !document.querySelector('#start').disabled, { polling: 50 });
    assert.equal(await state(), 'Ready.');
    assert.equal(new URL(widget().url()).origin, widgetOrigin);
  });

  it('runs a test by message, shows how far it is, and keeps the report', async () => {
    await framesCome();
    await press('#start');
    await says('Measuring');
    await says('The report is in the record.');
    const kinds = [...fhir.resources.values()].map(({ resourceType }) => resourceType);
    assert.equal(kinds.filter((kind) => kind === 'DiagnosticReport').length, 1);
    assert.ok(kinds.includes('Observation') && kinds.includes('Device'), kinds.join());
    const report = [...fhir.resources.values()].find(({ resourceType }) => resourceType === 'DiagnosticReport');
    assert.equal(report.subject.reference, 'Patient/42');
    // What it refers to is there, under the server's own names.
    for (const { reference } of report.result) assert.ok(fhir.resources.has(reference), reference);
    // Without a calibration everything is in pixels.
    const whole = JSON.stringify([...fhir.resources.values()]);
    assert.match(whole, /\{pixels\}/);
    assert.doesNotMatch(whole, /"code":"mm"/);
    assert.match(whole, /not a medical device/);
    assert.match(whole, /"backend"/);
    const shown = await page.$$eval('#record li', (items) => items.map((item) => item.textContent));
    assert.equal(shown.length, fhir.resources.size);
    assert.ok(
      shown.every((text) => text.startsWith('201 Created')),
      shown.join(),
    );
    assert.deepEqual(errors, []);
  });

  itInFull('stops a test by message, and says so; nothing of it is in the record', async () => {
    const before = fhir.resources.size;
    await press('#start');
    await says('Measuring');
    await press('#stop');
    await says('The test was ended early.');
    assert.equal(fhir.resources.size, before);
  });

  itInFull('says what is wrong when the record does not take the report', async () => {
    const before = fhir.resources.size;
    fhir.failWith(503);
    await press('#start');
    await says('The FHIR server answered 503.');
    fhir.failWith(0);
    assert.equal(fhir.resources.size, before);
  });

  it('hears nobody else: a message of another origin or another window is ignored and counted', async () => {
    const message = { foveola: 1, id: 'x', type: 'start', payload: { protocol: 'rest' } };
    // The frame hears from itself: its own origin is not that of the portal.
    await widget().evaluate((forged) => window.postMessage(forged, '*'), message);
    await page.evaluate((forged) => window.postMessage(forged, '*'), message);
    await page.waitForFunction(() => channel.ignored.origin >= 1, { polling: 50 });
    assert.equal(await widget().evaluate(() => document.querySelector('foveola-pupil-test').state), 'done');
  });
});
