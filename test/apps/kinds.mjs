// The kinds of projects, one folder each: package.json with exact versions and sources as a user writes them.
//
// linked     its packages are development packages of this checkout, in the same versions: nothing is fetched
// quick      what `npm test` runs of it as well (it must be linked): these steps, and the visits of these titles
// source     its folder, where that is another one than its name beside this file
// steps      commands that have to succeed, see processes.mjs
// visits     where the page is then opened: a server of the tool's own (`command`, given a port) or a folder of files
//            and the Content-Security-Policy that its files are sent with
// output     folder of built files; none may know the machine that it was built on
// own        files in there whose `file://` is the bundler's own text

/** What docs/embedding.md says of Trusted Types; the worker has to be the file that the bundler carried along. */
const trusted = "require-trusted-types-for 'script'; trusted-types foveola lit-html; worker-src 'self'";

export const kinds = [
  {
    name: 'vite-react',
    source: '../../examples/react',
    title: 'Vite 7, React 19',
    linked: true,
    steps: [
      ['typescript:tsc', '-p', '.'],
      ['vite', 'build'],
    ],
    visits: [
      { title: 'dev', command: (port) => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'] },
      { title: 'built', folder: 'dist', policy: trusted },
    ],
    output: 'dist',
  },
  {
    name: 'webpack',
    title: 'webpack 5',
    linked: true,
    steps: [['./build.mjs']],
    visits: [{ title: 'built', folder: 'dist' }],
    output: 'dist',
  },
  {
    name: 'esbuild',
    title: 'esbuild',
    linked: true,
    quick: { steps: [['./build.mjs'], ['./server.mjs']], visits: ['one script'] },
    steps: [['./build.mjs'], ['./server.mjs']],
    visits: [
      { title: 'modules', folder: 'dist/modules', page: 'modules.html' },
      { title: 'one script', folder: 'dist/script', page: 'script.html' },
    ],
    output: 'dist',
  },
  {
    name: 'rollup',
    title: 'rollup 4',
    linked: true,
    steps: [['rollup', '--config']],
    visits: [{ title: 'built', folder: 'public' }],
    output: 'public',
  },
  {
    name: 'plain',
    title: 'no bundler',
    linked: true,
    steps: [],
    publicFolder: '.',
    visits: [
      { title: 'import map', folder: '.', page: 'import-map.html' },
      { title: 'Lit inside', folder: '.', page: 'elements.html' },
    ],
  },
  {
    name: 'vite-vue',
    title: 'Vite 7, Vue 3',
    steps: [
      ['vue-tsc', '--noEmit', '-p', '.'],
      ['vite', 'build'],
    ],
    visits: [
      { title: 'dev', command: (port) => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'] },
      { title: 'built', command: (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', port, '--strictPort'] },
    ],
    output: 'dist',
  },
  {
    name: 'sveltekit',
    title: 'SvelteKit 2',
    publicFolder: 'static',
    steps: [
      ['@sveltejs/kit:svelte-kit', 'sync'],
      ['svelte-check', '--tsconfig', './tsconfig.json'],
      ['vite', 'build'],
    ],
    visits: [
      { title: 'dev', command: (port) => ['vite', '--host', '127.0.0.1', '--port', port, '--strictPort'] },
      { title: 'built', command: (port) => ['vite', 'preview', '--host', '127.0.0.1', '--port', port, '--strictPort'] },
    ],
    output: 'build',
  },
  {
    name: 'next',
    title: 'Next 16',
    steps: [['next', 'build']],
    visits: [
      { title: 'built', command: (port) => ['next', 'start', '-H', '127.0.0.1', '-p', port] },
      { title: 'dev', command: (port) => ['next', 'dev', '-H', '127.0.0.1', '-p', port] },
    ],
    output: '.next/static',
    own: /(^|\/)turbopack-[^/]*\.js$/, // its run time makes such addresses, of a made-up root
  },
  {
    name: 'angular',
    title: 'Angular 20',
    steps: [['@angular/cli:ng', 'build']],
    visits: [
      { title: 'built', folder: 'dist/app/browser' },
      { title: 'dev', command: (port) => ['@angular/cli:ng', 'serve', '--host', '127.0.0.1', '--port', port] },
    ],
    output: 'dist',
  },
];
