import { Inject, Injectable } from '@nestjs/common';
import type { LaunchFamily } from '@launch/contracts/states';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import type { Caller } from '../accounts/credentials/caller.js';
import { LaunchRepository } from './launch.repository.js';
import { launchIdFrom } from './path-ids.js';
import type { StoredLaunch } from './stored-launch.js';

/** A page of an owner's launches. */
export interface OwnedPage {
  readonly rows: readonly StoredLaunch[];
  readonly nextCursor: string | null;
}

/** Reads launches of one family by owner: a launch is visible only to keys of its lineage and wallet, and to the wallet itself. */
@Injectable()
export class OwnedLaunchesService {
  constructor(
    @Inject(LaunchRepository) private readonly launches: Pick<LaunchRepository, 'findOwned' | 'listOwned'>,
    private readonly cursors: CursorCodec,
  ) {}

  /** @throws ApiError `NOT_FOUND` for absent, foreign and malformed ids, and for ids of another family. */
  async find(family: LaunchFamily, caller: Caller, id: string): Promise<StoredLaunch> {
    const launch = await this.launches.findOwned(family, launchIdFrom(id), caller);
    if (launch === null) throw new ApiError('NOT_FOUND');
    return launch;
  }

  /**
   * Returns a page of launches, the newest first.
   * @param route the route that the cursors belong to.
   * @throws ApiError `CURSOR_INVALID`
   */
  async page(family: LaunchFamily, route: string, caller: Caller, query: ListQuery): Promise<OwnedPage> {
    const scope: CursorScope = { route, reader: `${caller.lineageId} ${caller.controllers.join(' ')}` };
    const after = query.cursor === undefined ? null : positionFrom(this.cursors.decode(scope, query.cursor));
    const found = await this.launches.listOwned(family, caller, query.limit, after);
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const isLast = found.length <= query.limit || last === undefined;
    return {
      rows,
      nextCursor: isLast ? null : this.cursors.encode(scope, [last.createdAt.toISOString(), last.launchId]),
    };
  }
}

function positionFrom(sortKey: readonly string[]): { readonly createdAt: Date; readonly launchId: string } {
  const [createdAt, launchId] = sortKey;
  if (createdAt === undefined || launchId === undefined) throw new ApiError('CURSOR_INVALID');
  return { createdAt: new Date(createdAt), launchId };
}
