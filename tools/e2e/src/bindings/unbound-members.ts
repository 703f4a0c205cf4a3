import { readFileSync } from 'node:fs';

/** The reasons why a program cannot compare a member. */
const REASONS = {
  report: 'of the deployment, for people; admission decides',
  block: "a block of the service's choice; admission refuses one that is not canonical",
  price: 'a reading of prices, without authority; the request states the buy, and admission reads prices again',
  time: "a time of the service's own",
  verdict: 'the verdict of the service; create judges again',
  published: 'of the deployment; a program that downloads a file compares its digest',
  permit:
    'of the permit and its rehearsal; the router accepts only a signed permit, and `launch-verify handoff` recomputes every byte of a multi-role hand-off',
  state: 'a statement of the service about progress, which changes; the evidence of finality proves the end',
  refusal: 'why the service refused; the command fails in either case',
  request: 'of a request that the command does not have',
  observed: 'what observers saw; `launch-verify evidence` proves it',
  hint: 'of a transaction that the service names; it has no authority',
  page: 'where the next page begins; a cursor has no form that a client knows',
  advice: 'advice without authority',
  account: 'of the key; no request names it',
  named: 'the name that the service gives to a new submission',
  decision: "of the reviewer's signed decision; its policy is not in the status",
  build: 'of the build; no other member states it',
  record: 'of the public record; `index-reader` verifies it on both chains',
  feed: 'of a launch in a feed; `index-reader coin` shows it on its chain, and a signature binds every byte of a page',
  coin: 'of a launch in the index; `index-reader coin` shows it on its chain',
  assessment: "of the service's own assessment; the reader makes its own from the chain",
  rules: 'for people and other programs; the reader has its own rules, and a release digest binds each source',
} as const;
type Reason = keyof typeof REASONS;

const LISTED = JSON.parse(readFileSync(new URL('./unbound-members.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Partial<Readonly<Record<Reason, readonly string[]>>>>
>;

/**
 * Returns the members of an answer that its program cannot compare with the request, by the reason. `*` is each place of a
 * list. @param answer the command and the operation, such as `launch list, listCustomLaunches 200`
 */
export const unboundMembers = (answer: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(LISTED[answer] ?? {}).map(([reason, members]) => [REASONS[reason as Reason], members]),
  );
