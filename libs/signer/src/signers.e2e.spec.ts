import { describe } from '@jest/globals';
import { describeSigner, PERMITS } from './fixtures/signer-contract.fixture.js';
import { SIGNERS } from './fixtures/signers.fixture.js';
import { hasSoftHsm, SOFT_HSM } from './fixtures/softhsm.fixture.js';

for (const signer of SIGNERS) describeSigner(signer, PERMITS.full);

const describeWithSoftHsm = hasSoftHsm ? describe : describe.skip;
describeWithSoftHsm('With SoftHSM (skipped only without the packages softhsm2 and opensc)', () => {
  describeSigner(SOFT_HSM, PERMITS.full);
});
