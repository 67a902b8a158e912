import tseslint from 'typescript-eslint';

// What a strict Content-Security-Policy and Trusted Types forbid in shipped code.
const forbidden = [
  [
    'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|cssText)$/]',
    'Build nodes, not markup or style text.',
  ],
  ['CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe)$/]', 'Build nodes, not markup.'],
  [
    "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
    'Use element.style; CSP blocks style attributes.',
  ],
  [
    'ImportDeclaration[source.value=/style-map/]',
    'styleMap writes a style attribute, which CSP blocks; use element.style.',
  ],
];

const nodeGlobals = [
  'process',
  'console',
  'Buffer',
  'URL',
  'URLSearchParams',
  'fetch',
  'performance',
  'setTimeout',
  'setInterval',
];
const webGlobals = [
  'clearTimeout',
  'clearInterval',
  'setImmediate',
  'Response',
  'Blob',
  'TextDecoder',
  'TextEncoder',
  'AbortController',
];
// The page's side of puppeteer's evaluate() and of demo scripts.
const pageGlobals = ['document', 'window', 'navigator', 'location', 'customElements', 'crossOriginIsolated', 'Worker'];
const moreGlobals = [
  'WebAssembly',
  'requestAnimationFrame',
  'structuredClone',
  'AbortSignal',
  'queueMicrotask',
  'globalThis',
];

export default tseslint.config(
  {
    ignores: [
      'assembly/',
      'lab/objects/scalar/',
      'lab/vessels/solver/',
      'dist/',
      'packages/*/dist/',
      'build/',
      'coverage/',
      'test/golden/',
      'demo/**/*.min.js',
    ],
  },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off', // chai: expect(x).to.be.true
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**', 'widget/**'],
    rules: {
      'no-restricted-syntax': ['error', ...forbidden.map(([selector, message]) => ({ selector, message }))],
      'no-console': ['error', { allow: ['warn'] }],
    },
  },
  { files: ['src/command/**'], rules: { 'no-console': 'off' } }, // a terminal is where it speaks
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [...nodeGlobals, ...webGlobals, ...pageGlobals, ...moreGlobals].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-undef': 'error' },
  },
  {
    // A test that is switched off or left alone by accident is a defect.
    files: ['test/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name=/^(describe|it|test|suite)$/][property.name='only']",
          message: '.only leaves all other tests out.',
        },
      ],
    },
  },
);
