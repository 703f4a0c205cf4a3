import { ETHEREUM_FEED_PATH, ethereumFinalizedListSchema, indexEvidenceSchema } from '@launch/contracts/index';
import { LIMITS } from '@launch/contracts/primitives';
import { Route } from '../../../core/routes/api.route.js';
import { feedEvidenceController, feedListController } from '../../../core/feeds/feed.controllers.js';
import { ETHEREUM_FEED_EXAMPLE } from './ethereum-feed.example.js';
import { EthereumFeedService } from '../domain/ethereum-feed.service.js';

export const EthereumFeedController = feedListController({
  route: Route,
  family: EthereumFeedService,
  path: ETHEREUM_FEED_PATH,
  id: 'listFinalizedEthereumLaunches',
  summary: 'Finalized Custom launches on Ethereum in the order of their publication',
  description:
    'Append-only: launches that a router of Ethereum stamped as kind 1, from the index. Their sources are not verified here, so no label follows. `quality.status` is `ready` while every launch of a current index is published; a deployment that reads no index says `INDEX_UNREAD`.',
  defaultLimit: LIMITS.customFinalizedListDefault,
  hasTag: true,
  answer: { schema: ethereumFinalizedListSchema, example: ETHEREUM_FEED_EXAMPLE },
});

export const EthereumEvidenceController = feedEvidenceController({
  route: Route,
  family: EthereumFeedService,
  feed: ETHEREUM_FEED_PATH,
  launch: 'onchainLaunchId',
  id: 'getFinalizedEthereumLaunchEvidence',
  summary: 'What the stamp of a launch on Ethereum was verified by',
  description:
    'The source, every log and every read at the launch’s block with its answer; bound to its digest, the same bytes for ever. Whoever verifies the launch alike writes them alike.',
  answer: { description: 'The evidence.', schema: indexEvidenceSchema },
});
