import { Injectable } from '@nestjs/common';
import { CUSTOM_GRAPH_KIND, CUSTOM_LABEL, type PublishedLaunch } from '@launch/contracts';
import { FeedRepository } from '../feeds/feed.repository.js';

type Labelled = Pick<PublishedLaunch, 'record' | 'finality_stage'>;

const isCandidate = ({ record, finality_stage: stage }: Labelled): boolean =>
  record.chainId === 4663 &&
  record.sourceKind === 'custom-router-v1' &&
  record.launchKind === CUSTOM_GRAPH_KIND &&
  stage === 'ethereum_finalized';

/**
 * `Service Custom`, where everything holds at once (decision 97): the router's stamp and finality by the index, a record
 * in a feed that is ready, and with it the exact source.
 */
@Injectable()
export class CoinLabelService {
  constructor(private readonly feed: FeedRepository) {}

  /** What labels rest on besides the index; another text whenever it changed. */
  async version(): Promise<string> {
    const { source, published, quarantined } = await this.feed.customCounters();
    return `${source}/${published}/${quarantined}`;
  }

  /** The label of each row, in their order. */
  async labelsOf(rows: readonly Labelled[]): Promise<readonly (typeof CUSTOM_LABEL | null)[]> {
    const ids = rows.filter(isCandidate).flatMap(({ record: { launchId } }) => launchId ?? []);
    if (ids.length === 0) return rows.map(() => null);
    const [{ source, published, quarantined }, found] = await Promise.all([
      this.feed.customCounters(),
      this.feed.published('custom-launch.v4', ids),
    ]);
    const ready = quarantined === 0 && source === published;
    return rows.map((row) => {
      const { launchId } = row.record;
      return ready && isCandidate(row) && launchId !== null && found.has(launchId) ? CUSTOM_LABEL : null;
    });
  }
}
