import type { JudgedRequest } from '@launch/contracts/launch';
import { canonicalKeccak, type Hex } from '@launch/contracts/primitives';
import type { TemplateSet } from './template-set.types.js';

/** Returns the keccak-256 of a template set's canonical JSON, which a context publishes as `templateSetHash`. */
export const templateSetHash = (set: TemplateSet): Hex => canonicalKeccak(set);

const hashes = new WeakMap<TemplateSet, string>();

function hashOf(set: TemplateSet): string {
  const hash = hashes.get(set) ?? templateSetHash(set);
  hashes.set(set, hash);
  return hash;
}

/** Reports whether the request's own context offers this recipe with exactly these templates. */
export const isPublished = ({ context }: JudgedRequest, set: TemplateSet): boolean =>
  context.profile.recipes.some(
    (recipe) =>
      recipe.id === set.recipe.id && recipe.version === set.recipe.version && recipe.templateSetHash === hashOf(set),
  );
