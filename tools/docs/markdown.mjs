// Markdown of docs/ as pages: anchors as GitHub has them, links to pages of the site or to the repository, tables that
// scroll, no style attribute (the policy of the site forbids them), and `<!-- site: word -->` where the site puts something.
import MarkdownIt from 'markdown-it';
import path from 'node:path';
import { highlighted } from './highlight.mjs';
import { escaped, slugOf } from './html.mjs';

const outside = /^[a-z]+:/;

/** Where a link of docs/<page> leads on the site: to another page, to the repository, or as it stands. */
export function linkOf(href, from, { pages, repository }) {
  const [file, anchor] = href.split('#');
  // What the package leaves out is linked to in the repository; the site may have it.
  const ours = `${repository}/blob/main/`;
  const known = file.startsWith(ours) && pages.has(file.slice(ours.length));
  if ((outside.test(href) && !known) || href.startsWith('#')) return href;
  const target = known ? file.slice(ours.length) : path.posix.join(path.posix.dirname(from), file);
  const url = pages.get(target);
  const tail = anchor ? `#${anchor}` : '';
  if (url) return path.posix.relative(path.posix.dirname(pages.get(from)), url) + tail;
  if (target.startsWith('docs/images/')) return file;
  return `${repository}/blob/main/${target}${tail}`;
}

/**
 * @param site.pages       from the files of the repository to addresses on the site
 * @param site.repository  where the other files are
 * @param site.blocks      what `<!-- site: word argument -->` stands for: { word: (argument, env) => html }
 */
export function createMarkdown(site) {
  const md = new MarkdownIt({ html: true, highlight: highlighted });
  const { rules } = md.renderer;
  const plain = (tokens, i, options, env, self) => self.renderToken(tokens, i, options);

  md.core.ruler.push('anchors', ({ tokens, env }) => {
    const seen = new Map();
    env.headings ??= [];
    for (const [i, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const inline = tokens[i + 1];
      const title = inline.children.map(({ content }) => content).join('');
      const slug = slugOf(inline.content.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      const id = count ? `${slug}-${count}` : slug;
      token.attrSet('id', id);
      env.headings.push({ level: Number(token.tag[1]), id, title });
    }
  });

  let section = '';
  rules.heading_open = (tokens, i, ...rest) => {
    section = tokens[i + 1].content;
    return plain(tokens, i, ...rest);
  };
  rules.table_open = () => `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(section)}"><table>\n`;
  rules.table_close = () => '</table></div>\n';
  for (const kind of ['th_open', 'td_open', 'th_close'])
    rules[kind] = (tokens, i, ...rest) => {
      const token = tokens[i];
      const text = tokens[i + (token.nesting > 0 ? 1 : -1)];
      if (!text.content) token.tag = 'td'; // a head without words is none
      if (token.nesting > 0) token.attrs = token.tag === 'th' ? [['scope', 'col']] : []; // and no style, which the policy forbids
      return plain(tokens, i, ...rest);
    };
  const { fence } = rules;
  rules.fence = (tokens, i, ...rest) => {
    const text = fence(tokens, i, ...rest);
    return text.replace('<pre>', `<pre tabindex="0" aria-label="Code, ${escaped(section)}">`);
  };
  const { image } = rules;
  rules.image = (tokens, i, options, env, self) => {
    // Packed pages name pictures by their address in the repository.
    const [, name] = /\/raw\/main\/docs\/images\/(.*)$/.exec(tokens[i].attrGet('src')) ?? [];
    if (name) tokens[i].attrSet('src', path.posix.relative(path.posix.dirname(env.from), `docs/images/${name}`));
    return image(tokens, i, options, env, self);
  };
  const link = (tokens, i, options, env, self) => {
    const href = tokens[i].attrGet('href');
    tokens[i].attrSet('href', linkOf(href, env.from, site));
    return self.renderToken(tokens, i, options);
  };
  rules.link_open = link;
  rules.html_block = (tokens, i, options, env) => {
    const [, word, argument = ''] = /^<!-- site: (\S+) ?(.*?) -->\s*$/.exec(tokens[i].content) ?? [];
    if (!word) return tokens[i].content.replace(/<!--[^]*?-->/g, ''); // what the tests and benchmarks mark
    if (!site.blocks[word]) throw new Error(`${env.from}: the site has no '${word}'`);
    return `${site.blocks[word](argument, env)}\n`;
  };
  return md;
}
