// Reads an XDF file for tests, by the specification alone: streams with their header, samples, clock offsets and footer.
export function readXdf(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'XDF:') throw new Error('not an XDF file');
  const streams = {};
  let at = 4;
  const length = () => {
    const size = bytes[at++];
    const value = { 1: () => bytes[at], 4: () => bytes.readUInt32LE(at), 8: () => Number(bytes.readBigUInt64LE(at)) }[
      size
    ]();
    at += size;
    return value;
  };
  const double = () => bytes.readDoubleLE((at += 8) - 8);
  const field = (xml, name) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  while (at < bytes.length) {
    const size = length();
    const end = at + size;
    if (end > bytes.length) throw new Error('a chunk is cut off');
    const kind = bytes.readUInt16LE(at);
    at += 2;
    if (kind !== 1) {
      const id = bytes.readUInt32LE(at);
      at += 4;
      const xml = () => bytes.toString('utf8', at, end);
      if (kind === 2) {
        const header = xml();
        const labels = [...header.matchAll(/<label>([^<]*)<\/label>/g)].map(([, label]) => label);
        streams[id] = { header, name: field(header, 'name'), labels, samples: [], offsets: [] };
        streams[id].format = field(header, 'channel_format');
        streams[id].rate = Number(field(header, 'nominal_srate'));
        streams[id].channels = Number(field(header, 'channel_count'));
      } else if (kind === 3) {
        const { samples, format, channels } = streams[id];
        let time = NaN;
        for (let left = length(); left; left--) {
          if (bytes[at++] === 8) time = double();
          const text = () => {
            const bytesOfText = length();
            return bytes.toString('utf8', at, (at += bytesOfText));
          };
          samples.push([time, ...Array.from({ length: channels }, format === 'string' ? text : double)]);
        }
      } else if (kind === 4) streams[id].offsets.push([double(), double()]);
      else if (kind === 6) streams[id].footer = { count: Number(field(xml(), 'sample_count')) };
      if (kind !== 2 && kind !== 6 && at !== end) throw new Error(`chunk ${kind} has ${end - at} bytes too many`);
    }
    at = end;
  }
  return Object.values(streams);
}
