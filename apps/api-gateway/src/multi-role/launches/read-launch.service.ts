import { Inject, Injectable } from '@nestjs/common';
import { MULTI_ROLE_BASE_PATH, type LaunchList, type LaunchResource } from '@launch/contracts';
import type { Caller } from '../../accounts/credentials/caller.js';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import { launchIdFrom } from './path-ids.js';
import { CLOCK, type Clock } from '../../tokens.js';
import { LaunchRepository } from '../../launches/launch.repository.js';
import { launchResource } from './launch.resource.js';
import { decodeLaunch, type LaunchRow } from './launch.row.js';

const FAMILY = 'multi-role.v2';

/** Owner-scoped reads: a launch is there for its lineage and wallet, and for nobody else. */
@Injectable()
export class ReadLaunchService {
  constructor(
    private readonly launches: LaunchRepository,
    private readonly cursors: CursorCodec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `NOT_FOUND` for absent, foreign and malformed ids alike. */
  async find(caller: Caller, id: string): Promise<LaunchRow> {
    const launch = await this.launches.findOwned(FAMILY, launchIdFrom(id), caller);
    if (launch === null) throw new ApiError('NOT_FOUND');
    return decodeLaunch(launch);
  }

  async read(caller: Caller, id: string): Promise<LaunchResource> {
    return launchResource(await this.find(caller, id), caller, this.clock.now());
  }

  /** Newest first. @throws ApiError `CURSOR_INVALID` */
  async list(caller: Caller, query: ListQuery): Promise<LaunchList> {
    const scope: CursorScope = {
      route: `GET ${MULTI_ROLE_BASE_PATH}`,
      reader: `${caller.lineageId} ${caller.controllers.join(' ')}`,
    };
    const rows = await this.launches.listOwned(
      FAMILY,
      caller,
      query.limit,
      query.cursor === undefined ? null : positionFrom(this.cursors.decode(scope, query.cursor)),
    );
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const now = this.clock.now();
    return {
      schemaVersion: 'service.multi-role-launch-list.v2',
      items: page.map((row) => launchResource(decodeLaunch(row), caller, now)),
      nextCursor:
        rows.length > query.limit && last !== undefined
          ? this.cursors.encode(scope, [last.createdAt.toISOString(), last.launchId])
          : null,
    };
  }
}

function positionFrom(sortKey: readonly string[]): { readonly createdAt: Date; readonly launchId: string } {
  const [createdAt, launchId] = sortKey;
  if (createdAt === undefined || launchId === undefined) throw new ApiError('CURSOR_INVALID');
  return { createdAt: new Date(createdAt), launchId };
}
