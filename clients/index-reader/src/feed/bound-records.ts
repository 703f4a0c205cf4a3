import { faultsOf, type BoundMember } from '@launch/client-core/binding';
import { FeedError } from './feed.error.js';

/** Checks that each record of a page agrees with itself. @throws {FeedError} `PAGE_INVALID` with the first place */
export function checkRecords<T, Subject>(
  records: readonly T[],
  members: readonly BoundMember<T, Subject>[],
  subject: Subject,
): void {
  for (const [index, record] of records.entries()) {
    const [fault] = faultsOf(members, record, subject);
    if (fault !== undefined)
      throw new FeedError('PAGE_INVALID', `a record contradicts itself at /items/${index}${fault}`);
  }
}
