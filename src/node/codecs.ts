/** JPEG-LS and JPEG 2000 in Node: in a thread, which a damaged file may keep busy for good and which is ended then. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Codec, CodecPicture, CodecRequest } from '../frames/image-files/codec.ts';
import { damaged } from '../frames/image-files/faults.ts';

/** Milliseconds for a picture, as for the decoder of a browser. */
const MOST = 20_000;
/** A thread without work ends. */
const IDLE = 5000;

type Answer = { picture: CodecPicture } | { error: string };

/** A thread without work, and what ends it. */
let idle: { worker: Worker; timer: NodeJS.Timeout; end: () => void } | null = null;

function take(script: string): Worker {
  if (!idle) return new Worker(script, { name: 'foveola codecs' });
  const { worker, timer, end } = idle;
  clearTimeout(timer);
  idle = null;
  worker.off('error', end); // without removeAllListeners(): after that a worker of Node has no messages any more
  worker.ref();
  return worker;
}

function keep(worker: Worker): void {
  worker.unref();
  if (idle) return void worker.terminate();
  const end = () => {
    idle = null;
    void worker.terminate();
  };
  idle = { worker, end, timer: setTimeout(end, IDLE).unref() };
  worker.once('error', end);
}

function decodeIn(script: string, request: CodecRequest): Promise<CodecPicture> {
  const worker = take(script);
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      leave();
      void worker.terminate();
      reject(damaged(`The ${request.codec} in the file ${why}.`));
    };
    const onError = ({ message }: Error) => fail(`cannot be decoded (${message})`);
    const onAnswer = (answer: Answer) => {
      leave();
      keep(worker);
      if ('picture' in answer) resolve(answer.picture);
      else reject(damaged(`The ${request.codec} in the file cannot be decoded (${answer.error}).`));
    };
    const timer = setTimeout(() => fail(`took over ${MOST / 1000} s to decode and was ended`), MOST);
    const leave = () => {
      clearTimeout(timer);
      worker.off('error', onError).off('message', onAnswer);
    };
    worker.on('error', onError).on('message', onAnswer);
    worker.postMessage(request);
  });
}

/** In a checkout without its build there is no script of the thread; then this thread decodes. */
export const codec: Codec = async (request) => {
  const script = fileURLToPath(new URL('./node-codecs.js', import.meta.url));
  if (existsSync(script)) return decodeIn(script, request);
  const { decodeCodec } = await import('../frames/image-files/codecs-page.ts');
  return decodeCodec(request);
};
