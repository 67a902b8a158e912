// What the page tests of the elements share: pages around <foveola-pupil>, and waiting for what it tells.

export const clip = '/demo/media/sample.webm';

/** A plain page with one element; its events are kept in window.told. */
export const pageOf = (attributes, { script = '/dist/foveola.cdn.js', tag = 'data-worker="/dist/worker.js"' } = {}) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>test</title>
   <script src="/told.js"></script><script src="${script}" ${tag}></script></head>
   <body><main><h1>Test</h1><foveola-pupil id="eye" ${attributes}></foveola-pupil></main></body></html>`;

/** Keeps what the element tells. A file of its own: a strict policy allows no inline script. */
export const told = `window.told = { results: [], errors: [], states: [], ready: null };
  addEventListener('securitypolicyviolation', (e) => told.errors.push({ code: 'violation', message: e.violatedDirective + ' ' + e.blockedURI }));
  addEventListener('foveola-result', ({ detail }) => told.results.push(detail), true);
  addEventListener('foveola-error', ({ detail }) => told.errors.push({ code: detail.code, message: detail.message }), true);
  addEventListener('foveola-state', ({ detail }) => told.states.push(detail.state), true);
  addEventListener('foveola-ready', ({ detail }) => (told.ready = detail), true);`;

export const tracked = (target) =>
  target.waitForFunction(() => told.results.some(({ pupils }) => pupils[0].found), { polling: 50, timeout: 30_000 });

/** The first error that the element tells; of those that are `wanted`, a function of the page. */
export async function firstError(target, wanted = () => true) {
  const find = `told.errors.find(${wanted})`;
  await target.waitForFunction(find, { polling: 50, timeout: 30_000 });
  return target.evaluate(find);
}

/** A 1-bit gray PNG of any size, all black: small as a file, large as an image. */
export function blackPng(width, height, { deflateSync, crc32 }) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // bits
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** CRC-32 of PNG chunks (Node 20 has none). */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
