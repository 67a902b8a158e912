/**
 * Registers an element. Two versions of the package on one page must not break each other: the first one is used, the
 * second one logs a warning. A server logs nothing, since it may import the package several times and does not show the
 * elements.
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
