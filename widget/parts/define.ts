/**
 * Registers an element. Two versions of the package on one page must not stop each other: the first one wins, the
 * second one says so; not on a server, which may import the package for several purposes and shows none of the elements.
 */
export function define(tag: string, element: CustomElementConstructor & { version?: string }): void {
  const known = customElements.get(tag) as typeof element | undefined;
  if (known === undefined) customElements.define(tag, element);
  else if (known !== element && typeof document !== 'undefined')
    console.warn(
      `foveola: <${tag}> is already defined by version ${known.version ?? 'unknown'}. Version ${element.version} is ` +
        'not used. Load the package once.',
    );
}
