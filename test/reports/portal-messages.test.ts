import { expect } from 'chai';
import { createReport } from '../../src/reports/create-report.ts';
import { toFhir } from '../../src/reports/fhir.ts';
import {
  PortalChannel,
  smartScratchpadCreate,
  type PortalMessage,
  type PortalPayloads,
} from '../../src/reports/portal-messages.ts';
import type { FoveolaError } from '../../src/runtime/error.ts';
import { pupilInput } from '../support/report-samples.ts';

type Heard = { data: unknown; origin: string; source: unknown };

/** A window of an origin, as far as postMessage goes: what is sent to another origin does not arrive. */
class FakeWindow {
  readonly sent: { message: unknown; to: string }[] = [];
  readonly origin: string;
  #listeners = new Set<(event: Heard) => void>();

  constructor(origin: string) {
    this.origin = origin;
  }

  get listening(): number {
    return this.#listeners.size;
  }

  addEventListener(_: 'message', listener: (event: Heard) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'message', listener: (event: Heard) => void): void {
    this.#listeners.delete(listener);
  }

  hear(data: unknown, origin: string, source: unknown): void {
    for (const listener of this.#listeners) listener({ data: structuredClone(data), origin, source });
  }
}

/** How `from` sees the window `to`. */
const seen = (to: FakeWindow, from: FakeWindow) => {
  const target = {
    postMessage(message: unknown, targetOrigin: string) {
      to.sent.push({ message, to: targetOrigin });
      if (targetOrigin === to.origin) to.hear(message, from.origin, backwards.get(target));
    },
  };
  return target;
};
const backwards = new Map<unknown, unknown>();

const portalOrigin = 'https://portal.example';
const pageOrigin = 'https://page.example';

function connected({ allowed = [portalOrigin], timeout = 50 } = {}) {
  const [page, portal] = [new FakeWindow(pageOrigin), new FakeWindow(portalOrigin)];
  const [portalSeen, pageSeen] = [seen(portal, page), seen(page, portal)];
  backwards.set(portalSeen, pageSeen).set(pageSeen, portalSeen);
  const inPage = new PortalChannel({ target: portalSeen, receiver: page, allowedOrigins: allowed, timeout });
  const inPortal = new PortalChannel({ target: pageSeen, receiver: portal, allowedOrigins: [pageOrigin], timeout });
  return { page, portal, portalSeen, inPage, inPortal };
}

const failure = async (promise: Promise<unknown>): Promise<FoveolaError> => {
  try {
    await promise;
  } catch (error) {
    return error as FoveolaError;
  }
  throw new Error('nothing was thrown');
};
const message = (type: string, more: object = {}) => ({ foveola: 1, id: 'a', type, payload: {}, ...more });

describe('PortalChannel', () => {
  it('carries typed messages to the allowed origin and no other', () => {
    const { inPage, inPortal, portal } = connected();
    const got: PortalPayloads['state'][] = [];
    inPortal.on('state', (payload) => got.push(payload));
    inPage.send('state', { state: 'measuring', progress: 0.5 });
    expect(got).to.deep.equal([{ state: 'measuring', progress: 0.5 }]);
    expect(portal.sent.map(({ to }) => to)).to.deep.equal([portalOrigin]);
  });

  it('carries a report that a record can take', () => {
    const { inPage, inPortal } = connected();
    const fhir = toFhir(createReport(pupilInput()));
    let got: PortalPayloads['report'] | null = null;
    inPortal.on('report', (payload) => (got = payload));
    inPage.send('report', { fhir });
    expect(got).to.deep.equal({ fhir });
  });

  it('answers a request', async () => {
    const { inPage, inPortal } = connected();
    inPortal.on('hello', ({ version }, { id }) => inPortal.send('received', {}, version ? id : undefined));
    expect(await inPage.hello()).to.deep.equal({});
    inPortal.on('report', (_, { id }) =>
      inPortal.send('error', { code: 'full', message: 'The record is closed.' }, id),
    );
    const error = await failure(inPage.request('report', { fhir: toFhir(createReport(pupilInput())) }));
    expect(error.code).to.equal('internal');
    expect(error.message).to.contain('The record is closed.');
  });

  it('ignores and counts messages of other origins', () => {
    const { inPage, page, portalSeen } = connected();
    let heard = 0;
    inPage.on('start', () => heard++);
    for (const origin of [
      'https://evil.example',
      'https://portal.example.evil.example',
      'http://portal.example',
      'https://portal.example:8443',
      'null',
      '',
    ])
      page.hear(message('start'), origin, portalSeen);
    expect([heard, inPage.ignored]).to.deep.equal([0, { origin: 6, source: 0, form: 0 }]);
    expect(inPage.peerOrigin).to.equal(null);
    page.hear(message('start'), portalOrigin, portalSeen);
    expect([heard, inPage.peerOrigin]).to.deep.equal([1, portalOrigin]);
  });

  it('ignores and counts messages of other windows of an allowed origin', () => {
    const { inPage, page } = connected();
    inPage.on('start', () => expect.fail('heard'));
    page.hear(message('start'), portalOrigin, { postMessage() {} });
    page.hear(message('start'), portalOrigin, null);
    expect(inPage.ignored).to.deep.equal({ origin: 0, source: 2, form: 0 });
  });

  it('ignores and counts what has another form', () => {
    const { inPage, page, portalSeen } = connected();
    const others = [
      null,
      'start',
      7,
      [],
      {},
      message('format'),
      message('toString'),
      message('start', { id: 1 }),
      message('start', { payload: null }),
      message('start', { foveola: 2 }),
      message('start', { replyTo: 3 }),
    ];
    for (const data of others) page.hear(data, portalOrigin, portalSeen);
    expect(inPage.ignored).to.deep.equal({ origin: 0, source: 0, form: others.length });
  });

  it('sends to each allowed origin until one has answered, then to that one', () => {
    const other = 'https://test.portal.example';
    const { inPage, inPortal, portal } = connected({ allowed: [other, portalOrigin] });
    inPage.send('state', { state: 'ready' });
    expect(portal.sent.map(({ to }) => to)).to.deep.equal([other, portalOrigin]);
    inPortal.send('start', {});
    inPage.send('state', { state: 'measuring' });
    expect(portal.sent.slice(2).map(({ to }) => to)).to.deep.equal([portalOrigin]);
  });

  it('gives up on an answer that does not come, and takes none twice', async () => {
    const { inPage, inPortal } = connected({ timeout: 5 });
    const error = await failure(inPage.hello());
    expect(error.code).to.equal('aborted');
    expect(error.message).to.contain("did not answer 'hello'").and.contain(portalOrigin);
    let id = '';
    inPortal.on('hello', (_, asked: PortalMessage) => (id = asked.id));
    await failure(inPage.hello());
    inPortal.send('received', {}, id); // late
    expect(inPage.ignored).to.deep.equal({ origin: 0, source: 0, form: 0 });
  });

  it('ends', async () => {
    const { inPage, page } = connected({ timeout: 60_000 });
    const waiting = failure(inPage.hello());
    inPage.dispose();
    inPage.dispose();
    expect((await waiting).code).to.equal('disposed');
    expect(page.listening).to.equal(0);
    expect(() => inPage.send('stop', {})).to.throw(/disposed/);
  });

  it('calls a listener no more when it is taken away', () => {
    const { inPage, inPortal } = connected();
    let heard = 0;
    const end = inPage.on('stop', () => heard++);
    inPortal.send('stop', {});
    end();
    inPortal.send('stop', {});
    expect(heard).to.equal(1);
  });

  for (const origins of [
    [],
    ['*'],
    ['null'],
    ['portal.example'],
    ['https://portal.example/'],
    ['https://portal.example/app'],
    ['https://*.example'],
    ['file:///x'],
    'https://portal.example',
    undefined,
  ])
    it(`does not take ${JSON.stringify(origins)} for origins`, () => {
      const make = () =>
        new PortalChannel({
          target: { postMessage() {} },
          receiver: new FakeWindow(''),
          allowedOrigins: origins as string[],
        });
      expect(make)
        .to.throw(/allowedOrigins/)
        .with.property('code', 'invalid-argument');
    });

  it('works between a page and a real frame, and does not hear a sandboxed one', async () => {
    const script = (text: string) => `<script>${text}</script>`;
    const answer =
      "onmessage = ({ data, source, origin }) => source.postMessage({ foveola: 1, id: 'b', type: 'received', payload: {}, replyTo: data.id }, origin);";
    const frame = document.createElement('iframe');
    frame.srcdoc = script(answer);
    const shown = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await shown;
    const channel = new PortalChannel({
      target: frame.contentWindow!,
      receiver: window,
      allowedOrigins: [location.origin],
    });
    expect(await channel.hello()).to.deep.equal({});

    const stranger = document.createElement('iframe');
    stranger.sandbox.add('allow-scripts');
    stranger.srcdoc = script("parent.postMessage({ foveola: 1, id: 'c', type: 'start', payload: {} }, '*')");
    const spoke = new Promise<void>((resolve) => {
      const listener = ({ origin }: MessageEvent) => {
        if (origin !== 'null') return;
        window.removeEventListener('message', listener);
        resolve();
      };
      window.addEventListener('message', listener);
    });
    document.body.append(stranger);
    await spoke;
    expect(channel.ignored.origin).to.equal(1);
    channel.dispose();
    frame.remove();
    stranger.remove();
  });
});

describe('SMART Web Messaging', () => {
  it('hands a resource over', () => {
    const { resource } = toFhir(createReport(pupilInput())).entry.at(-1)!;
    expect(smartScratchpadCreate(resource, 'handle', 'm1')).to.deep.equal({
      messagingHandle: 'handle',
      messageId: 'm1',
      messageType: 'scratchpad.create',
      payload: { resource },
    });
    expect(smartScratchpadCreate(resource, 'handle').messageId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('says where the resource is, after the last response', async () => {
    const { inPage, portal, page, portalSeen } = connected();
    const sent = inPage.smart(smartScratchpadCreate({ resourceType: 'DiagnosticReport' }, 'handle', 'm1'));
    expect(portal.sent.at(-1)!.to).to.equal(portalOrigin);
    const response = { messageId: 'r', responseToMessageId: 'm1', payload: { status: '202 Accepted' } };
    page.hear({ ...response, additionalResponsesExpected: true }, portalOrigin, portalSeen);
    page.hear({ ...response, payload: { status: '200 OK' } }, 'https://evil.example', portalSeen);
    page.hear(
      { ...response, payload: { status: '201 Created', location: 'DiagnosticReport/9' } },
      portalOrigin,
      portalSeen,
    );
    expect((await sent).payload).to.deep.equal({ status: '201 Created', location: 'DiagnosticReport/9' });
    expect(inPage.ignored.origin).to.equal(1);
  });

  it('refuses what is no resource, and no handle', () => {
    expect(() => smartScratchpadCreate({} as { resourceType: string }, 'handle')).to.throw(/resource\.resourceType/);
    expect(() => smartScratchpadCreate({ resourceType: 'Bundle' }, '')).to.throw(/messagingHandle must be a text/);
  });
});
