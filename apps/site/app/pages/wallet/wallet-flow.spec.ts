import { describe, expect, it } from '@jest/globals';
import { advance, showsReview, START, type Flow, type FlowEvent, type Obstacle } from './wallet-flow.js';

const sent = { id: 'launch', stepId: null, hash: '0x01' } as const;
const obstacle: Obstacle = { id: 'wrong-chain', title: 'a', remedy: 'b', claimed: '1', computed: '4663' };
const obstacles = [obstacle];

const FLOWS: { readonly [Is in Flow['is']]: Extract<Flow, { is: Is }> } = {
  reading: { is: 'reading' },
  unread: { is: 'unread', message: 'down' },
  idle: { is: 'idle', why: 'not-ready' },
  refused: { is: 'refused', obstacles },
  obstructed: { is: 'obstructed', obstacles },
  ready: { is: 'ready', notice: null },
  rechecking: { is: 'rechecking' },
  asking: { is: 'asking' },
  following: { is: 'following', sent },
  done: { is: 'done', outcome: 'finalized', sent },
};

const following: Flow = FLOWS.following;
/** Every event with the states that it changes, and the states that follow. Every other pair changes nothing. */
const TRANSITIONS: readonly (readonly [string, FlowEvent, Partial<Record<Flow['is'], Flow>>])[] = [
  ['restored', { type: 'restored', sent }, { reading: following }],
  ['read-failed', { type: 'read-failed', message: 'down' }, { reading: FLOWS.unread }],
  ['nothing-to-sign', { type: 'nothing-to-sign', why: 'not-ready' }, { reading: FLOWS.idle }],
  ['refused', { type: 'refused', obstacles }, { reading: FLOWS.refused, rechecking: FLOWS.refused }],
  [
    'inspected with obstacles',
    { type: 'inspected', obstacles },
    { reading: FLOWS.obstructed, rechecking: FLOWS.obstructed },
  ],
  ['inspected without obstacles', { type: 'inspected', obstacles: [] }, { reading: FLOWS.ready }],
  ['confirmed', { type: 'confirmed' }, { ready: FLOWS.rechecking }],
  ['asked', { type: 'asked' }, { rechecking: FLOWS.asking }],
  [
    'declined',
    { type: 'declined', message: 'no' },
    { rechecking: { is: 'ready', notice: 'no' }, asking: { is: 'ready', notice: 'no' } },
  ],
  ['sent', { type: 'sent', sent }, { asking: following }],
  [
    'restarted',
    { type: 'restarted' },
    {
      unread: START,
      idle: START,
      refused: START,
      obstructed: START,
      ready: START,
      rechecking: START,
      done: START,
    },
  ],
  [
    'window-ended',
    { type: 'window-ended', obstacle },
    { ready: FLOWS.obstructed, obstructed: FLOWS.obstructed, rechecking: FLOWS.obstructed },
  ],
  ['step-included', { type: 'step-included' }, { following: START }],
  ['settled', { type: 'settled', outcome: 'finalized' }, { following: FLOWS.done }],
];

describe('The wallet flow', () => {
  it.each(TRANSITIONS)('after "%s" changes exactly the states that expect it', (_name, event, expected) => {
    for (const flow of Object.values(FLOWS))
      expect([flow.is, advance(flow, event)]).toEqual([flow.is, expected[flow.is] ?? flow]);
  });

  it('asks the wallet only after a new check, from no other state', () => {
    const before = Object.values(FLOWS).flatMap((flow) =>
      TRANSITIONS.filter(([, event]) => flow.is !== 'asking' && advance(flow, event).is === 'asking').map(
        ([name]) => `${flow.is} ${name}`,
      ),
    );
    expect(before).toEqual(['rechecking asked']);
    expect(
      Object.values(FLOWS).filter(
        (flow) => advance(flow, { type: 'confirmed' }).is === 'rechecking' && flow.is !== 'rechecking',
      ),
    ).toEqual([FLOWS.ready]);
  });

  it('never leads from a refused hand-off to a signature without reading it again', () => {
    const next = TRANSITIONS.map(([, event]) => advance(FLOWS.refused, event).is);
    expect(new Set(next)).toEqual(new Set(['refused', 'reading']));
  });

  it('shows the review of a genuine hand-off only', () => {
    expect(
      Object.values(FLOWS)
        .filter(showsReview)
        .map(({ is }) => is),
    ).toEqual(['obstructed', 'ready', 'rechecking', 'asking']);
  });
});
