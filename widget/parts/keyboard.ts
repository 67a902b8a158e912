/** Keys of the elements. They work while the focus is inside the element and not in a field that needs the key. */
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

/** The focus is in a field, which needs its keys itself. */
export function inField(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|select|textarea)$/.test(target.localName))
  );
}

/** What a key asks for; null when it belongs to the browser or to the control that has the focus. */
export function actionFor(event: KeyboardEvent): Action | null {
  if (event.altKey || event.defaultPrevented) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey) return edits(key, event.shiftKey, target);
  const action = actions[key] ?? null;
  if (!(target instanceof HTMLElement)) return action;
  if (inField(event)) return action === 'escape' ? action : null;
  // A focused button or link is pressed by the space bar.
  if (key === ' ' && /^(button|a|summary)$/.test(target.localName)) return null;
  return action;
}

// Text fields have an undo, and what is copied, of their own.
function edits(key: string, shift: boolean, target: EventTarget | undefined): Action | null {
  if (target instanceof HTMLElement && target.matches('textarea, input[type=text], input[type=number]')) return null;
  if (key === 'c') return getSelection()?.isCollapsed === false ? null : 'copy'; // text that is marked is copied by the browser
  if (key === 'z') return shift ? 'redo' : 'undo';
  return key === 'y' ? 'redo' : null;
}
