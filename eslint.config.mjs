import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { DEPENDENCY_CONSTRAINTS } from './tools/lint/boundaries.mjs';
import { GATEWAY_RULES } from './tools/lint/gateway-layers.mjs';

/** Libraries workflow code must not pull in: they cost cache memory and determinism. */
const WORKFLOW_BANS = [
  'zod',
  'viem',
  '@nestjs/*',
  '@prisma/*',
  '@temporalio/client',
  '@temporalio/worker',
  '@temporalio/activity',
  'node:*',
];

/** A service starts its worker in the one way that drains and reports its health. */
const OWN_WORKER = {
  group: ['@launch/worker/scripted', '@temporalio/worker'],
  message: 'A service starts its worker with runWorker, or with BackgroundWorker beside what it serves.',
};

// Rules about imports. Every other rule is oxlint's (.oxlintrc.json), which takes seconds for what took ESLint a minute.
export default tseslint.config(
  {
    ignores: [
      '**/*.{js,cjs,mjs}',
      '**/dist/**',
      '**/node_modules/**',
      '**/generated/**',
      '**/artifacts/**',
      '**/bundles/**',
      'clients/module-cli/frozen/**',
      // Projects of other programs, of modules that those make up.
      'tools/bench/peers/**',
      '.data/**',
      '.nx/**',
      // Tests reach across borders on purpose: servers to start, oracles to compare with.
      '**/*.spec.{ts,tsx}',
      '**/*.chapter.ts',
      '**/*.corpus.ts',
      '**/*.bench.ts',
      '**/fixtures/**',
      'deploy/*.fixture.ts',
      '**/test/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    languageOptions: { parser: tseslint.parser },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          enforceBuildableLibDependency: false,
          allowCircularSelfDependency: true,
          depConstraints: DEPENDENCY_CONSTRAINTS,
        },
      ],
    },
  },
  {
    files: ['apps/api-gateway/src/**/*.ts', 'libs/http/src/**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    // Injected classes are values although they stand where types do, which oxlint does not know.
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: { '@typescript-eslint/consistent-type-imports': 'error' },
  },
  {
    files: ['libs/workflows/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/fixtures/**'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: WORKFLOW_BANS,
              message:
                'Workflow code imports @temporalio/workflow, @temporalio/common and entries of @launch/contracts without a library.',
            },
            {
              regex: '^@launch/contracts/(?!(orchestration|states|errors)$)',
              allowTypeImports: true,
              message:
                'Of @launch/contracts, workflow code imports values from orchestration, states and errors only: the other entries pull in zod. Import types with `import type`.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/fixtures/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [OWN_WORKER] }] },
  },
  // A later entry replaces the options of the one above, so it repeats its pattern.
  ...GATEWAY_RULES.map(({ files, patterns }) => ({
    files,
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [OWN_WORKER, ...patterns] }] },
  })),
  {
    files: ['libs/{contracts,evm,images,launch-rules}/src/**/*.ts'],
    // `@launch/images/node` is what an app in Node passes in; `#base64` and `#sha256` of contracts are other files where there is no Node.
    ignores: [
      '**/*.spec.ts',
      '**/fixtures/**',
      'libs/images/src/native.inflater.ts',
      'libs/contracts/src/primitives/base64.node.ts',
      'libs/contracts/src/primitives/sha256.node.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'Pure code runs in browsers too: take bytes as arguments.' }] },
      ],
    },
  },
);
