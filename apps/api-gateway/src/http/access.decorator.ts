import { accessDecorator } from '@launch/http';
import type { Scope } from '../accounts/credentials/caller.js';
import type { QuotaName } from '../rate-limits/gateway-quotas.js';

/** Declares a route's guard. */
export const Access = accessDecorator<Scope, QuotaName>();
