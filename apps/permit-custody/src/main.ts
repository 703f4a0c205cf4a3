import { openBlobReader } from '@launch/blob-store';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { mayRewriteDecisions, openCustodyDatabase } from '@launch/prisma-custody';
import { countTrouble, runWorker } from '@launch/worker';
import { createBytesReader } from './bytes.reader.js';
import { loadCustodyConfig } from './config.js';
import { createCustodyOperations } from './custody.operations.js';
import { createDecisionRepository } from './decision/decision.repository.js';
import { createRefuseLaunch } from './decision/refuse-launch.service.js';
import { custodyMetrics } from './metrics.js';
import { permitFamilies } from './permit/permit-families.js';
import { createSignPermit } from './permit/sign-permit.service.js';
import { pinContexts, pinCustomLaunchContexts, type PinnedContexts } from './pinned-contexts.js';
import { createAdmissionVerifier } from './receipt/admission.verifier.js';
import { openPermitSigner } from './signer/open-permit-signer.js';

const SERVICE = 'permit-custody';

await runWorker({
  service: SERVICE,
  taskQueue: TASK_QUEUES.custody,
  loadConfig: loadCustodyConfig,
  async compose({ config, logger, metrics, pool }) {
    const signer = await openPermitSigner(config);
    const pinned = pinContexts(config.LAUNCH_CONTEXT_FILE, config.PREVIOUS_CONTEXTS_DIR, signer.address);

    const custom =
      config.CUSTOM_LAUNCH_CONTEXT_FILE === undefined
        ? null
        : pinCustomLaunchContexts(
            config.CUSTOM_LAUNCH_CONTEXT_FILE,
            config.PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR,
            signer.address,
          );

    const requireInsertOnly = async (): Promise<void> => {
      if (await mayRewriteDecisions(pool))
        throw new Error('the database role may rewrite decisions; custody needs one that can only insert and read');
    };
    await requireInsertOnly();
    const decisions = createDecisionRepository(openCustodyDatabase(pool));

    const calls = custodyMetrics(metrics, signer.address);
    const shared = {
      read: createBytesReader(openBlobReader(config.BLOB_STORE)),
      decisions,
      families: permitFamilies(pinned, custom),
      admission: createAdmissionVerifier(config.ADMISSION_PUBLIC_KEY_FILE),
    };
    const operations = createCustodyOperations({
      callers: config.TEMPORAL_LAUNCHES_NAMESPACE,
      signPermit: createSignPermit({ ...shared, signer, now: () => new Date() }),
      refuseLaunch: createRefuseLaunch(shared),
      onOutcome: (operation, outcome) => calls.called(operation, outcome),
      onTrouble: countTrouble(metrics),
      onFault: (fault) => logger.warn(fault, 'custody gave no answer'),
    });

    const signsFor = ({ currentHash, acceptedHashes, router: { router } }: PinnedContexts) => {
      const [, ...previous] = acceptedHashes;
      return { contextHash: currentHash, previous, router };
    };
    logger.info({ authority: signer.address, ...signsFor(pinned) }, 'signing for one router');
    if (custom !== null)
      logger.info(
        { authority: signer.address, ...signsFor(custom) },
        'signing custom launches and plans for one router',
      );
    return {
      operations,
      maxConcurrentActivities: 4,
      checks: { database: requireInsertOnly, signer: () => signer.check() },
    };
  },
});
