/** Creates elements as DOM nodes, for lazily loaded code without Lit. */
type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(name: K, kind: string, ...children: Child[]) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.append(...children.filter((child) => child !== null));
  return element;
}
