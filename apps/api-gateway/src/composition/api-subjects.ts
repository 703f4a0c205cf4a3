import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { ApiSubject } from '../platform/openapi/api-subject.js';

/** The API of the public listener. */
export const PUBLIC_API: ApiSubject = {
  title: 'Custom Launch API',
  description:
    "From a packed launch request to an Ethereum-finalized public record on chain 4663: multi-role launches, custom launches, and plans of several wallet steps. The service signs a permit, never the controller's transaction. Authors submit modules and read their reviews; anyone can read the index of launches of every source on chains 4663 and 1, and of their coins. HEAD mirrors GET; every response has RateLimit headers and X-Request-Id; `Accept: application/problem+json` turns errors into problem details.",
  sections: [
    'Discovery',
    'Launches',
    'Public feed',
    'Downloads',
    'Keys',
    'Operations',
    'Custom launches',
    'Plans',
    'Modules',
    'Coins',
  ],
  guide: {
    description: 'The guide: from a key to a finalized record, with every command.',
    url: `${MULTI_ROLE_BASE_PATH}/guide.md`,
  },
};

/** The API of the reviewers' listener. */
export const REVIEWER_API: ApiSubject = {
  title: 'Module Review API',
  description:
    'What reviewers of modules read and change, on a listener of their own: the queue, submissions with their files, findings and differences, build plans, and signed decisions. Keys have the scope `modules:review`.',
  sections: ['Reviews', 'Console', 'Operations'],
  guide: null,
};
