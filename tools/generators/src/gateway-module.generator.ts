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
  const contract = `${product}/${name}.schema`;
  const words = { Name, name, variable, path, model };
  const filled = (role: string): string => fillTemplate(`gateway-module/${role}`, words);

  await addSource(tree, `libs/contracts/src/${contract}.ts`, filled('schema'));
  const entry = 'libs/contracts/src/index.ts';
  tree.write(entry, `${textOf(tree, entry).trimEnd()}\nexport * from './${contract}.js';\n`);

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
