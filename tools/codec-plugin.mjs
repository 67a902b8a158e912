// The decoders of JPEG-LS and JPEG 2000, which come as WASM with a script that loads it: `virtual:codec/charls` and
// `virtual:codec/openjpeg` are modules with both inside, so that one file with one hash has all of a decoder, and so that none
// of the script's own ways to find the WASM (an address beside the page, Node's file system) is ever taken.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';

const packages = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../node_modules/@cornerstonejs');
const codecs = {
  charls: { script: 'codec-charls/dist/charlswasm_decode.js', factory: 'CharLSWASM' },
  openjpeg: { script: 'codec-openjpeg/dist/openjpegwasm_decode.js', factory: 'OpenJPEGWASM' },
};
const virtualCodec = /^virtual:codec\/(\w+)$/;
const isNode = /ENVIRONMENT_IS_NODE=typeof process=="object".*?;/;

const filesOf = ({ script }) => [script, script.replace('.js', '.wasm')].map((file) => path.join(packages, file));

async function moduleText(name, pack) {
  const codec = codecs[name];
  const [script, wasm] = filesOf(codec);
  const text = readFileSync(script, 'utf8');
  const begins = text.indexOf(`var ${codec.factory} =`);
  const ends = text.indexOf("if (typeof exports === 'object'");
  if (begins < 0 || ends < 0 || !isNode.test(text))
    throw new Error(`${script} is not as tools/codec-plugin.mjs expects it; look what has changed`);
  const deflated = (await pack(readFileSync(wasm))).toString('base64');
  // In Node as well it is given its WASM: bundlers need not look for what it would ask Node for.
  const glue = text
    .slice(begins, ends)
    .replace(isNode, 'ENVIRONMENT_IS_NODE=false;')
    .replaceAll('require(', 'silent(')
    .replaceAll('file://', 'file:');
  return `${glue}
const wasm = () =>
  new Response(new Blob([Uint8Array.from(atob('${deflated}'), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
const silent = () => {};
export default async () => ${codec.factory}({ wasmBinary: await wasm(), locateFile: (file) => file, print: silent, printErr: silent });
`;
}

/** `pack`: deflates, as small as it pays. */
export const rollupCodecs = (pack) => ({
  name: 'codecs',
  resolveId: (id) => (virtualCodec.test(id) ? `\0${id}` : null),
  async load(id) {
    const name = id.startsWith('\0') && virtualCodec.exec(id.slice(1))?.[1];
    if (!name) return null;
    for (const file of filesOf(codecs[name])) this.addWatchFile(file); // by which the build knows which packages are in it
    return { code: await moduleText(name, pack), map: { mappings: '' }, moduleSideEffects: false };
  },
});

export const esbuildCodecs = () => ({
  name: 'codecs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: virtualCodec }, ({ path: id }) => ({ path: id, namespace: 'codec' }));
    onLoad({ filter: /.*/, namespace: 'codec' }, async ({ path: id }) => ({
      contents: await moduleText(virtualCodec.exec(id)[1], (bytes) => deflateRawSync(bytes)),
      loader: 'js',
    }));
  },
});
