import { type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { parseStrictJson } from '@launch/contracts/json';
import { canonicalKeccak, keccak256Hex, type Hex } from '@launch/contracts/primitives';
import type { FiledDocument } from '@launch/platform';

/** The contexts of this deployment's custom launches and plans, by their hash. */
export type CustomLaunchContexts = ReadonlyMap<Hex, CustomLaunchContext>;

/**
 * Reads the contexts of the configuration; the folder of earlier ones also has those of other families.
 * @param current absent in a deployment without custom launches.
 * @throws TypeError for a document that is not a context of these families, or differs from its name.
 */
export function customLaunchContexts(
  current: string | undefined,
  previous: readonly FiledDocument[],
): CustomLaunchContexts {
  const contexts = new Map<Hex, CustomLaunchContext>();
  for (const { contextHash, document } of previous) {
    const bytes = new TextEncoder().encode(document);
    const hash = keccak256Hex(bytes);
    if (hash !== contextHash) throw new TypeError(`the context ${contextHash} is another document than its name says`);
    const context = customLaunchContextSchema.safeParse(parseStrictJson(bytes));
    if (context.success) contexts.set(hash, context.data);
  }
  if (current !== undefined) {
    const context = customLaunchContextSchema.parse(parseStrictJson(new TextEncoder().encode(current)));
    contexts.set(canonicalKeccak(context), context);
  }
  return contexts;
}
