// `npm run site`: demo and documentation in build/site, all of it made again. `-- --serve` shows it under the policy
// of its pages; `-- --write` brings the figures of docs/ up to date before (tools/docs/figures.mjs).
// `npm run docs -- words` and `-- facts SEED` print the state of the language (tools/docs/words.mjs). `-- pictures` draws docs/images again
// (tools/docs/images.mjs), and `-- look [FOLDER]` takes screenshots of the site at three widths and checks them
// (tools/docs/look.mjs); both need what is built.
import { installModules, main } from '../setup.mjs';

const [task, argument] = process.argv.slice(2);
const tasks = {
  words: async () => (await import('./words.mjs')).printWords(),
  facts: async () => (await import('./words.mjs')).printFacts(Number(argument)),
  pictures: async () => (await import('./images.mjs')).drawImages(argument),
  look: async () => (await import('./look.mjs')).look(argument),
};

async function site() {
  const { build } = await import('../build.mjs');
  await build({ log: () => {} });
  const { staleFigures, writeFigures } = await import('./figures.mjs');
  if (process.argv.includes('--write')) writeFigures();
  for (const { file } of staleFigures()) console.log(`${file} has figures of before: npm run docs -- --write`);
  const { buildSite, firstPageBytes } = await import('./site.mjs');
  const output = await buildSite();
  console.log(`build/site: first page ${((await firstPageBytes(output)) / 1000).toFixed(0)} kB without media`);
  if (!process.argv.includes('--serve')) return;
  const { serve } = await import('../serve.mjs');
  const { url } = await serve({ folder: output });
  console.log(`${url}/index.html`);
}

await main(async () => {
  installModules();
  await (tasks[task] ?? site)();
});
