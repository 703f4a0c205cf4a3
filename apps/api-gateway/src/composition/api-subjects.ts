import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { ApiSubject } from '../platform/openapi/api-subject.js';

/** The API of the public listener. */
export const PUBLIC_API: ApiSubject = {
  title: 'Custom Launch API',
  description:
    'Create launches on chain 4663 and follow them to an Ethereum-finalized public record: multi-role launches, custom launches, and plans of several wallet steps. The service signs a permit, never the transaction of the controller. Authors submit modules and read their reviews. Anyone can read the index of launches and coins of every source on chains 4663 and 1. Every GET route also accepts HEAD. Every response has RateLimit headers and X-Request-Id. With `Accept: application/problem+json`, errors are problem details.',
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
    description: 'A guide from a new API key to a finalized record, with every command.',
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
