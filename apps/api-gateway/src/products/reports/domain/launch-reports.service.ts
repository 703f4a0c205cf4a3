import { Inject, Injectable } from '@nestjs/common';
import { canonicalJsonText } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { StateReport } from '@launch/contracts/reports';
import type { RouteDefinition } from '@launch/http';
import { OpenApiDocument } from '../../../platform/openapi/openapi.document.js';
import { LaunchGatesService, type GatesReading } from '../../../core/gates/launch-gates.service.js';
import { LAUNCH_CHAIN, type LaunchChain } from '../../../core/chain/launch-chain.js';
import { InitialBuyQuoteService } from '../../../core/initial-buy-quote/initial-buy-quote.service.js';
import { REPORT_MAKERS } from './launch-reports.js';
import type { ReportState } from './report-state.js';

export interface WrittenReport {
  readonly bytes: Uint8Array;
  readonly contentSha256: Sha256Digest;
}

/** Serves the public reports of custom launches as canonical JSON. */
@Injectable()
export class LaunchReportsService {
  private readonly written = new Map<StateReport, WrittenReport & { readonly of: Omit<ReportState, 'serves'> }>();

  constructor(
    @Inject(LaunchGatesService) private readonly gates: Pick<LaunchGatesService, 'read'>,
    @Inject(OpenApiDocument) private readonly openapi: {
      readonly routes: readonly Pick<RouteDefinition, 'method' | 'path'>[];
    },
    @Inject(InitialBuyQuoteService) private readonly quotes: Pick<InitialBuyQuoteService, 'usable'>,
    @Inject(LAUNCH_CHAIN) private readonly chain: Pick<LaunchChain, 'checkpoint'>,
  ) {}

  /** Returns the current report. It is rewritten only after a new reading of the gates or the chain. */
  async read(report: StateReport): Promise<WrittenReport> {
    return report === 'readiness' ? this.readReadiness() : this.of(report, await this.gates.read());
  }

  private async readReadiness(): Promise<WrittenReport> {
    const [reading, checkpoint, quote] = await Promise.all([
      this.gates.read(),
      this.chain.checkpoint(),
      this.quotes.usable(),
    ]);
    return this.of('readiness', reading, checkpoint, quote !== null);
  }

  private of(
    report: StateReport,
    reading: GatesReading,
    checkpoint: ReportState['checkpoint'] = null,
    hasPrice = false,
  ): WrittenReport {
    const before = this.written.get(report);
    if (before?.of.reading === reading && before.of.checkpoint === checkpoint && before.of.hasPrice === hasPrice)
      return before;
    const of = { reading, checkpoint, hasPrice };
    const bytes = Buffer.from(canonicalJsonText(REPORT_MAKERS[report]({ ...of, serves: this.serves })));
    const written = { of, bytes, contentSha256: sha256Digest(bytes) };
    this.written.set(report, written);
    return written;
  }

  private readonly serves: ReportState['serves'] = (method, path) =>
    this.openapi.routes.some((route) => route.path === path && route.method === method.toLowerCase());
}
