/** A picture from the clipboard, while the focus is in an element or the pointer over it. */
const hasFocus = (element: HTMLElement) =>
  (element.getRootNode() as Document | ShadowRoot).activeElement === element || element.matches(':hover');

/** Returns how to stop it. */
export function pasteInto(element: HTMLElement, open: (file: File) => void): () => void {
  const onPaste = (event: ClipboardEvent) => {
    // A text field takes what is pasted itself.
    const field = (event.composedPath()[0] as Element | undefined)?.closest?.('input, textarea, [contenteditable]');
    const file = event.clipboardData?.files[0];
    if (!file || field || event.defaultPrevented || !hasFocus(element)) return;
    event.preventDefault();
    open(file);
  };
  document.addEventListener('paste', onPaste);
  return () => document.removeEventListener('paste', onPaste);
}
