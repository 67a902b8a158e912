// Compiled by test/infrastructure/types.test.mjs against the packed package. Each @ts-expect-error must be an error.
import { createRef } from 'preact';
import type {} from 'foveola/types/preact';
import type { FoveolaPupil } from 'foveola/elements';

const ref = createRef<FoveolaPupil>();

export const tags = (
  <>
    <foveola-pupil
      ref={ref}
      src="a.webm"
      max-fps={30}
      controls
      onfoveola-result={(e) => e.detail.pupils}
      class="wide"
    />
    {/* @ts-expect-error no such detector */}
    <foveola-pupil method="magic" />
    {/* @ts-expect-error a pupil result has no faces */}
    <foveola-pupil onfoveola-result={(e) => e.detail.faces} />
  </>
);
