// The frame of every page: head with its policy, menu, search, contents. No inline script, no inline style.
import { html, raw } from './html.mjs';

/** Of the pages themselves; a host may send the same as a header. frame-ancestors and the like are for headers only. */
export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
  "media-src 'self' blob:; worker-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

const entry = (page, url, up) =>
  html`<li><a href="${up}${page.url}" ${page.url === url ? raw(' aria-current="page"') : ''}>${page.title}</a></li>`;

const menu = (chapters, url, up) =>
  chapters.map(
    ({ title, pages }) =>
      html`<details${pages.some((page) => page.url === url) ? raw(' open') : ''}><summary>${title}</summary>
<ul>${pages.map((page) => entry(page, url, up))}</ul></details>\n`,
  );

const contents = (headings) => {
  const shown = headings.filter(({ level }) => level === 2);
  return shown.length > 2
    ? html`<details class="contents">
        <summary>On this page</summary>
        <ul>
          ${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
        </ul>
      </details>`
    : '';
};

/** @param page { url, title, body, headings, scripts } */
export function pageText({ url, title, body, headings = [], scripts = [] }, chapters, { version, repository }) {
  const up = '../'.repeat(url.split('/').length - 1);
  const text = String(body);
  const end = text.indexOf('</h1>') + 5; // the contents stand under the heading
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content="${policy}" />
          <title>${title === 'foveola' ? 'foveola' : `${title} – foveola`}</title>
          <meta
            name="description"
            content="${title}: computer vision for eyes, faces, vessels and moving objects inside a web page."
          />
          <link rel="icon" href="${up}favicon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="${up}site.css" />
          <script src="${up}site.js" defer data-up="${up}"></script>
          ${scripts.map(([src, ...data]) => html`<script src="${up}${src}" defer${data.map((word) => raw(` ${word}`))}></script> `)}
        </head>
        <body>
          <a class="skip" href="#main">To the text</a>
          <header>
            <a class="brand" href="${up}index.html"
              ><img src="${up}favicon.svg" width="28" height="28" alt="" />foveola</a
            >
            <form role="search" class="search" hidden>
              <input
                type="search"
                name="q"
                aria-label="Search this site"
                placeholder="Search"
                autocomplete="off"
                spellcheck="false"
              />
              <div class="found" hidden>
                <p role="status"></p>
                <ul></ul>
              </div>
            </form>
            <a href="${up}demo/index.html">Demo</a>
            <a class="repository" href="${repository}">GitHub</a>
            <button class="menu" type="button" aria-expanded="false" aria-controls="pages" hidden>Menu</button>
          </header>
          <div class="columns">
            <nav id="pages" aria-label="Pages">${menu(chapters, url, up)}</nav>
            <main id="main">${raw(text.slice(0, end))} ${contents(headings)} ${raw(text.slice(end))}</main>
          </div>
          <footer><p>foveola ${version}. For research use. Not a medical device.</p></footer>
        </body>
      </html> `,
  );
}
