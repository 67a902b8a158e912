import { useEffect, useState } from 'react';
import { createEngine, type PupilResult } from 'foveola';
import { FoveolaPupil } from 'foveola/react';

/** The library without an element: an empty picture has no face, but the model that looks for one was loaded. */
async function countFaces() {
  const engine = await createEngine();
  const faces = await engine.detectFaces({ width: 64, height: 64, data: new Uint8Array(64 * 64) });
  await engine.dispose();
  return faces.length;
}

export function App() {
  const [text, setText] = useState('no pupil yet');
  const [faces, setFaces] = useState('no model yet');
  useEffect(() => void countFaces().then((count) => setFaces(`${count} faces`)), []);
  const show = ({ detail }: CustomEvent<PupilResult>) => {
    const [pupil] = detail.pupils;
    if (pupil.found) setText(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  };
  return (
    <main>
      <FoveolaPupil src="sample.webm" controls loop onFoveolaResult={show} />
      <output>{text}</output>
      <output>{faces}</output>
    </main>
  );
}
