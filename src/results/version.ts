/** The version of the package, as package.json has it: it stands in everything that leaves the page. */
export const version = '0.1.0';
