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
  summary: 'List finalized Custom launches on Ethereum, in the order of publication',
  description:
    'Returns the launches that an Ethereum router stamped as kind 1, as the index found them. The list is append-only. The service does not verify the sources of these launches, so they have no verification label. `quality.status` is `ready` while the index is current and every launch is published; a deployment that reads no index reports `INDEX_UNREAD`.',
  defaultLimit: LIMITS.customLaunchFinalizedListDefault,
  hasTag: true,
  answer: { schema: ethereumFinalizedListSchema, example: ETHEREUM_FEED_EXAMPLE },
});

export const EthereumEvidenceController = feedEvidenceController({
  route: Route,
  family: EthereumFeedService,
  feed: ETHEREUM_FEED_PATH,
  launch: 'onchainLaunchId',
  id: 'getFinalizedEthereumLaunchEvidence',
  summary: 'Retrieve the evidence for the stamp of a launch on Ethereum',
  description:
    'Returns the source, every log, and every read at the block of the launch with its result. The URL contains the digest of the bundle, so the bytes never change. The same verification always produces the same bytes.',
  answer: { description: 'The evidence.', schema: indexEvidenceSchema },
});
