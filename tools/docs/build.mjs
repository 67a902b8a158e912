// `npm run docs`: the documentation site in build/site, all of it made again. `-- --serve` shows it under the policy
// of its pages; `-- --write` brings the figures of docs/ up to date before (tools/docs/figures.mjs).
import { installModules, main } from '../setup.mjs';

await main(async () => {
  installModules();
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
});
