// What the search of the site looks through: the text under each heading of each page.
const entity = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const plain = (markup) =>
  markup
    .replace(/<(pre|script|button)\b[^]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&\w+;/g, (name) => entity[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Sections of a page's main part: [{ url, title, page, text }]. */
export function sectionsOf({ url, title, body }) {
  return body
    .split(/(?=<h[123]\b)/)
    .map((part) => {
      const [, id = '', name = ''] = /^<h[123](?: id="([^"]*)")?[^>]*>([^]*?)<\/h[123]>/.exec(part) ?? [];
      const first = /^<h1/.test(part);
      return {
        url: first || !id ? url : `${url}#${id}`,
        title: plain(name) || title,
        page: title,
        text: plain(part.replace(/^<h[123][^]*?<\/h[123]>/, '')),
      };
    })
    .filter(({ text, title: name }) => text || name !== title);
}

/** As a script, which a page can load from any place, a file of the reader's own disk included. */
export const searchScript = (sections) => `globalThis.foveolaSections = ${JSON.stringify(sections)};\n`;
