/** Effects of parameters by number. Single-element scripts contain only the numbers. The build fills the list. */
export const effects: readonly string[] = [];
