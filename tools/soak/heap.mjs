// What a page's heap is made of: objects and bytes by constructor, from a snapshot of the browser.

/** By 'type constructor': how many, and their own bytes. */
export async function constructorsOf(session) {
  const chunks = [];
  const take = ({ chunk }) => chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', take);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes, strings } = JSON.parse(chunks.join(''));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const at = Object.fromEntries(fields.map((name, i) => [name, i]));
  const found = new Map();
  for (let i = 0; i < nodes.length; i += fields.length) {
    const type = types[0][nodes[i + at.type]];
    // Strings have their text as a name, code that of its function.
    const named = type === 'object' || type === 'native' || type === 'closure';
    const key = named ? `${type} ${strings[nodes[i + at.name]].slice(0, 60)}` : type;
    const known = found.get(key) ?? { count: 0, bytes: 0 };
    known.count++;
    known.bytes += nodes[i + at.self_size];
    found.set(key, known);
  }
  return found;
}

/** What has grown most, as rows of a table. */
export function grown(before, after, most = 30) {
  const rows = [...after].map(([key, { count, bytes }]) => {
    const { count: n = 0, bytes: b = 0 } = before.get(key) ?? {};
    return { key, count: count - n, bytes: bytes - b, now: count };
  });
  const shown = rows.filter(({ bytes, count }) => bytes > 0 || count > 0).sort((a, b) => b.bytes - a.bytes);
  return [
    ['grown', 'objects more', 'bytes more', 'objects now'],
    ...shown.slice(0, most).map(({ key, count, bytes, now }) => [key, String(count), String(bytes), String(now)]),
  ];
}
