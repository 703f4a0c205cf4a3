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
  readonly room: string;
  /** Its route, such as `/v4/reviews`; `/{launchId}` follows. */
  readonly path: string;
  /** The model of `prisma/api-gateway` whose rows it counts at first; it has a `launchId`. */
  readonly model: string;
}

/**
 * Adds a protected route with the anatomy of the house: wire format, controller, service, repository, module, test. It answers how many
 * rows of a model one's own launch has; what it answers is its author's to change.
 */
export default async function gatewayModule(
  tree: WorkspaceTree,
  { name, room, path, model }: GatewayModuleOptions,
): Promise<void> {
  const [Name, variable] = [pascalCase(name), camelCase(name)];
  const folder = `apps/api-gateway/src/${room}/${name}`;
  const contract = `${room}/${name}.schema`;
  const words = { Name, name, variable, path, model };
  const filled = (role: string): string => fillTemplate(`gateway-module/${role}`, words);

  await addSource(tree, `libs/contracts/src/${contract}.ts`, filled('schema'));
  const entry = 'libs/contracts/src/index.ts';
  tree.write(entry, `${textOf(tree, entry).trimEnd()}\nexport * from './${contract}.js';\n`);

  for (const role of ['repository', 'service', 'controller', 'module', 'integration.spec'])
    await addSource(tree, `${folder}/${name}.${role}.ts`, filled(role));

  const app = 'apps/api-gateway/src/app.module.ts';
  await editSource(
    tree,
    app,
    "import { PartsModule, type GatewayParts } from './parts.module.js';",
    `import { ${Name}Module } from './${room}/${name}/${name}.module.js';\nimport { PartsModule, type GatewayParts } from './parts.module.js';`,
  );
  await editSource(
    tree,
    app,
    'DerivedFinalityModule,\n        ...',
    `DerivedFinalityModule,\n        ${Name}Module,\n        ...`,
  );
}
