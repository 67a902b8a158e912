/**
 * Who withholds the camera from this page. A frame of the same origin gets it without an attribute, so there it is a header
 * or a sandbox; of another origin it is the attribute, or a header that cannot be seen from here.
 */
interface Policy {
  allowsFeature(name: string): boolean;
}

const policyOf = (page: Document): Policy | undefined => {
  const { permissionsPolicy, featurePolicy } = page as { permissionsPolicy?: Policy; featurePolicy?: Policy };
  return permissionsPolicy ?? featurePolicy;
};

const forbids = (page: Document) => policyOf(page)?.allowsFeature('camera') === false;

/** False also where the browser does not tell. */
export const forbiddenByPolicy = (): boolean => forbids(document);

/** The element around a window; null for the uppermost page, and where the page around is of another origin. */
function frameOf(page: Window): Element | null {
  try {
    return page.frameElement;
  } catch {
    return null;
  }
}

/** What to change where the policy forbids the camera. */
export function policyAdvice(): string {
  let page: Window = window;
  // Up to the outermost page that forbids it: those below only inherit.
  for (let frame = frameOf(page); frame && forbids(frame.ownerDocument); frame = frameOf(page)) page = page.parent;
  const own = page === window;
  if (page === window.top)
    return own
      ? 'This page forbids cameras by its Permissions-Policy header; remove camera=() from it.'
      : `The page around this frame (${page.location.pathname}) forbids cameras by its Permissions-Policy header; remove camera=() from it.`;
  const frame = frameOf(page);
  if (frame)
    return /\bcamera\b/.test(frame.getAttribute('allow') ?? '')
      ? `The <iframe> of this page withholds the camera by allow="${frame.getAttribute('allow')}"; write allow="camera".`
      : `The page in this frame (${page.location.pathname}) forbids cameras by its own Permissions-Policy header; remove camera=() from it.`;
  if (self.origin === 'null')
    return 'This frame is sandboxed and has no origin, so it gets no camera; add allow-same-origin to the sandbox attribute of its <iframe>.';
  return 'The page around this frame does not pass the camera on; add allow="camera" to its <iframe>, and see that its Permissions-Policy header does not forbid it.';
}

/** What else may be the cause where the browser says only that the camera was not allowed. */
export function frameAdvice(): string {
  const stated = policyOf(document) !== undefined;
  let page: Window = window;
  while (frameOf(page)) page = page.parent;
  return stated || page === window.top ? '' : ' (and allow="camera" on the <iframe>)';
}
