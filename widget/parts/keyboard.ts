/**
 * Keyboard actions of the elements. They work while the focus is inside the element, except in a field that needs the
 * key.
 */
export type Action =
  | 'toggle'
  | 'step'
  | 'back'
  | 'record'
  | 'snapshot'
  | 'copy'
  | 'mark'
  | 'points'
  | 'settings'
  | 'analyse'
  | 'undo'
  | 'redo'
  | 'help'
  | 'escape';

const actions: Record<string, Action> = {
  ' ': 'toggle',
  '.': 'step',
  ArrowRight: 'step',
  ',': 'back',
  ArrowLeft: 'back',
  r: 'record',
  s: 'snapshot',
  m: 'mark',
  p: 'points',
  o: 'settings',
  a: 'analyse',
  '?': 'help',
  Escape: 'escape',
};

/** Whether the focus is in a field that needs its keys. */
export function inField(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|select|textarea)$/.test(target.localName))
  );
}

/** Action of a key. Null if the browser or the focused control handles it. */
export function actionFor(event: KeyboardEvent): Action | null {
  if (event.altKey || event.defaultPrevented) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey) return edits(key, event.shiftKey, target);
  const action = actions[key] ?? null;
  if (!(target instanceof HTMLElement)) return action;
  if (inField(event)) return action === 'escape' ? action : null;
  // The space bar presses a focused button or link.
  if (key === ' ' && /^(button|a|summary)$/.test(target.localName)) return null;
  return action;
}

// Text fields have their own undo and copy.
function edits(key: string, shift: boolean, target: EventTarget | undefined): Action | null {
  if (target instanceof HTMLElement && target.matches('textarea, input[type=text], input[type=number]')) return null;
  if (key === 'c') return getSelection()?.isCollapsed === false ? null : 'copy'; // the browser copies selected text
  if (key === 'z') return shift ? 'redo' : 'undo';
  return key === 'y' ? 'redo' : null;
}
