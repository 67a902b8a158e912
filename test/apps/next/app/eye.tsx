'use client';

import { useState } from 'react';
import type { PupilResult } from 'foveola';
import { FoveolaPupil } from 'foveola/react';

export function Eye() {
  const [heard, setHeard] = useState('no pupil yet');
  const show = ({ detail }: CustomEvent<PupilResult>) => {
    const [pupil] = detail.pupils;
    if (pupil.found) setHeard(`pupil found, diameter ${pupil.diameter.toFixed(1)}`);
  };
  return (
    <>
      <FoveolaPupil src="/sample.webm" controls loop onFoveolaResult={show} />
      <output>{heard}</output>
    </>
  );
}
