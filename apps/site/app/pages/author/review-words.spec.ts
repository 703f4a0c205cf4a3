import { describe, expect, it } from '@jest/globals';
import { isReviewEnd, REVIEW_STATES } from '@launch/contracts/states';
import { pauseAfterReview, reviewCommands, reviewWords } from './review-words.js';

describe('The state of a review', () => {
  it.each(REVIEW_STATES)('%s has one sentence for its author', (state) => {
    expect(reviewWords(state).next).toMatch(/^[A-Z].*\.$/);
  });

  it('leads to the commands of a new version after requested changes alone', () => {
    const withCommands = REVIEW_STATES.filter((state) => reviewCommands(state, 'id-1', 'https://api.example') !== null);
    expect(withCommands).toEqual(['changes_requested']);
    expect(reviewCommands('changes_requested', 'id-1', 'https://api.example')).toContain('--supersedes id-1');
  });

  it('is read rarely while a person decides, and no more after the end', () => {
    const pause = (state: (typeof REVIEW_STATES)[number]) => pauseAfterReview(state, isReviewEnd(state));
    expect([pause('running'), pause('built'), pause('accepted')]).toEqual([10_000, 60_000, null]);
  });
});
