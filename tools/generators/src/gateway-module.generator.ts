import {
  addSource,
  camelCase,
  editSource,
  fillTemplate,
  pascalCase,
  textOf,
  type WorkspaceTree,
} from './workspace-tree.js';

export interface GatewayModuleOptions {
  /** What it serves, such as `reviews`. */
  readonly name: string;
  /** The product that it belongs to, such as `multi-role`. */
  readonly product: string;
  /** Its route, such as `/v4/reviews`; `/{launchId}` follows. */
  readonly path: string;
  /** The model of `prisma/api-gateway` whose rows it counts at first; it has a `launchId`. */
  readonly model: string;
}

/** The entry of `libs/contracts` that has a product's wire formats, where their names differ. */
const ENTRIES: Readonly<Record<string, string>> = {
  'module-submissions': 'modules',
  reviewer: 'modules',
  discovery: 'reports',
};

/** How a route is declared, its section of the description, and the launches that it reads. */
interface Family {
  readonly Route: string;
  readonly routes: string;
  readonly tag: string;
  readonly family: string;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  'multi-role': { Route: 'MultiRoleRoute', routes: './multi-role.route.js', tag: 'Launches', family: 'multi-role.v2' },
  'custom-launch': {
    Route: 'CustomLaunchRoute',
    routes: '../../../core/launches/custom-launch/custom-launch.route.js',
    tag: 'Custom launches',
    family: 'custom-launch.v4',
  },
};
const ANY_FAMILY: Family = {
  Route: 'Route',
  routes: '../../../core/accounts/api.route.js',
  tag: 'Discovery',
  family: 'multi-role.v2',
};

/** Where each file of a module belongs inside its product: requests and answers, rules, rows. */
const PLACES = [
  ['repository', 'data/'],
  ['service', 'domain/'],
  ['controller', 'http/'],
  ['integration.spec', 'http/'],
  ['module', ''],
] as const;

/**
 * Adds a protected route with the anatomy of the house: wire format, controller, service, repository, module, test. It answers how many
 * rows of a model one's own launch has; what it answers is its author's to change.
 */
export default async function gatewayModule(
  tree: WorkspaceTree,
  { name, product, path, model }: GatewayModuleOptions,
): Promise<void> {
  const [Name, variable] = [pascalCase(name), camelCase(name)];
  const folder = `apps/api-gateway/src/products/${product}`;
  const entry = ENTRIES[product] ?? product;
  const words = { Name, name, variable, path, model, entry, ...(FAMILIES[product] ?? ANY_FAMILY) };
  const filled = (role: string): string => fillTemplate(`gateway-module/${role}`, words);

  await addSource(tree, `libs/contracts/src/${entry}/${name}.schema.ts`, filled('schema'));
  const index = `libs/contracts/src/${entry}/index.ts`;
  tree.write(index, `${textOf(tree, index).trimEnd()}\nexport * from './${name}.schema.js';\n`);

  for (const [role, place] of PLACES) await addSource(tree, `${folder}/${place}${name}.${role}.ts`, filled(role));

  const app = 'apps/api-gateway/src/composition/app.module.ts';
  await editSource(
    tree,
    app,
    "import { PartsModule, type GatewayParts } from './parts.module.js';",
    `import { ${Name}Module } from '../products/${product}/${name}.module.js';\nimport { PartsModule, type GatewayParts } from './parts.module.js';`,
  );
  await editSource(
    tree,
    app,
    'DerivedFinalityModule,\n        ...',
    `DerivedFinalityModule,\n        ${Name}Module,\n        ...`,
  );
}
