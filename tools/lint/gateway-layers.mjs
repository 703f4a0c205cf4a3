/**
 * The import rules inside the gateway (docs/adr/0103-the-gateway-has-four-layers.md). Folders are listed so that each
 * may import itself and those before it. The illegal examples under `fixtures/` prove that lint bites.
 */
const PLATFORM = ['configuration', 'operations', 'request-forms', 'openapi', 'rate-limits', 'http', 'storage'];
const CORE = [
  'downloads',
  'chain',
  'routes',
  'accounts',
  'idempotency',
  'relay',
  'context',
  'gates',
  'initial-buy-quote',
  'launches',
  'module-submissions',
  'projections',
  'feeds',
];
const PRODUCTS = [
  'multi-role',
  'custom-launch',
  'plans',
  'module-submissions',
  'index',
  'reports',
  'discovery',
  'reviewer',
];
/** Inside a product, `data` imports neither of the others. */
const PARTS = ['data', 'domain', 'http'];

/** Every folder below `apps/api-gateway/src` that holds code; its own folders belong to it. */
export const GATEWAY_FOLDERS = [
  'composition',
  'fixtures',
  ...PLATFORM.map((folder) => `platform/${folder}`),
  ...CORE.map((folder) => `core/${folder}`),
  ...PRODUCTS.flatMap((product) => PARTS.map((part) => `products/${product}/${part}`)),
];

/** A ban of relative imports that climb out of a folder and then enter one of `folders`. */
const ban = (folders, message) =>
  folders.length === 0 ? [] : [{ regex: `^(\\.\\./)+(${folders.join('|')})/`, message }];
const above = (...layers) => ban([...layers, 'composition', 'fixtures'], 'Imports of the gateway go down only.');
const after = (folders, one) =>
  ban(folders.slice(folders.indexOf(one) + 1), `Folders of this layer must not form a cycle: ${folders.join(', ')}.`);
const others = (product) =>
  ban(
    PRODUCTS.filter((one) => one !== product).flatMap((one) => [one, `products/${one}`]),
    'A product never imports another: move what both need down to core.',
  );
const rule = (files, patterns) => ({ files: [`apps/api-gateway/src/${files}`], patterns });

/** Files and the imports that are banned in them. No file is in two of these. */
export const GATEWAY_RULES = [
  rule('platform/*.ts', [...above('core', 'products'), ...ban(PLATFORM, 'Tokens import no folder.')]),
  ...PLATFORM.map((one) => rule(`platform/${one}/**/*.ts`, [...above('core', 'products'), ...after(PLATFORM, one)])),
  ...CORE.map((one) => rule(`core/${one}/**/*.ts`, [...above('products'), ...after(CORE, one)])),
  ...PRODUCTS.flatMap((product) => [
    rule(`products/${product}/*.ts`, [...above(), ...others(product)]),
    ...PARTS.map((part) =>
      rule(`products/${product}/${part}/**/*.ts`, [
        ...above(),
        ...others(product),
        ...ban(PARTS.slice(PARTS.indexOf(part) + 1), 'Inside a product, http imports domain, and domain imports data.'),
      ]),
    ),
  ]),
];
