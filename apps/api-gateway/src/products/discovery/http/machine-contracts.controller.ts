import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  MACHINE_CONTRACT_PATH,
  MACHINE_CONTRACT_VERSIONS,
  MACHINE_CONTRACTS_PATH,
} from '@launch/contracts/custom-launch';
import { ApiError, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../../../core/gates/custom-launch-release.js';
import { Route } from '../../../core/routes/api.route.js';
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
    send(reply, this.contracts, (version) => `${version}.0` === profile);
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
    send(reply, this.contracts, (version) => asked === `${version}.json` || asked === version);
  }
}

function send(reply: FastifyReply, contracts: MachineContracts, isMeant: (version: string) => boolean): void {
  const version = MACHINE_CONTRACT_VERSIONS.find(isMeant);
  if (version === undefined) throw new ApiError('NOT_FOUND');
  const { bytes, contentSha256 }: MachineContract = contracts[version];
  sendCacheable(reply, {
    etag: contentSha256,
    cacheControl: 'public, no-cache, no-transform',
    body: bytes,
  });
}
