// A FHIR server in memory, as far as a transaction and a read go, as HAPI speaks them: POST [base] takes a Bundle of the type
// transaction (all or nothing, conditional creates, references between its entries), GET [base]/Type and [base]/Type/id.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';

const outcome = (diagnostics) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'processing', diagnostics }],
});

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Whether one of the identifiers is `identifier=system|value` of a search. */
function matches(resource, search) {
  const [system, value] = (new URLSearchParams(search).get('identifier') ?? '').split('|');
  const identifiers = [resource.identifier ?? []].flat();
  return identifiers.some((one) => one.system === system && one.value === value);
}

/**
 * @param origin of the page that may ask
 * @returns { url, resources, failWith(status), close }  resources: 'Type/id' -> resource
 */
export async function startFhirServer(origin) {
  const resources = new Map();
  let failing = 0;

  const find = (type, search) =>
    [...resources].filter(([key, one]) => key.startsWith(`${type}/`) && matches(one, search)).map(([key]) => key);

  function transaction(bundle) {
    if (bundle?.resourceType !== 'Bundle' || bundle.type !== 'transaction')
      throw new Refused(400, 'Only a Bundle of the type transaction is taken.');
    const places = new Map(); // urn:uuid of an entry -> 'Type/id'
    const made = [];
    for (const { fullUrl, resource, request } of bundle.entry) {
      if (request?.method !== 'POST' || request.url !== resource?.resourceType)
        throw new Refused(400, `${fullUrl}: request must be a POST of its type.`);
      const known = request.ifNoneExist ? find(resource.resourceType, request.ifNoneExist) : [];
      if (known.length > 1) throw new Refused(412, `${request.ifNoneExist} is not one resource.`);
      const place = known[0] ?? `${resource.resourceType}/${randomUUID()}`;
      if (places.has(fullUrl)) throw new Refused(400, `${fullUrl} is there twice.`);
      places.set(fullUrl, place);
      made.push({ place, resource, created: !known.length });
    }
    const stored = made.map(({ place, resource, created }) => {
      const text = JSON.stringify({ ...resource, id: place.split('/')[1] });
      const linked = text.replace(/"reference":"(urn:uuid:[^"]+)"/g, (_, urn) => {
        if (!places.has(urn)) throw new Refused(400, `${urn} is not in the bundle.`);
        return `"reference":"${places.get(urn)}"`;
      });
      return { place, created, resource: JSON.parse(linked) };
    });
    for (const { place, created, resource } of stored) if (created) resources.set(place, resource);
    return {
      resourceType: 'Bundle',
      type: 'transaction-response',
      entry: stored.map(({ place, created }) => ({
        response: { status: created ? '201 Created' : '200 OK', location: `${place}/_history/1` },
      })),
    };
  }

  async function answer(request) {
    const { pathname } = new URL(request.url, 'http://x');
    if (failing) throw new Refused(failing, 'The server is down.');
    const rest = pathname.replace(/^\/fhir\/?/, '');
    if (request.method === 'POST' && rest === '') {
      if (!request.headers['content-type']?.startsWith('application/fhir+json'))
        throw new Refused(415, 'Content-Type must be application/fhir+json.');
      const parts = [];
      for await (const part of request) parts.push(part);
      return transaction(JSON.parse(Buffer.concat(parts).toString()));
    }
    if (request.method !== 'GET') throw new Refused(405, `${request.method} is not taken here.`);
    if (resources.has(rest)) return resources.get(rest);
    if (rest.includes('/')) throw new Refused(404, `${rest} is not known.`);
    const entry = [...resources].filter(([key]) => key.startsWith(`${rest}/`)).map(([, resource]) => ({ resource }));
    return { resourceType: 'Bundle', type: 'searchset', total: entry.length, entry };
  }

  const server = createServer((request, response) => {
    const headers = {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Headers': 'content-type',
      'Content-Type': 'application/fhir+json',
    };
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    answer(request)
      .then((body) => response.writeHead(200, headers).end(JSON.stringify(body)))
      .catch((error) => response.writeHead(error.status ?? 400, headers).end(JSON.stringify(outcome(error.message))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/fhir`,
    resources,
    failWith: (status) => (failing = status),
    close: () => new Promise((done) => server.close(done)),
  };
}
