import type { StateReport } from '@launch/contracts/reports';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { REPORT_MAKERS } from '../domain/launch-reports.js';

/** A report of a deployment that takes launches. */
export const reportExample = (report: StateReport): object =>
  REPORT_MAKERS[report]({
    reading: {
      gates: { publicAuthorization: true, publicWrites: true, releaseReady: true },
      release: RELEASE_EXAMPLE,
      reasonCodes: [],
    },
    checkpoint: { blockNumber: '1024', blockHash: `0x${'4'.repeat(64)}` },
    hasPrice: true,
    serves: () => true,
  });
