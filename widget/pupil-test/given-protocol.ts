/** Reads the protocol of a test: the name of a shipped protocol, JSON, or a protocol object. */
import { checkFlashRate, FoveolaError, type Protocol, protocols, readProtocol } from '../../src/index.ts';

/** Throws 'invalid-argument' if the protocol is missing or invalid, or flashes too fast without permission. */
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
