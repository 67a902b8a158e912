/** For the CDN scripts, which leave this out: engine.opticDisc says where it is. */
import { defineOperations, operation } from '../../runtime/capability.ts';
import { FoveolaError } from '../../runtime/error.ts';

const elsewhere = operation({
  params: {},
  sources: ['pixels'],
  resolve(): object {
    throw new FoveolaError('invalid-argument', 'opticDisc is not in the CDN scripts: import foveola.js as a module.');
  },
  *plan() {},
});

export const opticDiscOperations = defineOperations({ opticDisc: elsewhere });
