import {
  addSource,
  camelCase,
  editSource,
  fillTemplate,
  pascalCase,
  textOf,
  type WorkspaceTree,
} from './workspace-tree.js';

export interface GatewayRouteOptions {
  /** The noun of the route, such as `reviews`. */
  readonly name: string;
  /** The product that it belongs to, such as `multi-role`. */
  readonly product: string;
  /** Its route, such as `/v4/reviews`; the id of a launch follows. */
  readonly path: string;
  /** The model of `prisma/api-gateway` whose rows it counts at first; it has a `launchId`. */
  readonly model: string;
}

/** The declaration of a route, and the launches that it reads. */
interface Family {
  readonly Route: string;
  readonly routes: string;
  /** The section of the description. */
  readonly tag: string;
  readonly family: string;
  /** The segment of the path that names the launch. */
  readonly parameter: string;
  /** The status of `NOT_FOUND`; the plan transport has few statuses. */
  readonly absent: string;
  /** The imports of the generated test, its gateway with the gateway's type, the owner of a launch, and the launch's id. */
  readonly fixtures: string;
  readonly Gateway: string;
  readonly gateway: string;
  readonly Owner: string;
  readonly owner: string;
  readonly launchId: string;
}

const fixture = (names: string, file: string): string => `import { ${names} } from '../../../fixtures/${file}.js';`;

const MULTI_ROLE: Family = {
  Route: 'MultiRoleRoute',
  routes: './multi-role.route.js',
  tag: 'Launches',
  family: 'multi-role.v2',
  parameter: 'launchId',
  absent: '404',
  fixtures: `${fixture('startHarness, type Harness', 'gateway.harness')}\n${fixture('reserveLaunch', 'launch.driver')}`,
  Gateway: 'Harness',
  gateway: 'startHarness()',
  Owner: '{ readonly key: string }',
  owner: 'await gateway.issueKey()',
  launchId: '(await reserveLaunch(gateway, owner.key)).launchId',
};
const CUSTOM_LAUNCH: Family = {
  Route: 'CustomLaunchRoute',
  routes: '../../../core/launches/custom-launch/custom-launch.route.js',
  tag: 'Custom launches',
  family: 'custom-launch.v4',
  parameter: 'launchId',
  absent: '404',
  fixtures: `${fixture('startCustomLaunchGateway, type CustomLaunchGateway', 'custom-launch-gateway')}\n${fixture('freshCustomLaunch', 'custom-launch-request')}`,
  Gateway: 'CustomLaunchGateway',
  gateway: 'startCustomLaunchGateway()',
  Owner: '{ readonly key: string }',
  owner: 'gateway',
  launchId: '(await gateway.create(JSON.stringify(freshCustomLaunch()))).json.launchId as string',
};
const PLAN: Family = {
  Route: 'PlanRoute',
  routes: './plan.route.js',
  tag: 'Plans',
  family: 'plan.v1',
  parameter: 'planId',
  absent: '422',
  fixtures: `${fixture('startHarness, type Harness', 'gateway.harness')}\n${fixture('planOwner, type PlanOwner', 'plan-owner.fixture')}`,
  Gateway: 'Harness',
  gateway: 'startHarness()',
  Owner: 'PlanOwner',
  owner: 'await planOwner(gateway)',
  launchId: '(await owner.plan()).planId',
};
/** For products without launches of their own: the shared route, and multi-role launches. */
const SHARED: Family = {
  ...MULTI_ROLE,
  Route: 'Route',
  routes: '../../../core/routes/api.route.js',
  tag: 'Discovery',
};

/**
 * The products of the public API, with the entry of `libs/contracts` that has their wire formats. The reviewer has
 * another listener, which admits no launch keys.
 */
const PRODUCTS: Readonly<Record<string, Family & { readonly entry: string }>> = {
  'multi-role': { ...MULTI_ROLE, entry: 'multi-role' },
  'custom-launch': { ...CUSTOM_LAUNCH, entry: 'custom-launch' },
  plans: { ...PLAN, entry: 'plans' },
  'module-submissions': { ...SHARED, entry: 'modules' },
  index: { ...SHARED, entry: 'index' },
  reports: { ...SHARED, entry: 'reports' },
  discovery: { ...SHARED, entry: 'reports' },
};

/** The folder of each file inside its product: requests and answers, rules, rows. */
const PLACES = [
  ['repository', 'data'],
  ['service', 'domain'],
  ['controller', 'http'],
  ['integration.spec', 'http'],
] as const;

/** Modules that provide `OwnedLaunchesService`. */
const OWNED_LAUNCHES = /\b(?:Reservations|CustomLaunchRequests)Module\b/;

/**
 * Adds a protected route with the anatomy of the house: wire format, controller, service, repository, test, and their
 * registration with the product's module. The route returns how many rows of a model one's own launch has; its author
 * replaces that answer.
 * @throws Error for a product without launch keys.
 */
export default async function gatewayRoute(
  tree: WorkspaceTree,
  { name, product, path, model }: GatewayRouteOptions,
): Promise<void> {
  const words = PRODUCTS[product];
  if (words === undefined) throw new Error(`${product} is none of: ${Object.keys(PRODUCTS).join(', ')}`);
  const [Name, variable] = [pascalCase(name), camelCase(name)];
  const folder = `apps/api-gateway/src/products/${product}`;
  const filled = (role: string): string =>
    fillTemplate(`gateway-route/${role}`, { ...words, Name, name, variable, path, model });

  await addSource(tree, `libs/contracts/src/${words.entry}/${name}.schema.ts`, filled('schema'));
  const index = `libs/contracts/src/${words.entry}/index.ts`;
  tree.write(index, `${textOf(tree, index).trimEnd()}\nexport * from './${name}.schema.js';\n`);

  for (const [role, place] of PLACES) await addSource(tree, `${folder}/${place}/${name}.${role}.ts`, filled(role));

  const module = `${folder}/${product}.module.ts`;
  const isProvided = OWNED_LAUNCHES.test(textOf(tree, module));
  const imports = [
    ...(isProvided ? [] : ["import { ReservationsModule } from '../../core/launches/reservations.module.js';"]),
    `import { ${Name}Repository } from './data/${name}.repository.js';`,
    `import { ${Name}Service } from './domain/${name}.service.js';`,
    `import { ${Name}Controller } from './http/${name}.controller.js';`,
  ];
  await editSource(tree, module, '\n@Module(', `${imports.join('\n')}\n\n@Module(`);
  if (!isProvided) await editSource(tree, module, 'imports: [', 'imports: [ReservationsModule, ');
  await editSource(tree, module, 'controllers: [', `controllers: [${Name}Controller, `);
  await editSource(tree, module, 'providers: [', `providers: [${Name}Repository, ${Name}Service, `);
}
