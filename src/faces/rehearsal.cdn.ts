/** For the CDN scripts, which have no room for it: their first frame takes longer. */
export const rehearse = (): void => {};
