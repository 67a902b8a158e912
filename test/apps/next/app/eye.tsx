'use client';

import { useState } from 'react';
import type { PupilResult } from 'foveola';
import 'foveola/elements';
import type {} from 'foveola/types/react';

export function Eye() {
  const [told, setTold] = useState('no pupil yet');
  const show = ({ detail }: CustomEvent<PupilResult>) => {
    const [pupil] = detail.pupils;
    if (pupil.found) setTold(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  };
  return (
    <>
      <foveola-pupil src="/sample.webm" controls loop onfoveola-result={show} />
      <output>{told}</output>
    </>
  );
}
