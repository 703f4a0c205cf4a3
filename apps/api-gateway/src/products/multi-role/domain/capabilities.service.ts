import { Inject, Injectable } from '@nestjs/common';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  type Capabilities,
  capabilitiesSchema,
  MULTI_ROLE_ROUTE_ID,
  ROUTER_PROTOCOL,
} from '@launch/contracts/multi-role';
import { documentationOf } from './documentation.js';
import { PUBLISHED_FILES, type PublishedFiles } from '../../../core/downloads/published-files.js';
import { OpenApiDocument } from '../../../platform/openapi/openapi.document.js';
import type { GatewayLimits } from '../../../platform/configuration/limits.js';
import { LIMITS_CONFIG } from '../../../platform/tokens.js';
import { ContextService, type ContextReadiness } from '../../../core/context/context.service.js';

/** Serves `GET /capabilities` (docs/reference/multi-role.md#capabilities). */
@Injectable()
export class CapabilitiesService {
  private written: { readonly after: ContextReadiness; readonly bytes: Uint8Array } | undefined;

  constructor(
    private readonly contexts: ContextService,
    @Inject(OpenApiDocument) private readonly openapi: Pick<OpenApiDocument, 'routes' | 'contentSha256'>,
    @Inject(PUBLISHED_FILES) private readonly files: PublishedFiles,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
  ) {}

  /**
   * The document as canonical JSON. Only a reading of the chain changes it, so it is serialized once for each reading.
   */
  bytes(): Uint8Array {
    const readiness = this.contexts.describe();
    if (this.written?.after !== readiness)
      this.written = { after: readiness, bytes: canonicalizeJson(this.describe(readiness)) };
    return this.written.bytes;
  }

  private describe(readiness: ContextReadiness): Capabilities {
    const { current } = this.contexts;
    return {
      schemaVersion: 'service.multi-role-launch-capabilities.v2',
      routeId: MULTI_ROLE_ROUTE_ID,
      routerProtocol: ROUTER_PROTOCOL,
      context: current?.document ?? null,
      contextCommitments: current?.commitments ?? null,
      routes: discovered(this.openapi.routes),
      readiness: { status: readiness.status, reasonCodes: [...readiness.reasonCodes], checkedAt: readiness.checkedAt },
      documentation: {
        ...documentationOf(this.files),
        openapi: { path: '/openapi.json', mediaType: 'application/json', contentSha256: this.openapi.contentSha256 },
      },
      limits: { compileBudgetSeconds: this.limits.compileBudgetSeconds },
      runtimeInstructionPolicy: current?.document.profile.instructionPolicy ?? null,
    };
  }
}

/** Collects the routes that declare their place in this document. @throws ZodError while one is missing. */
const discovered = (routes: OpenApiDocument['routes']): Capabilities['routes'] =>
  capabilitiesSchema.shape.routes.parse(
    Object.fromEntries(routes.flatMap(({ discovery, path }) => (discovery === undefined ? [] : [[discovery, path]]))),
  );
