/** The protocol that a test was given: the name of one that is shipped, one as JSON, or one as it is. */
import { checkFlashRate, FoveolaError, type Protocol, protocols, readProtocol } from '../../src/index.ts';

/** Throws 'invalid-argument': no protocol, or one that flashes too fast where that is not allowed. */
export function protocolFrom(given: Protocol | string | null, allowFastFlashes: boolean): Protocol {
  if (typeof given === 'string' && Object.hasOwn(protocols, given)) return protocols[given as keyof typeof protocols];
  if (typeof given === 'string' && !/^\s*\{/.test(given))
    throw new FoveolaError(
      'invalid-argument',
      `Protocol: '${given.slice(0, 40)}' is unknown. Use ${Object.keys(protocols).join(', ')}, or pass JSON.`,
    );
  const read = readProtocol(given);
  if (!allowFastFlashes) checkFlashRate(read);
  return read;
}
