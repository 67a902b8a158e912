/* global getComputedStyle, innerWidth */

// What can be wrong with the layout of an element, whichever browser laid it out. Runs in the page.

/** Lines that say what is wrong at a width in CSS pixels; none when all is well. */
export async function layoutFaults(width) {
  const element = document.querySelector('[data-tested]');
  document.querySelector('main').style.width = `${width}px`;
  await element.updateComplete;
  // Some frames: what resize observers see in one is mended in the next.
  for (let i = 0; i < 4; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
  const root = element.shadowRoot;
  const faults = [];
  // Of the words, which may be English on a page that is written from right to left.
  const rightToLeft = getComputedStyle(root.querySelector('.base')).direction === 'rtl';
  const at = (box) => [box.left, box.top, box.right, box.bottom].map((v) => Math.round(v)).join(' ');
  const inside = (inner, outer, name, slack = 1) => {
    const [i, o] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
    if (i.left < o.left - slack || i.right > o.right + slack || i.top < o.top - slack || i.bottom > o.bottom + slack)
      faults.push(`${name} (${at(i)}) is not inside (${at(o)})`);
  };
  const name = (node) => `${node.localName}.${node.className} "${node.textContent.trim().slice(0, 24)}"`;

  const stage = root.querySelector('.stage');
  const media = stage.querySelector('.media') ?? element.querySelector('[slot=media]');
  if (!media) faults.push('there is no picture in the stage');
  else {
    inside(media, stage, 'the picture');
    const box = media.getBoundingClientRect();
    if (box.width < width / 3 || box.height < 100) faults.push(`the picture has only ${at(box)}`);
  }
  const most = parseFloat(getComputedStyle(stage).maxHeight);
  if (stage.getBoundingClientRect().height > most + 1) faults.push(`the stage is higher than ${most}`);
  if (stage.scrollHeight > stage.clientHeight + 1 || stage.scrollWidth > stage.clientWidth + 1)
    faults.push(
      `the stage overflows: ${stage.scrollWidth}x${stage.scrollHeight} in ${stage.clientWidth}x${stage.clientHeight}`,
    );
  inside(root.querySelector('canvas.overlay'), stage, 'the overlay');
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.push('the page scrolls sideways');

  const base = root.querySelector('.base');
  const shown = (node) => node.checkVisibility?.() ?? node.getClientRects().length > 0;
  for (const node of base.querySelectorAll('button, select, input, label, dt, dd, li, p, output, .badge'))
    if (shown(node) && !node.closest('.visually-hidden, [hidden]')) inside(node, base, name(node));

  const middle = (node) => (node.getBoundingClientRect().left + node.getBoundingClientRect().right) / 2;
  const badge = root.querySelector('.badge');
  if (badge && rightToLeft !== middle(badge) > middle(stage)) faults.push('the state is not where lines begin');
  const last = root.querySelector('[data-menu=more]');
  if (last && width > 900 && rightToLeft !== middle(last) < middle(base))
    faults.push('the last buttons are not where lines end');
  for (const canvas of root.querySelectorAll('canvas:not(.media)'))
    if (getComputedStyle(canvas).direction !== 'ltr') faults.push(`${name(canvas)} draws its labels backwards`);

  // Texts of the readout: none over another, none cut off.
  const texts = [...root.querySelectorAll('[part~=readout] dt, [part~=readout] dd')].filter(shown).map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return { node, box: range.getBoundingClientRect() };
  });
  for (const [i, one] of texts.entries()) {
    if (one.box.width) inside(one.node, base, name(one.node));
    for (const other of texts.slice(i + 1)) {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 1 && down > 3) faults.push(`${name(one.node)} lies over ${name(other.node)}`);
    }
  }
  return faults;
}
