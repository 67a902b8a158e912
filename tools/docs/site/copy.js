// A button on each block of code that copies it.
function add(pre) {
  const [frame, button] = [document.createElement('div'), document.createElement('button')];
  frame.className = 'code';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent.trimEnd());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C'; // the browser refuses the clipboard, so the text is selected instead
      globalThis.getSelection().selectAllChildren(pre);
    }
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  pre.replaceWith(frame);
  frame.append(pre, button);
}

export function startCopying() {
  if (!navigator.clipboard) return;
  for (const pre of document.querySelectorAll('main pre')) add(pre);
}
