/** The manifests of the published packages. Everything that they need is in their files, so only verify has dependencies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REPOSITORY_URL = 'git+https://github.com/custom-launch/custom-launch.git';

/** Every entry has this one's error, so that all throw one class. It is no entry of users. */
export const SHARED_SDK_ENTRY = 'launch-client.error';

/** The sources of the SDK's entries, below `clients/sdk`. */
export const SDK_ENTRIES = {
  index: 'index',
  plans: 'plans',
  'multi-role': 'multi-role',
  public: 'public',
  operations: 'operations',
  'recipes/custom-launch': 'recipes/custom-launch',
  'recipes/multi-role': 'recipes/multi-role',
  [SHARED_SDK_ENTRY]: `transport/${SHARED_SDK_ENTRY}`,
};

/**
 * @typedef {object} PublishedPackage
 * @property {string} name without its scope
 * @property {string} folder of the sources that the manifest names
 * @property {Record<string, unknown>} manifest
 */

/**
 * Returns the manifest of each package.
 * @param {string} repository root of the tree
 * @returns {PublishedPackage[]}
 */
export function manifests(repository) {
  const read = (path) => JSON.parse(readFileSync(join(repository, path), 'utf8'));
  // One release number for the programs and libraries of one tree; the module CLI has its own releases.
  const { version } = read('clients/launch-cli/package.json');
  const moduleRelease = read('clients/module-cli/releases.json').at(-1).version;
  const { dependencies: compilers } = read('libs/compiler/package.json');

  return [
    described('cli', 'clients/launch-cli', version, {
      description: 'Create, send and follow custom launches, plans and multi-role launches from the command line.',
      engines: { node: '>=24' },
      bin: {
        launch: 'bin/launch.mjs',
        'request-packer': 'bin/request-packer.mjs',
        'reference-builder': 'bin/reference-builder.mjs',
        'inventory-builder': 'bin/inventory-builder.mjs',
        'multi-role-client': 'bin/client.mjs',
      },
      files: ['bin'],
    }),
    described('sdk', 'clients/sdk', version, {
      description: 'Create custom launches, plans and multi-role launches from Node or a browser.',
      engines: { node: '>=20.19' },
      type: 'module',
      sideEffects: false,
      exports: {
        ...Object.fromEntries(
          Object.keys(SDK_ENTRIES)
            .filter((entry) => entry !== SHARED_SDK_ENTRY)
            .map((entry) => [
              entry === 'index' ? '.' : `./${entry}`,
              { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
            ]),
        ),
        './package.json': './package.json',
      },
      files: ['dist'],
    }),
    described('modules', 'clients/module-cli', moduleRelease, {
      description: 'Pack a module, submit it for review, and follow the review.',
      engines: { node: '>=24' },
      bin: { 'module-cli': 'bin/module-cli.mjs' },
      files: ['bin'],
    }),
    described('verify', 'clients/verify', version, {
      description: 'Check launches offline, and read the public index without trusting the service.',
      engines: { node: '>=24' },
      bin: { 'launch-verify': 'dist/launch-verify.js', 'index-reader': 'bin/index-reader.mjs' },
      type: 'module',
      sideEffects: false,
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './index-reader': { types: './dist/index-reader.d.ts', default: './dist/index-reader.js' },
        './package.json': './package.json',
      },
      files: ['bin', 'dist'],
      // The compilers are GPL-3.0 programs of their own; launch-verify compares their digests before it runs them.
      dependencies: Object.fromEntries(Object.entries(compilers).filter(([name]) => name.startsWith('solc-'))),
    }),
  ];
}

function described(name, directory, version, { description, ...members }) {
  return {
    name,
    manifest: {
      name: `@custom-launch/${name}`,
      version,
      description,
      license: 'MIT',
      repository: { type: 'git', url: REPOSITORY_URL, directory },
      publishConfig: { access: 'public', provenance: true },
      ...members,
    },
  };
}
