import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '@launch/contracts/orchestration';

/** Typed keys of what an operator filters by in the Temporal UI. */
const searchAttributeKeys = {
  launchId: defineSearchAttributeKey(SEARCH_ATTRIBUTES.launchId, 'KEYWORD'),
  controller: defineSearchAttributeKey(SEARCH_ATTRIBUTES.controller, 'KEYWORD'),
  stage: defineSearchAttributeKey(SEARCH_ATTRIBUTES.stage, 'KEYWORD'),
};

/** What to start a launch's workflow with. */
export function launchSearchAttributes(values: {
  launchId: string;
  controller: string;
  stage: string;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: searchAttributeKeys.launchId, value: values.launchId },
    { key: searchAttributeKeys.controller, value: values.controller },
    { key: searchAttributeKeys.stage, value: values.stage },
  ]);
}
