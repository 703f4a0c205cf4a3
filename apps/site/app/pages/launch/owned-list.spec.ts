import { describe, expect, it } from '@jest/globals';
import type { OwnedLaunch } from './launch-facts.js';
import { aLaunch, aMultiRoleLaunch, aPlan } from './owned-launch.fixture.js';
import { familiesToRead, mergedLaunches, type PagesByKind } from './owned-list.js';

const onDay = (day: number): { createdAt: string } => ({
  createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
});
const launchOn = (day: number): OwnedLaunch => aLaunch({ ...onDay(day), launchId: `launch-${day}` });
const planOn = (day: number): OwnedLaunch => aPlan({ ...onDay(day), planId: `plan-${day}` });
const multiRoleOn = (day: number): OwnedLaunch => aMultiRoleLaunch({ ...onDay(day), launchId: `multi-role-${day}` });

const pages = (changes: Partial<PagesByKind>): PagesByKind => ({
  launch: { items: [], cursor: null },
  plan: { items: [], cursor: null },
  'multi-role': { items: [], cursor: null },
  ...changes,
});
const ids = (read: PagesByKind): readonly string[] => mergedLaunches(read).map(({ id }) => id);

describe('The list of an owner', () => {
  it('shows the three families in one order, newest first', () => {
    const read = pages({
      launch: { items: [launchOn(20), launchOn(10)], cursor: null },
      plan: { items: [planOn(15)], cursor: null },
      'multi-role': { items: [multiRoleOn(25)], cursor: null },
    });
    expect(ids(read)).toEqual(['multi-role-25', 'launch-20', 'plan-15', 'launch-10']);
    expect(familiesToRead(read)).toEqual([]);
  });

  it('shows no launch that an unread page could precede, and reads that family first', () => {
    const read = pages({
      launch: { items: [launchOn(20), launchOn(18)], cursor: 'next' },
      plan: { items: [planOn(19), planOn(3)], cursor: null },
    });
    expect(ids(read)).toEqual(['launch-20', 'plan-19', 'launch-18']);
    expect(familiesToRead(read)).toEqual(['launch']);
  });

  it('reads the family whose pages end newest', () => {
    const read = pages({
      launch: { items: [launchOn(18)], cursor: 'next' },
      plan: { items: [planOn(12)], cursor: 'next' },
    });
    expect(familiesToRead(read)).toEqual(['launch']);
    expect(ids(read)).toEqual(['launch-18']);
  });
});
