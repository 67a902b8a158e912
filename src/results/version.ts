/** The version of the package, as in package.json. Everything that leaves the page contains it. */
export const version = '0.1.0';
