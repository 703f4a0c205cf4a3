import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  MACHINE_CONTRACT_DIGESTS_PATH,
  MACHINE_CONTRACT_PATH,
  MACHINE_CONTRACT_VERSIONS,
  MACHINE_CONTRACTS_PATH,
  type MachineContractVersion,
} from '@launch/contracts/custom-launch';
import { ApiError, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../../../core/gates/custom-launch-release.js';
import { Route } from '../../../core/routes/api.route.js';
import { IMMUTABLE } from '../../../platform/http/public-answer.js';
import {
  MACHINE_CONTRACTS,
  type MachineContract,
  type MachineContracts,
} from '../../../core/gates/machine-contracts.js';

/** The common part of these routes. */
const DESCRIPTION = {
  method: 'get',
  tag: 'Discovery',
  scopes: null,
  quota: 'download',
  entityTag: 'SHA-256 digest of the response body.',
  errors: ['NOT_FOUND'],
} as const;

/** The `Cache-Control` of paths whose contract can change. */
const REVALIDATED = 'public, no-cache, no-transform';

@Controller()
export class MachineContractsController {
  constructor(
    @Inject(MACHINE_CONTRACTS) private readonly contracts: MachineContracts,
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly release: CustomLaunchRelease,
  ) {}

  @Route({
    ...DESCRIPTION,
    path: MACHINE_CONTRACT_PATH,
    id: 'getBoundMachineContract',
    summary: 'Retrieve the machine contract of the current profile',
    description:
      'Returns OpenAPI 3.1, byte for byte as it was first published. Returns 404 if the deployment has no context for custom launches.',
    answers: { 200: { description: 'The frozen bytes', mediaTypes: ['application/json'] } },
  })
  bound(@Res() reply: FastifyReply): void {
    const profile = this.release.state().bound?.profile;
    this.send(reply, REVALIDATED, (version) => `${version}.0` === profile);
  }

  @Route({
    ...DESCRIPTION,
    path: `${MACHINE_CONTRACTS_PATH}/{contractVersion}`,
    id: 'getMachineContract',
    summary: 'Retrieve a current or historical machine contract',
    description: 'Accepts a file name (`4.0.json`) or a version (`4.0`). Both return the same bytes.',
    answers: { 200: { description: 'The frozen bytes', mediaTypes: ['application/json'] } },
  })
  historical(@Res() reply: FastifyReply, @Param('contractVersion') asked: string): void {
    this.send(reply, REVALIDATED, (version) => asked === `${version}.json` || asked === version);
  }

  @Route({
    ...DESCRIPTION,
    path: `${MACHINE_CONTRACT_DIGESTS_PATH}/{contractSha256}`,
    id: 'getMachineContractByDigest',
    summary: 'Retrieve a machine contract by its digest',
    description: 'Takes the digest from `openApiSha256` in readiness, discovery or the manifest of the launch CLI.',
    answers: { 200: { description: 'The frozen bytes', mediaTypes: ['application/json'] } },
  })
  byDigest(@Res() reply: FastifyReply, @Param('contractSha256') hex: string): void {
    this.send(reply, IMMUTABLE, (_version, { contentSha256 }) => contentSha256 === `sha256:${hex}`);
  }

  private send(
    reply: FastifyReply,
    cacheControl: string,
    isMeant: (version: MachineContractVersion, contract: MachineContract) => boolean,
  ): void {
    const version = MACHINE_CONTRACT_VERSIONS.find((known) => isMeant(known, this.contracts[known]));
    if (version === undefined) throw new ApiError('NOT_FOUND');
    const { bytes, contentSha256 } = this.contracts[version];
    sendCacheable(reply, { etag: contentSha256, cacheControl, body: bytes });
  }
}
