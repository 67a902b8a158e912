/** For the CDN scripts, which load this with the tools of the element. */
import { FoveolaError } from '../../runtime/error.ts';

const elsewhere = (): never => {
  throw new FoveolaError(
    'invalid-argument',
    'Corrections of vessels without the element are not in the CDN scripts: import foveola.js as a module.',
  );
};

export {
  elsewhere as correctedKinds,
  elsewhere as correctedMask,
  elsewhere as correctedOptions,
  elsewhere as CorrectionHistory,
  elsewhere as cutAcross,
  elsewhere as kindCorrection,
};
