/**
 * Inputs that are no planes, or planes of special content, for the parity test: by kind, or by stage and place, for
 * example 'flow/track 2'.
 */
import type { MakeInput } from './cases.ts';

export const makers: Readonly<Record<string, MakeInput>> = {};
