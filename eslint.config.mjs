import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { DEPENDENCY_CONSTRAINTS } from './tools/lint/boundaries.mjs';

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

// Rules that ask for types are in .oxlintrc.json.
export default tseslint.config(
  {
    ignores: [
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
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    plugins: { '@nx': nx },
    // Injected classes are values although they stand where types do.
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
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
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name='catch'][arguments.0.body.type='BlockStatement'][arguments.0.body.body.length=0]",
          message: 'Do not swallow an error: say why it may be ignored, in code.',
        },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Tests reach across borders on purpose: servers to start, oracles to compare with.
    files: [
      '**/*.spec.ts',
      '**/*.chapter.ts',
      '**/*.corpus.ts',
      '**/*.bench.ts',
      '**/fixtures/**/*.ts',
      '**/test/**/*.ts',
    ],
    rules: { '@nx/enforce-module-boundaries': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    files: ['**/*.template-set.ts', '**/*.artifact.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['libs/workflows/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/fixtures/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: WORKFLOW_BANS,
              message:
                'Workflow code imports types and constants only: @launch/contracts/orchestration, @temporalio/workflow and @temporalio/common.',
            },
            {
              regex: '^@launch/contracts(/activities)?$',
              message:
                'Use @launch/contracts/orchestration: the main entry pulls in zod, and so do the schemas of activities.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/fixtures/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@launch/worker/scripted', '@temporalio/worker'],
              message: 'A service starts its worker with runWorker, or with BackgroundWorker beside what it serves.',
            },
          ],
        },
      ],
    },
  },
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
