import { Inject, Injectable } from '@nestjs/common';
import {
  CUSTOM_LAUNCHES_PATH,
  type CustomLaunchList,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import type { ListQuery } from '@launch/http';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { OwnedLaunchesService } from '../../../core/launches/owned-launches.service.js';
import type { OwnerView } from '../../../core/launches/owner-view.js';
import { CLOCK, SITE_URL, type Clock } from '../../../platform/tokens.js';
import { customLaunchListItem, customLaunchResource } from './custom-launch.resource.js';
import { decodeCustomLaunch } from '../data/custom-launch.row.js';

const FAMILY = 'custom-launch.v4';
const LIST_ROUTE = `GET ${CUSTOM_LAUNCHES_PATH}`;

/** Reads custom launches by owner. */
@Injectable()
export class ReadCustomLaunchService {
  constructor(
    private readonly owned: OwnedLaunchesService,
    @Inject(SITE_URL) private readonly siteUrl: string | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws ApiError `NOT_FOUND` for absent, foreign and malformed ids. */
  async read(caller: Caller, id: string): Promise<CustomLaunchResource> {
    return customLaunchResource(decodeCustomLaunch(await this.owned.find(FAMILY, caller, id)), this.view(caller));
  }

  /** Lists launches, the newest first. @throws ApiError `CURSOR_INVALID` */
  async list(caller: Caller, query: ListQuery): Promise<CustomLaunchList> {
    const { rows, nextCursor } = await this.owned.page(FAMILY, LIST_ROUTE, caller, query);
    const view = this.view(caller);
    return {
      schemaVersion: 'service.custom-launch-list.v4',
      items: rows.map((row) => customLaunchListItem(decodeCustomLaunch(row), view)),
      nextCursor,
    };
  }

  private view(caller: Caller): OwnerView {
    return { caller, nowMs: this.clock.now(), siteUrl: this.siteUrl };
  }
}
