import { INVENTORY_TEMPLATE_SET } from './inventory.template-set.js';
import type { TemplateSet } from './template-set.types.js';

/**
 * `native20-seed@1`: initializer, token and native-fee hook of the inventory set, with router V1 as the router that
 * they name. The code and its hashes are the same, but the router that it binds differs, so the recipe differs too.
 * Contexts of custom launches and plans publish this recipe only.
 */
export const NATIVE20_SEED_TEMPLATE_SET: TemplateSet = {
  ...INVENTORY_TEMPLATE_SET,
  recipe: { id: 'native20-seed', version: '1' },
};

/** The one pool of the recipe: no LP fee, this spacing, started at the initializer's upper tick with tokens only. */
export const NATIVE20_SEED_POOL = Object.freeze({ fee: 0, tickSpacing: 60 });
