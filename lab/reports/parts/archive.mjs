// Orthanc, a PACS, on this machine alone, and the validators of dicom3tools. All are Debian packages: orthanc,
// dicom3tools, dcmtk.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The programs that are missing here. */
export const missing = () =>
  ['Orthanc', 'dciodvfy', 'dcentvfy', 'dcmconv'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** @returns { post(bytes), studies(), close() }, with an empty storage */
export async function startArchive() {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-pacs-'));
  const port = await freePort();
  const file = path.join(folder, 'orthanc.json');
  const options = { StorageDirectory: folder, IndexDirectory: folder, HttpPort: port, DicomServerEnabled: false };
  writeFileSync(file, JSON.stringify({ ...options, RemoteAccessAllowed: false, Plugins: [] }));
  const server = spawn('Orthanc', [file], { stdio: 'ignore' });
  const ended = once(server, 'close');
  const ask = async (where, init) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${where}`, init);
    if (!answer.ok) throw new Error(`Orthanc answered ${answer.status} to ${where}.`);
    return answer.json();
  };
  for (let left = 100; ; left--) {
    if (await ask('system').catch(() => null)) break;
    if (!left || server.exitCode !== null) throw new Error('Orthanc does not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    /** The names of the patient, study and series that the instance was filed under. */
    async post(bytes) {
      const { ParentPatient, ParentStudy, ParentSeries } = await ask('instances', { method: 'POST', body: bytes });
      return { patient: ParentPatient, study: ParentStudy, series: ParentSeries };
    },
    statistics: () => ask('statistics'),
    async close() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const linesOf = (program, args) => {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'latin1' });
  return `${stdout}\n${stderr}`.split('\n').filter(Boolean);
};
const faults = (lines) => lines.filter((line) => /^Error/.test(line));
const cautions = (lines) => lines.filter((line) => /^Warning/.test(line));

/** Errors and warnings of dciodvfy (one object) in a file. */
export function checkObject(file) {
  const lines = linesOf('dciodvfy', [file]);
  return { errors: faults(lines), warnings: cautions(lines) };
}

/**
 * Errors of dcentvfy: contradictions between objects of one patient, study or series. It compares bytes, so dcmconv first
 * converts the texts of all files to UTF-8.
 */
export function checkTogether(files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'foveola-utf8-'));
  try {
    const converted = files.map((file) => path.join(folder, path.basename(file)));
    files.forEach((file, i) => {
      const { status, stderr } = spawnSync('dcmconv', ['+U8', file, converted[i]], { encoding: 'latin1' });
      if (status !== 0) throw new Error(`dcmconv cannot convert ${file}: ${stderr}`);
    });
    return faults(linesOf('dcentvfy', converted));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
