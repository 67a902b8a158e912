/** The dialog for subject, session, trial and note. Its DOM nodes are outside the view of the element. */
import type { Host } from '../../base/host.ts';
import type { AnyResult, Settings } from '../../base/kind.ts';
import { aboutNames, make } from '../../base/page.ts';
import { aboutWords, inLanguage } from '../words.ts';
import { labelOf } from './parameter-row.ts';

interface Parts<R extends AnyResult> {
  readonly host: Host<R>;
  readonly settings: { readonly given: Settings; edit(changes: Settings): void };
}

/** The person's eye, in elements that measure one. */
function eyeField<R extends AnyResult>({ host, settings }: Parts<R>): HTMLLabelElement | null {
  if (!host.kind.ownParameters?.includes('eye')) return null;
  const { choices } = host.strings.settingsWords;
  const list = make('select', '');
  for (const eye of ['unknown', 'left', 'right'])
    list.append(new Option(choices[`eye.${eye}`], eye, false, eye === (settings.given.eye ?? 'unknown')));
  list.addEventListener('change', () => settings.edit({ eye: list.value === 'unknown' ? undefined : list.value }));
  return make('label', '', labelOf(host.strings, 'eye'), list);
}

/** Shows the dialog. Each field acts at once. */
export function askAbout<R extends AnyResult>(parts: Parts<R>): void {
  const { element, strings } = parts.host;
  const words = inLanguage(aboutWords, strings);
  const dialog = make('dialog', 'about');
  dialog.lang = strings.language;
  dialog.dir = strings.direction;
  dialog.setAttribute('aria-label', words.title);
  const fields = aboutNames.map((name) => {
    const field = make(name === 'note' ? 'textarea' : 'input', '');
    field.value = element[name] ?? '';
    field.addEventListener('change', () => (element[name] = field.value.trim() || null));
    return make('label', '', words[name], field);
  });
  fields.splice(1, 0, ...[eyeField(parts)].filter((one) => one !== null));
  const close = make('button', '', words.close);
  close.type = 'button';
  close.setAttribute('part', 'button');
  close.addEventListener('click', () => dialog.close());
  dialog.append(make('h2', '', words.title), make('p', '', words.hint), ...fields, close);
  dialog.addEventListener('keydown', (event) => event.stopPropagation()); // keys of the page do not act here
  dialog.addEventListener('close', () => dialog.remove());
  element.shadowRoot!.append(dialog);
  dialog.showModal();
}
