/**
 * Conversion of a score, fitted to rendered faces and written by `npm run lab -- train-judge --scores`. The odds against a
 * face are the score's odds, raised to a power, times a factor.
 */
export const slope = 1.09;
export const factor = 1.804;
