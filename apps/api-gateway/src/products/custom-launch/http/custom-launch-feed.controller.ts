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
  summary: 'List finalized custom launches and plans, in the order of publication',
  description:
    'The list is append-only. `quality.status` is `ready` while every finalized launch is published. A record that fails verification is withheld and counted. Reject every page until the record is resolved.',
  defaultLimit: LIMITS.customLaunchFinalizedListDefault,
  hasTag: true,
  answer: { schema: customLaunchFinalizedListSchema, example: CUSTOM_FEED_EXAMPLE },
});

export const CustomLaunchEvidenceController = feedEvidenceController({
  route: Route,
  family: CustomLaunchFeedService,
  feed: CUSTOM_LAUNCH_FEED_PATH,
  launch: 'launchId',
  id: 'getFinalizedCustomLaunchEvidence',
  summary: 'Retrieve the finality evidence of a published launch',
  description:
    'Returns the evidence of a custom launch, or of the step that registered a plan: the responses of both observers of both chains, and the proofs that can be verified without an observer. The URL contains the digest of the bundle, so the bytes never change. The bundle names the observers but not their addresses.',
  answer: { description: 'The evidence bundle.', schema: publicEvidenceSchema },
});
