import { expect, it } from '@jest/globals';
import { DEFAULT_ERRORS } from '../errors/error-answer.js';
import { MethodsByPath } from './methods-by-path.js';
import { routerPath } from './path-parameters.js';

const FAMILY = {
  errors: DEFAULT_ERRORS,
  parameters: {
    chainId: { form: '4663', refusal: 'CHAIN_NOT_SUPPORTED', description: '' },
    planId: { description: '' },
    launchId: { form: '[0-9a-f]{4}', description: '' },
  },
} as const;

const methods = new MethodsByPath();
for (const [path, names] of [
  ['/chains/{chainId}/plans:preflight', ['POST']],
  ['/chains/{chainId}/plans/{planId}', ['GET', 'HEAD']],
  ['/launches/{launchId}', ['GET']],
] as const)
  methods.add(routerPath(path), names, FAMILY);

it.each<[string, string[] | null]>([
  ['/chains/4663/plans:preflight', ['POST', 'OPTIONS']],
  ['/chains/4663/plans%3Apreflight', null],
  ['/chains/4663/plans::preflight', null],
  ['/chains/4663/plansXpreflight', null],
  [`/chains/${'4'.repeat(500)}/plans:preflight`, ['POST', 'OPTIONS']],
  ['/chains/4663/plans/anything-at-all', ['GET', 'HEAD', 'OPTIONS']],
  ['/chains/4663/plans/a/b', null],
  ['/chains/4663/plans/', null],
  ['/launches/00ff', ['GET', 'OPTIONS']],
  ['/launches/00fg', null],
])('The path %s has the methods %j.', (target, allowed) => expect(methods.allowedFor(target)).toEqual(allowed));
