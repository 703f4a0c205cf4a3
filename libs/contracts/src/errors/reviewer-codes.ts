import { MODULE_CODES, type ModuleCode } from './modules.catalogue.js';
import { REVIEWER_CATALOGUE, type ReviewerOwnCode } from './reviewer.catalogue.js';

/** Every code that a reviewer route can return. */
export type ReviewerCode = ModuleCode | ReviewerOwnCode;
export const REVIEWER_CODES = [...MODULE_CODES, ...(Object.keys(REVIEWER_CATALOGUE) as ReviewerOwnCode[])] as [
  ReviewerCode,
  ...ReviewerCode[],
];
