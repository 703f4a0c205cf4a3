import {
  CUSTOM_LAUNCH_FEED_PATH,
  customLaunchEvidenceSchema,
  customLaunchFinalizedListSchema,
} from '@launch/contracts/custom-launch';
import { planStepEvidenceSchema } from '@launch/contracts/plans';
import { LIMITS } from '@launch/contracts/primitives';
import { z } from 'zod';
import { Route } from '../../../core/routes/api.route.js';
import { feedEvidenceController, feedListController } from '../../../core/feeds/feed.controllers.js';
import { CUSTOM_FEED_EXAMPLE } from './custom-launch-feed.example.js';
import { CustomLaunchFeedService } from '../domain/custom-launch-feed.service.js';

/** The evidence of a custom launch, or of the step that registered a plan. */
const publicEvidenceSchema = z
  .discriminatedUnion('schemaVersion', [customLaunchEvidenceSchema, planStepEvidenceSchema])
  .meta({ id: 'PublicLaunchEvidence' });

export const CustomLaunchFeedController = feedListController({
  route: Route,
  family: CustomLaunchFeedService,
  path: CUSTOM_LAUNCH_FEED_PATH,
  id: 'listFinalizedCustomLaunches',
  summary: 'Finalized custom launches and plans in the order of their publication',
  description:
    'Append-only. `quality.status` is `ready` while every finalized launch is published. A record that fails its own verification is held back and counted, and readers reject every page until it is resolved.',
  defaultLimit: LIMITS.customFinalizedListDefault,
  hasTag: true,
  answer: { schema: customLaunchFinalizedListSchema, example: CUSTOM_FEED_EXAMPLE },
});

export const CustomLaunchEvidenceController = feedEvidenceController({
  route: Route,
  family: CustomLaunchFeedService,
  feed: CUSTOM_LAUNCH_FEED_PATH,
  launch: 'launchId',
  id: 'getFinalizedCustomLaunchEvidence',
  summary: 'What the finality of a published launch rests on',
  description:
    'Of a custom launch, or of the step that registered a plan: what both observers of both chains answered, and the proofs that need none of them; bound to its digest, the same bytes for ever. Observers have names in it and no addresses.',
  answer: { description: 'The bundle.', schema: publicEvidenceSchema },
});
