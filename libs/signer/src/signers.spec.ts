import { describeSigner, PERMITS } from './fixtures/signer-contract.fixture.js';
import { SIGNERS } from './fixtures/signers.fixture.js';

for (const signer of SIGNERS) describeSigner(signer, PERMITS.commit);
