/**
 * What a score says, fitted to rendered faces and written by `npm run train:judge -- --scores`: the odds against a face are those of
 * the score, raised to a power, times a factor.
 */
export const slope = 1.09;
export const factor = 1.804;
