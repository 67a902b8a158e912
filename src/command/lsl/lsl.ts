/** `foveola lsl`: a WebSocket on this machine that passes measurements of a page to LSL and to an XDF file. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { bad, parsed } from '../plan.ts';
import { printLine } from '../progress.ts';
import { installed } from '../queue/store.ts';
import { lslOptions } from '../usage.ts';
import { BadMessage, Bridge, type BridgeOptions } from './bridge.ts';
import { openLsl } from './outlet.ts';
import { XdfWriter } from './xdf.ts';
import type * as Ws from 'ws';

const MAX_BYTES = 4 << 20;
const MAX_CONNECTIONS = 16;
/** Bad messages after which a connection is closed. */
const MAX_ERRORS = 100;

const ofThisMachine = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** A request by a page of this machine or of an allowed origin. Programs other than browsers send no origin. */
export function isAllowed({ headers }: Pick<IncomingMessage, 'headers'>, origins: readonly string[]): boolean {
  const { host = '', origin } = headers;
  if (!ofThisMachine.test(host)) return false; // a name that was made to lead to this machine
  if (origin === undefined || origins.includes(origin)) return true;
  const own = /^https?:\/\/(.*)$/.exec(origin)?.[1];
  return own !== undefined && ofThisMachine.test(own);
}

export interface LslServer {
  port: number;
  bridge: Bridge;
  close(): Promise<void>;
}

function serveSocket(bridge: Bridge, socket: Ws.WebSocket): void {
  let errors = 0;
  const peer = bridge.connect((message) => socket.send(JSON.stringify(message)));
  socket.on('message', (data: Buffer, binary: boolean) => {
    try {
      if (binary) throw new BadMessage('A message must be a text.');
      bridge.receive(peer, data.toString());
    } catch (error) {
      const message = error instanceof BadMessage ? error.message : 'The bridge failed: see its output.';
      if (!(error instanceof BadMessage)) printLine(`foveola: ${(error as Error).message}`, process.stderr);
      socket.send(JSON.stringify({ type: 'error', message }));
      if (++errors === MAX_ERRORS) socket.close(1008, 'too many errors');
    }
  });
  socket.on('error', () => socket.terminate()); // a broken frame, or one that is too large
  socket.on('close', () => bridge.disconnect(peer));
}

const listening = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(bad(`Port ${port} cannot be used (${cause.code ?? cause.message}). Choose another --port.`, cause)),
    );
    server.listen(port, host, () => resolve((server.address() as { port: number }).port));
  });

/** @throws {FoveolaError} (rejects) 'invalid-argument' (the package ws is not installed, the port is in use) */
export async function serveLsl(
  options: BridgeOptions & { port: number; host: string; origins: readonly string[] },
): Promise<LslServer> {
  const { WebSocketServer } = await installed('ws', () => import('ws'));
  const bridge = new Bridge(options);
  const http = createServer((_, response) => response.writeHead(426).end('This address is a WebSocket.'));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES, perMessageDeflate: false });
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refusal =
      (!isAllowed(request, options.origins) && '403 Forbidden') ||
      (sockets.clients.size >= MAX_CONNECTIONS && '503 Service Unavailable');
    if (refusal) socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, (client) => serveSocket(bridge, client));
  });
  return {
    port: await listening(http, options.port, options.host),
    bridge,
    async close() {
      for (const client of sockets.clients) client.terminate();
      await new Promise((resolve) => http.close(resolve));
      bridge.close();
    },
  };
}

const hosts = ['127.0.0.1', '::1'];

function xdfAt(file: string | undefined): XdfWriter | null {
  try {
    return file === undefined ? null : new XdfWriter(file);
  } catch (cause) {
    throw bad(`${file} cannot be created (${(cause as Error).message}). Choose a new file for --xdf.`, cause);
  }
}

/** Runs until Ctrl-C. Returns the exit code. */
export async function lsl(args: readonly string[]): Promise<number> {
  const { values } = parsed(args, lslOptions);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw bad(`--port must be a port, not ${values.port}.`);
  if (!hosts.includes(values.host)) throw bad(`--host must be ${hosts.join(' or ')}, not ${values.host}.`);
  const library = await openLsl(values.liblsl);
  if (!library && values.xdf === undefined)
    throw bad('LSL needs npm install koffi and the library liblsl. Without them, write a file: --xdf FILE.xdf');
  const xdf = xdfAt(values.xdf);
  const now = library ? () => library.now() * 1000 : () => performance.now();
  const { host } = values;
  const server = await serveLsl({ now, xdf, lsl: library, port, host, origins: values.origin ?? [] });
  const shown = host.includes(':') ? `[${host}]` : host;
  printLine(
    `ws://${shown}:${server.port} (${library ? 'LSL' : 'no liblsl'}${xdf ? `, ${values.xdf}` : ''})`,
    process.stdout,
  );
  await new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  printLine(`${server.bridge.received} samples and markers`, process.stdout);
  return 0;
}
