// Makes the site: the demo pages, and the documentation out of docs/, custom-elements.json, the parameter tables, and the declarations in dist/.
// Eleventy reads the pages and writes them; every page is one of docs/ or made here of what the project knows of itself.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Eleventy from '@11ty/eleventy';
import { build as bundle } from 'esbuild';
import { cdnBudgets, laterFiles } from '../build.mjs';
import { kernelsOf } from '../engine-parts.mjs';
import { root } from '../setup.mjs';
import { apiPages, readApi } from './api.mjs';
import { createBlocks } from './blocks.mjs';
import { readChapters } from './chapters.mjs';
import { elementPage, readElements } from './elements.mjs';
import { raw } from './html.mjs';
import { createMarkdown } from './markdown.mjs';
import { readMembers } from './members.mjs';
import { copyDemo, writeServiceWorker } from './offline.mjs';
import { readOperations, readParameters } from './operations.mjs';
import { pageText } from './page.mjs';
import { drawPictures, mediaFile, mediaFolders } from './pictures.mjs';
import { searchScript, sectionsOf } from './search-data.mjs';

const at = (...parts) => path.join(root, ...parts);
const { version, repository } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

/** What the live elements of the pages load, and what they show. */
function copyAssets(output) {
  const scripts = Object.keys(cdnBudgets);
  const dist = [...scripts, ...scripts.map(kernelsOf), ...laterFiles, 'worker.js', 'models'];
  for (const file of dist) cpSync(at('dist', file), path.join(output, 'dist', file), { recursive: true });
  const media = ['portrait.png', 'photographer.png', 'fundus.jpg', 'coffee.jpg', 'cat.jpg', 'sample.webm'];
  for (const file of media) cpSync(mediaFile(file), path.join(output, 'media', file));
  for (const folder of mediaFolders)
    cpSync(at(folder, 'LICENSES.md'), path.join(output, 'media', `LICENSES-${path.dirname(folder)}.md`));
  for (const file of readdirSync(at('docs/images'))) cpSync(at('docs/images', file), path.join(output, 'images', file));
  cpSync(at('demo/favicon.svg'), path.join(output, 'favicon.svg'));
  cpSync(at('demo/bench.js'), path.join(output, 'bench.js'));
}

const bundleFront = (output) =>
  bundle({
    absWorkingDir: root,
    entryPoints: ['tools/docs/site/site.js', 'tools/docs/site/site.css', 'tools/docs/site/demo-offline.js'],
    outdir: output,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  });

/** Everything that pages are made of. */
async function readAll(output) {
  const [chapters, elements, operations] = [readChapters(), readElements(), readOperations()];
  const parameters = await readParameters();
  const pictures = await drawPictures(operations, path.join(output, 'operations/pictures'));
  const texts = new Map([...chapters.flatMap(({ pages }) => pages), ...operations].map(({ file, url }) => [file, url]));
  const blocks = createBlocks({ elements, operations, parameters, pictures, members: readMembers(), paragraphs });
  const markdown = createMarkdown({ pages: texts, repository: repositoryUrl, blocks });
  const inline = (text) => raw(markdown.renderInline(text));
  // Doc comments name pages by their place in the repository.
  function paragraphs(text, from) {
    const linked = text.replace(/\bdocs\/[\w-]+\.md/g, (file) => `[${file}](${path.posix.relative(path.posix.dirname(from), file)})`); // prettier-ignore
    return raw(markdown.render(linked, { from }));
  }
  const api = apiPages(readApi(), (text) => paragraphs(text, operations[0].file)); // which is as deep as these
  const generated = [
    ...elements.map((element) => ({ url: element.url, title: `<${element.tagName}>`, body: elementPage(element, inline) })), // prettier-ignore
    ...api,
  ];
  const at = chapters.findIndex(({ title }) => title === 'Reference');
  const menu = [
    ...chapters.slice(0, at),
    { ...chapters[at], pages: [...chapters[at].pages, ...api] },
    { title: 'Elements', pages: elements.map(({ tagName, url }) => ({ title: `<${tagName}>`, url })) },
    ...[...new Set(operations.map(({ group }) => group))].map((group) => ({
      title: group,
      pages: operations.filter((one) => one.group === group),
    })),
    ...chapters.slice(at + 1),
  ];
  return { texts, generated, markdown, menu, operations };
}

/** @returns the sections that the search looks through */
async function writePages({ texts, generated, markdown, menu, operations }, output) {
  const sections = [];
  const page = (one) => {
    sections.push(...sectionsOf({ ...one, body: String(one.body) }));
    return pageText(one, menu, { version, repository: repositoryUrl });
  };
  const headingsOf = (body) =>
    Array.from(String(body).matchAll(/<h([23]) id="([^"]*)">([^]*?)<\/h\1>/g), ([, level, id, title]) => ({
      ...{ level: Number(level), id },
      title: raw(title.replace(/<[^>]+>/g, '')),
    }));
  const render = (text, data) => {
    if (data.made) return page({ ...data.made, headings: headingsOf(data.made.body) });
    const from = data.file ?? path.posix.normalize(data.page.inputPath);
    const env = { ...operations.find(({ file }) => file === from), from };
    const body = markdown.render(text, env);
    const title = env.headings.find(({ level }) => level === 1).title;
    const scripts = from === 'docs/benchmark.md' ? [['dist/foveola.cdn.js', 'data-worker="dist/worker.js"', 'data-assets="dist/"'], ['bench.js']] : []; // prettier-ignore
    return page({ url: texts.get(from), title, body, headings: env.headings, scripts });
  };
  const eleventy = new Eleventy('docs', path.relative(root, output), {
    quietMode: true,
    config(config) {
      config.setUseGitIgnore(false);
      config.setTemplateFormats(['md']);
      config.setLibrary('md', { render });
      config.addGlobalData(
        'permalink',
        () => (data) => data.url ?? texts.get(path.posix.normalize(data.page.inputPath)),
      );
      for (const made of generated) config.addTemplate(`docs/${made.url.replace('.html', '.md')}`, '', { made, url: made.url }); // prettier-ignore
      for (const [file, url] of texts)
        if (!file.startsWith('docs/')) config.addTemplate(`docs/root-${file}`, readFileSync(at(file), 'utf8'), { file, url }); // prettier-ignore
      config.addGlobalData('templateEngineOverride', 'md'); // no other language is looked for in the texts
    },
  });
  const cwd = process.cwd();
  process.chdir(root); // Eleventy names its files from here
  try {
    await eleventy.write();
  } finally {
    process.chdir(cwd);
  }
  return sections;
}

/** Writes the site into a folder, which is emptied before. */
export async function buildSite(output = at('build/site')) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  copyAssets(output);
  copyDemo(output, repositoryUrl);
  await bundleFront(output);
  const sections = await writePages(await readAll(output), output);
  writeFileSync(path.join(output, 'search-data.js'), searchScript(sections));
  await writeServiceWorker(output);
  return output;
}

/** What a reader fetches before the first page stands there, in bytes: the page, its style, its script. */
export async function firstPageBytes(output) {
  const files = await Promise.all(['index.html', 'site.css', 'site.js', 'favicon.svg'].map((file) => readFile(path.join(output, file)))); // prettier-ignore
  return files.reduce((sum, { length }) => sum + length, 0);
}
