/** What parameters do, by the numbers that the script of one element has in their place: the build fills it. */
export const effects: readonly string[] = [];
