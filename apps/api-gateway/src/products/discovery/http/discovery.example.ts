import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { discoveryDocument } from '../domain/discovery-document.js';

/** The document of a deployment that accepts custom launches. */
export const DISCOVERY_EXAMPLE = discoveryDocument(
  {
    reading: {
      gates: { publicAuthorization: true, publicWrites: true, releaseReady: true },
      release: RELEASE_EXAMPLE,
      reasonCodes: [],
    },
    multiRole: { contextHash: `0x${'5'.repeat(64)}`, readiness: 'ready' },
    openApiSha256: `sha256:${'6'.repeat(64)}`,
    deploymentRevision: `sha256:${'7'.repeat(64)}`,
    launchCli: { program: `sha256:${'8'.repeat(64)}`, manifest: `sha256:${'9'.repeat(64)}` },
    indexReader: `sha256:${'a'.repeat(64)}`,
    documentation: `sha256:${'b'.repeat(64)}`,
    serves: () => true,
  },
  '2026-11-20T12:00:00.000Z',
);
