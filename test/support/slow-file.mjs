// A route that sends a file only as far as the test lets it.

/**
 * @param bytes    of the file
 * @param options.length  false: does not say how long it is
 * @param options.breaks  so many answers break off at half instead of ending
 * @param options.version  () => its ETag: with one, parts of it are sent as well
 * @returns a route for `serve`, with
 *   asked      how often it was asked for
 *   ranges     the parts asked for, '' for all of it
 *   known      the versions that these are to be parts of
 *   waiting()  resolves when an answer stands at half of the file
 *   release()  lets all answers end (or break), also later ones
 *   closed()   resolves when the asker has gone before the end
 */
export function slowFile(bytes, { length = true, breaks = 0, version } = {}) {
  let release;
  const open = new Promise((resolve) => (release = resolve));
  const notes = { waiting: deferred(), closed: deferred() };
  const route = async (request, response) => {
    const breaksOff = route.asked++ < breaks;
    const { range = '', 'if-range': known } = request.headers;
    route.ranges.push(range);
    route.known.push(known);
    const tag = version?.();
    const from = tag && (known ?? tag) === tag ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0;
    const rest = bytes.subarray(from);
    const half = rest.length >> 1;
    response.writeHead(from ? 206 : 200, {
      'Content-Type': 'application/octet-stream',
      ...(tag && { ETag: tag }),
      ...(from && { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
      ...(length && { 'Content-Length': rest.length }),
    });
    response.on('close', () => response.writableEnded || notes.closed.resolve());
    response.write(rest.subarray(0, half), () => notes.waiting.resolve());
    await open;
    if (breaksOff) response.destroy();
    else response.end(rest.subarray(half));
  };
  return Object.assign(route, {
    asked: 0,
    ranges: [],
    known: [],
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
