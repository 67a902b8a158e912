/** For the CDN scripts, which are at their limit of bytes: worker.js, which lies beside them, measures angles. */
import { FoveolaError } from '../runtime/error.ts';
import type * as Whole from './rotation.ts';

export type RingPicture = Whole.RingPicture;

export class Rotation implements Pick<Whole.Rotation, 'begin' | 'see'> {
  begin(): void {}

  see(): never {
    throw new FoveolaError('invalid-argument', 'rotation needs worker.js beside the script (data-worker).');
  }
}
