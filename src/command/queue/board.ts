/** bull-board, a page with the jobs of a queue, on this machine alone: it asks nobody who they are. */
import { createServer, type RequestListener } from 'node:http';
import { bad } from '../plan.ts';
import { installed, type JobQueue } from './connection.ts';

/** What is used of the packages, which those who want the page install. */
interface BoardApi {
  createBullBoard(options: { queues: unknown[]; serverAdapter: unknown }): unknown;
}
interface BoardQueues {
  BullMQAdapter: new (queue: JobQueue) => unknown;
}
interface BoardServer {
  ExpressAdapter: new () => { setBasePath(path: string): unknown; getRouter(): RequestListener };
}

const packages = ['@bull-board/api', '@bull-board/express'] as const;

/** Until it is aborted. @throws {FoveolaError} (rejects) 'invalid-argument' (not installed, the port is taken) */
export async function serveBoard(queue: JobQueue, given: string, signal: AbortSignal): Promise<void> {
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw bad(`--board must be a port, not ${given}.`);
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await installed(packages.join(' '), () =>
    Promise.all([
      import(packages[0]) as Promise<BoardApi>,
      import(`${packages[0]}/bullMQAdapter`) as Promise<BoardQueues>,
      import(packages[1]) as Promise<BoardServer>,
    ]),
  );
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath('');
  createBullBoard({ queues: [new BullMQAdapter(queue)], serverAdapter });
  const server = createServer(serverAdapter.getRouter());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(bad(`Port ${port} cannot be used (${cause.code ?? cause.message}). Take another --board.`, cause)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as { port: number };
  process.stdout.write(`bull-board: http://127.0.0.1:${taken}/ (Ctrl-C ends it)\n`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.close();
  server.closeAllConnections();
}
