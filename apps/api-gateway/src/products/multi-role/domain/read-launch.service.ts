import { Inject, Injectable } from '@nestjs/common';
import { type LaunchList, type LaunchResource, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { ListQuery } from '@launch/http';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { OwnedLaunchesService } from '../../../core/launches/owned-launches.service.js';
import type { OwnerView } from '../../../core/launches/owner-view.js';
import { CLOCK, SITE_URL, type Clock } from '../../../platform/tokens.js';
import { launchListItem, launchResource } from './launch.resource.js';
import { decodeLaunch, type LaunchRow } from '../data/launch.row.js';

const FAMILY = 'multi-role.v2';
const LIST_ROUTE = `GET ${MULTI_ROLE_BASE_PATH}`;

/** Serves the owner's reads of multi-role launches. */
@Injectable()
export class ReadLaunchService {
  constructor(
    private readonly owned: OwnedLaunchesService,
    @Inject(SITE_URL) private readonly siteUrl: string | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `NOT_FOUND` for absent, foreign and malformed ids alike. */
  async find(caller: Caller, id: string): Promise<LaunchRow> {
    return decodeLaunch(await this.owned.find(FAMILY, caller, id));
  }

  async read(caller: Caller, id: string): Promise<LaunchResource> {
    return launchResource(await this.find(caller, id), this.view(caller));
  }

  /** Lists launches, newest first. @throws ApiError `CURSOR_INVALID` */
  async list(caller: Caller, query: ListQuery): Promise<LaunchList> {
    const { rows, nextCursor } = await this.owned.page(FAMILY, LIST_ROUTE, caller, query);
    const view = this.view(caller);
    return {
      schemaVersion: 'service.multi-role-launch-list.v2',
      items: rows.map((row) => launchListItem(decodeLaunch(row), view)),
      nextCursor,
    };
  }

  private view(caller: Caller): OwnerView {
    return { caller, nowMs: this.clock.now(), siteUrl: this.siteUrl };
  }
}
