import { Inject, Injectable } from '@nestjs/common';
import { CUSTOM_LAUNCHES_PATH, orderFindings, sha256Digest } from '@launch/contracts';
import type { CustomLaunchResource, Sha256Digest } from '@launch/contracts';
import { ApiError } from '@launch/http';
import type { Caller } from '../accounts/credentials/caller.js';
import { LaunchGatesService } from '../launch-gates/launch-gates.service.js';
import { keyConflict } from '../launches/key-conflict.js';
import type { Admitted, LaunchCreation } from '../launches/launch-creation.js';
import type { KeyRecord } from '../launches/launch.repository.js';
import type { StoredLaunch } from '../launches/stored-launch.js';
import { CLOCK, type Clock } from '../tokens.js';
import { CustomRequestJudge, newLaunchOf, nonceFinding, type JudgedCustomRequest } from './custom-request.judge.js';
import { v4LaunchResource, v4StatusUrlOf } from './v4-launch.resource.js';
import { decodeV4Launch, type V4Summary } from './v4-launch.row.js';

type Judged = JudgedCustomRequest<'custom-launch.v4'>;

/** `POST /custom-launches` (spec 1, V4 launch routes). */
@Injectable()
export class V4Creation implements LaunchCreation<Judged, CustomLaunchResource> {
  readonly family = 'custom-launch.v4';
  readonly route = `POST ${CUSTOM_LAUNCHES_PATH}`;

  constructor(
    private readonly gates: LaunchGatesService,
    private readonly requests: CustomRequestJudge,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  open(): Promise<void> {
    return this.gates.ensureOpen();
  }

  judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<Judged> {
    return this.requests.judge(this.family, body, digest, caller);
  }

  admit(judged: Judged): Admitted {
    const [first] = orderFindings(judged.findings);
    if (first !== undefined) throw new ApiError(first.code, { findings: judged.findings, status: 422 });
    if (judged.nonceInUse) throw this.nonceTaken(judged);
    const { image, profile, budgets, components } = judged.form;
    if (image === null) throw new TypeError('an admitted request has an image');
    const summary: V4Summary = { profile, budgets, components: [...components] };
    return { bytes: judged.bytes, image, launch: newLaunchOf(judged, sha256Digest(image), summary) };
  }

  nonceTaken({ form }: Judged): ApiError {
    return new ApiError('NONCE_IN_USE', { findings: [nonceFinding(form)] });
  }

  /** The current resource in every state: a refused request is told by its `action_required` resource. */
  replay({ bodySha256, launch }: KeyRecord, digest: Sha256Digest, caller: Caller): CustomLaunchResource {
    if (bodySha256 !== digest) throw keyConflict(digest, v4StatusUrlOf(launch.launchId));
    return this.resource(launch, caller);
  }

  resource(launch: StoredLaunch, caller: Caller): CustomLaunchResource {
    return v4LaunchResource(decodeV4Launch(launch), caller, this.clock.now());
  }
}
