import { Inject, Injectable } from '@nestjs/common';
import { CUSTOM_LAUNCHES_PATH, type CustomLaunchResource } from '@launch/contracts/custom-launch';
import { orderFindings } from '@launch/contracts/errors';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { LaunchGatesService } from '../../../core/gates/launch-gates.service.js';
import { keyConflict } from '../../../core/launches/key-conflict.js';
import type { Admitted, LaunchCreation } from '../../../core/launches/launch-creation.js';
import { newLaunchOf } from '../../../core/launches/new-launch.js';
import type { KeyRecord } from '../../../core/launches/launch.repository.js';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { CLOCK, SITE_URL, type Clock } from '../../../platform/tokens.js';
import {
  CustomLaunchJudge,
  nonceTaken,
  type JudgedCustomLaunchRequest,
} from '../../../core/launches/custom-launch/custom-launch.judge.js';
import { customLaunchForm, type CustomLaunchForm } from '../../../core/launches/custom-launch/custom-launch.form.js';
import { customLaunchResource, customLaunchStatusUrlOf } from './custom-launch.resource.js';
import { decodeCustomLaunch, type CustomLaunchSummary } from '../data/custom-launch.row.js';

type Judged = JudgedCustomLaunchRequest<CustomLaunchForm>;

/** Creates custom launches: `POST /custom-launches` (docs/reference/custom-launch.md#preflight-and-create). */
@Injectable()
export class CustomLaunchCreation implements LaunchCreation<Judged, CustomLaunchResource> {
  readonly family = 'custom-launch.v4';
  readonly route = `POST ${CUSTOM_LAUNCHES_PATH}`;
  readonly nonceTaken = nonceTaken;

  constructor(
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'ensureOpen'>,
    private readonly requests: CustomLaunchJudge,
    @Inject(SITE_URL) private readonly siteUrl: string | null,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  open(): Promise<void> {
    return this.gates.ensureOpen();
  }

  judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<Judged> {
    return this.requests.judge(customLaunchForm, body, digest, caller);
  }

  admit(judged: Judged): Admitted {
    const [first] = orderFindings(judged.findings);
    if (first !== undefined) throw new ApiError(first.code, { findings: judged.findings, status: 422 });
    if (judged.nonceInUse) throw nonceTaken(judged);
    const { image, profile, budgets, components } = judged.form;
    if (image === null) throw new TypeError('an admitted request has an image');
    const summary: CustomLaunchSummary = { profile, budgets, components: [...components] };
    return { bytes: judged.bytes, image, launch: newLaunchOf(judged, image, summary) };
  }

  /** Returns the current resource in every state: a refused request is reported by its `action_required` resource. */
  replay({ bodySha256, launch }: KeyRecord, digest: Sha256Digest, caller: Caller): CustomLaunchResource {
    if (bodySha256 !== digest) throw keyConflict(digest, customLaunchStatusUrlOf(launch.launchId));
    return this.resource(launch, caller);
  }

  resource(launch: StoredLaunch, caller: Caller): CustomLaunchResource {
    const { siteUrl } = this;
    return customLaunchResource(decodeCustomLaunch(launch), { caller, nowMs: this.clock.now(), siteUrl });
  }
}
