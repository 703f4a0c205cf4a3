import { Inject, Injectable } from '@nestjs/common';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { RouteDefinition } from '@launch/http';
import { LaunchGatesService, type GatesReading } from '../../../core/gates/launch-gates.service.js';
import { ContextService, type ContextReadiness } from '../../../core/context/context.service.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import {
  INDEX_READER_FILES,
  LAUNCH_CLI_FILES,
  PUBLISHED_FILES,
  type PublishedFiles,
} from '../../../core/downloads/published-files.js';
import { OpenApiDocument } from '../../../platform/openapi/openapi.document.js';
import { apiCatalog, discoveryDocument, TTL_SECONDS, type DiscoveryState } from './discovery-document.js';
import { documentationIndex } from './documentation-index.js';

export interface WrittenDocument {
  readonly bytes: Uint8Array;
  readonly contentSha256: Sha256Digest;
}

interface Issue extends WrittenDocument {
  readonly of: { readonly reading: GatesReading; readonly readiness: ContextReadiness };
  readonly contents: Sha256Digest;
  readonly issuedAt: number;
}

/** Writes the discovery document and the catalogue as canonical JSON. */
@Injectable()
export class DiscoveryService {
  private issue: Issue | undefined;
  private revision: Sha256Digest | undefined;
  private documentation: Sha256Digest | undefined;

  constructor(
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'read'>,
    @Inject(ContextService) private readonly contexts: Pick<ContextService, 'describe' | 'current'>,
    @Inject(OpenApiDocument) private readonly openapi: Pick<OpenApiDocument, 'contentSha256'> & {
      readonly routes: readonly Pick<RouteDefinition, 'path'>[];
    },
    @Inject(PUBLISHED_FILES) private readonly files: PublishedFiles,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the current document. It is reissued when its content changes, and before the TTL of readers ends. */
  async document(): Promise<WrittenDocument> {
    const reading = await this.gates.read();
    const readiness = this.contexts.describe();
    const now = this.clock.now();
    const last = this.issue;
    const isFresh = last !== undefined && now >= last.issuedAt && now - last.issuedAt < (TTL_SECONDS / 2) * 1_000;
    if (isFresh && last.of.reading === reading && last.of.readiness === readiness) return last;
    const state = this.stateOf(reading, readiness);
    const contents = sha256Digest(canonicalizeJson(discoveryDocument(state, '')));
    const of = { reading, readiness };
    this.issue =
      isFresh && last.contents === contents ? { ...last, of } : issueOf(state, { of, contents, issuedAt: now });
    return this.issue;
  }

  /** Returns the catalogue, which is constant while the process runs. */
  catalog(): WrittenDocument {
    const bytes = canonicalizeJson(apiCatalog(this.serves, documentationIndex(this.files)));
    return { bytes, contentSha256: sha256Digest(bytes) };
  }

  private stateOf(reading: GatesReading, { status }: ContextReadiness): DiscoveryState {
    const { current } = this.contexts;
    const contextHash = current?.commitments.contextHash ?? null;
    this.revision ??= sha256Digest(
      canonicalizeJson({
        openapi: this.openapi.contentSha256,
        contexts: [contextHash, reading.release.bound?.contextHash ?? null],
        files: [...this.files.values()].map(({ name, contentSha256 }) => [name, contentSha256]),
      }),
    );
    return {
      reading,
      multiRole: { contextHash, readiness: status },
      openApiSha256: this.openapi.contentSha256,
      deploymentRevision: this.revision,
      launchCli: this.launchCli(),
      indexReader: this.files.get(INDEX_READER_FILES[0].name)?.contentSha256 ?? null,
      documentation: (this.documentation ??= sha256Digest(canonicalizeJson(documentationIndex(this.files)))),
      serves: this.serves,
    };
  }

  private launchCli(): DiscoveryState['launchCli'] {
    const [program, manifest] = LAUNCH_CLI_FILES.map(({ name }) => this.files.get(name)?.contentSha256);
    return program === undefined || manifest === undefined ? null : { program, manifest };
  }

  private readonly serves = (path: string): boolean => this.openapi.routes.some((route) => route.path === path);
}

function issueOf(state: DiscoveryState, at: Omit<Issue, keyof WrittenDocument>): Issue {
  const bytes = canonicalizeJson(discoveryDocument(state, new Date(at.issuedAt).toISOString()));
  return { ...at, bytes, contentSha256: sha256Digest(bytes) };
}
