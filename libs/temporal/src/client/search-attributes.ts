import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '@launch/contracts/orchestration';
import type { LaunchFamily } from '@launch/contracts/states';

/** Typed keys of the attributes that operators filter by in the Temporal UI. */
const searchAttributeKeys = {
  launchId: defineSearchAttributeKey(SEARCH_ATTRIBUTES.launchId, 'KEYWORD'),
  controller: defineSearchAttributeKey(SEARCH_ATTRIBUTES.controller, 'KEYWORD'),
  stage: defineSearchAttributeKey(SEARCH_ATTRIBUTES.stage, 'KEYWORD'),
  family: defineSearchAttributeKey(SEARCH_ATTRIBUTES.family, 'KEYWORD'),
};

/** Returns the search attributes for starting a launch's workflow. Without a family, it is a multi-role launch's. */
export function launchSearchAttributes(values: {
  launchId: string;
  controller: string;
  stage: string;
  family?: LaunchFamily | undefined;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: searchAttributeKeys.launchId, value: values.launchId },
    { key: searchAttributeKeys.controller, value: values.controller },
    { key: searchAttributeKeys.stage, value: values.stage },
    { key: searchAttributeKeys.family, value: values.family ?? 'multi-role.v2' },
  ]);
}
