// A route that sends a file only as far as the test lets it.

/**
 * @param bytes    of the file
 * @param options.length  false: does not say how long it is
 * @returns a route for `serve`, with
 *   asked      how often it was asked for
 *   waiting()  resolves when an answer stands at half of the file
 *   release()  lets all answers end, also later ones
 *   closed()   resolves when the asker has gone before the end
 */
export function slowFile(bytes, { length = true } = {}) {
  let release;
  const open = new Promise((resolve) => (release = resolve));
  const notes = { waiting: deferred(), closed: deferred() };
  const route = async (request, response) => {
    route.asked++;
    const half = bytes.length >> 1;
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      ...(length && { 'Content-Length': bytes.length }),
    });
    response.on('close', () => response.writableEnded || notes.closed.resolve());
    response.write(bytes.subarray(0, half), () => notes.waiting.resolve());
    await open;
    response.end(bytes.subarray(half));
  };
  return Object.assign(route, {
    asked: 0,
    waiting: () => notes.waiting.promise,
    closed: () => notes.closed.promise,
    release,
  });
}

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
