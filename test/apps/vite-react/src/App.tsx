import { useState } from 'react';
import type { PupilResult } from 'foveola';
import 'foveola/elements/pupil.js';

export function App() {
  const [told, setTold] = useState('no pupil yet');
  const show = ({ detail }: CustomEvent<PupilResult>) => {
    const [pupil] = detail.pupils;
    if (pupil.found) setTold(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  };
  return (
    <main>
      <foveola-pupil src="/sample.webm" controls loop onfoveola-result={show} />
      <output>{told}</output>
    </main>
  );
}
