import { z } from 'zod';
import type { EthereumFeedActivities } from '../orchestration/ethereum-feed.types.js';
import { inputsOf } from './activity-inputs.js';

/** Argument schemas of the activities of `launch-gateway` that publish launches of Ethereum. */
export const ethereumFeedInputs = inputsOf<EthereumFeedActivities>()({ publishEthereumLaunches: z.tuple([]) });
