// Compiled by test/infrastructure/types.test.mjs against the packed package. Each @ts-expect-error must be an error.
import { createRef, useRef } from 'react';
import { FoveolaFace, FoveolaPupil, FoveolaTrack, type FoveolaPupilProps } from 'foveola/react';
import type {} from 'foveola/types/react';
import type { FoveolaPupil as Element } from 'foveola/elements';

const ref = createRef<FoveolaPupil>();
const props: FoveolaPupilProps = { src: 'a.webm', paused: undefined };

export const wrappers = (
  <>
    <FoveolaPupil {...props} ref={ref} className="wide" style={{ width: 300 }} aria-label="Pupil" />
    <FoveolaPupil
      onFoveolaResult={(event) => event.detail.pupils[0]?.diameter}
      roi={{ x: 0, y: 0, width: 9, height: 9 }}
    />
    <FoveolaPupil roi="0 0 9 9" eyes={2} />
    <FoveolaFace onFoveolaEyes={({ detail }) => detail.eyes.length} />
    <FoveolaTrack box="1 2 3 4">
      <video slot="media" />
    </FoveolaTrack>
    {/* @ts-expect-error no such detector */}
    <FoveolaPupil method="magic" />
    {/* @ts-expect-error no such prop */}
    <FoveolaPupil metod="robust" />
    {/* @ts-expect-error set by the element */}
    <FoveolaPupil tracking />
    {/* @ts-expect-error pupils have no faces */}
    <FoveolaPupil onFoveolaResult={(event) => event.detail.faces} />
    {/* @ts-expect-error no such event of this element */}
    <FoveolaPupil onFoveolaEyes={() => {}} />
  </>
);

export function Tags() {
  const tag = useRef<Element>(null);
  return (
    <>
      <foveola-pupil
        ref={tag}
        src="a.webm"
        max-fps={30}
        for="video"
        controls
        onfoveola-result={(e) => e.detail.pupils}
      />
      <foveola-vessels onfoveola-result={(e) => e.detail.fraction} opacity={0.5} />
      {/* @ts-expect-error of the wrong type */}
      <foveola-pupil paused="no" />
      {/* @ts-expect-error no such attribute */}
      <foveola-pupil max-ps={3} metod="x" />
      {/* @ts-expect-error a vessel result has no pupils */}
      <foveola-vessels onfoveola-result={(e) => e.detail.pupils} />
      {/* @ts-expect-error no such element */}
      <foveola-ears />
    </>
  );
}
