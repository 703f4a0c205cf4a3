import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '@launch/contracts/orchestration';

/** Typed keys of what an operator filters by in the Temporal UI. */
export const searchAttributeKeys = {
  launchId: defineSearchAttributeKey(SEARCH_ATTRIBUTES.launchId, 'KEYWORD'),
  controller: defineSearchAttributeKey(SEARCH_ATTRIBUTES.controller, 'KEYWORD'),
  stage: defineSearchAttributeKey(SEARCH_ATTRIBUTES.stage, 'KEYWORD'),
};

/** What to start a launch's workflow with. */
export function launchSearchAttributes(values: { launchId: string; controller: string; stage: string }): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: searchAttributeKeys.launchId, value: values.launchId },
    { key: searchAttributeKeys.controller, value: values.controller },
    { key: searchAttributeKeys.stage, value: values.stage },
  ]);
}

const KEYWORD = 2;

/** Makes the attributes known to a namespace of a server that does not have them yet; safe to repeat. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter((name) => known.customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])) });
}
