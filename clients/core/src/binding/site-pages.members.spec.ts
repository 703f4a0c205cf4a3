import { expect, it } from '@jest/globals';
import { faultsOf } from './bound-member.js';
import { sitePageMembers } from './site-pages.members.js';

interface Resource {
  readonly id: string;
  readonly launchUrl: string | null;
  readonly walletUrl: string | null;
}
const SITE = 'https://site.example';
const LAUNCH = `${SITE}/launches/a1`;
const WALLET = `${SITE}/wallet/plans/a1`;
const faults = (launchUrl: string | null, walletUrl: string | null): readonly string[] =>
  faultsOf(
    sitePageMembers<Resource, undefined>('plans', ({ id }) => id),
    { id: 'a1', launchUrl, walletUrl },
    undefined,
  );

it.each([
  [null, null],
  [LAUNCH, null],
  [LAUNCH, WALLET],
  ['http://127.0.0.1:3000/launches/a1', 'http://127.0.0.1:3000/wallet/plans/a1'],
])('The pages %s and %s are those of the resource.', (launchUrl, walletUrl) =>
  expect(faults(launchUrl, walletUrl)).toEqual([]),
);

it.each([
  [`${SITE}/launches/a2`, null, ['/launchUrl']],
  [`${SITE}/other/launches/a1`, null, ['/launchUrl']],
  [`${SITE}?/launches/a1`, null, ['/launchUrl']],
  ['javascript:alert(1)//x/launches/a1', null, ['/launchUrl']],
  [LAUNCH, `${SITE}/wallet/plans/a2`, ['/walletUrl']],
  [LAUNCH, `${SITE}/wallet/launches/a1`, ['/walletUrl']],
  [LAUNCH, 'https://evil.example/wallet/plans/a1', ['/walletUrl']],
  [LAUNCH, `${WALLET}#request=1`, ['/walletUrl']],
  [null, WALLET, ['/walletUrl']],
  [`${SITE}/launches/a2`, WALLET, ['/launchUrl', '/walletUrl']],
])('The pages %s and %s are refused at %j.', (launchUrl, walletUrl, paths) =>
  expect(faults(launchUrl, walletUrl)).toEqual(paths),
);
