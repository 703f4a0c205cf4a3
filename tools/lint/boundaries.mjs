/**
 * The import rules between projects. Each project has one `type:` and one `scope:` tag; an import
 * must satisfy the rule of both. The illegal examples under `fixtures/` prove that lint bites.
 */
const type = (source, allowed, bannedExternalImports, furtherTags = []) => ({
  sourceTag: `type:${source}`,
  onlyDependOnLibsWithTags: [...allowed.map((tag) => `type:${tag}`), ...furtherTags],
  ...(bannedExternalImports ? { bannedExternalImports } : {}),
});
const scope = (source, extra = []) => ({
  sourceTag: `scope:${source}`,
  onlyDependOnLibsWithTags: [`scope:${source}`, 'scope:shared', ...extra.map((name) => `scope:${name}`)],
});

export const DEPENDENCY_CONSTRAINTS = [
  type('contract', ['contract'], ['viem', '@nestjs/*', '@prisma/*', '@temporalio/*', 'pg']),
  type('domain', ['domain', 'contract'], ['@nestjs/*', '@prisma/*', '@temporalio/*', 'pg', 'pino']),
  type('workflow', ['workflow', 'contract'], ['zod', 'viem', '@nestjs/*', '@prisma/*', 'pg']),
  type('adapter', ['contract', 'domain'], ['@nestjs/*', '@prisma/*']),
  type('worker', ['contract', 'platform', 'adapter'], ['@nestjs/*', '@prisma/*', 'pg', 'viem']),
  type('platform', ['platform', 'contract'], ['@nestjs/*', '@prisma/*', '@temporalio/*', 'viem']),
  type('http', ['http', 'contract', 'platform'], ['@prisma/*', '@temporalio/*', 'pg', 'viem']),
  type('persistence', ['contract', 'platform'], ['@nestjs/*', '@temporalio/*', 'viem']),
  // Of clients an app has what all programs share: how they read arguments, write files and end.
  type(
    'app',
    ['contract', 'domain', 'workflow', 'adapter', 'platform', 'http', 'worker', 'persistence', 'testing', 'tool'],
    undefined,
    ['for:app'],
  ),
  type('client', ['client', 'contract', 'domain'], ['@nestjs/*', '@prisma/*', '@temporalio/*', 'pg', 'pino']),
  // The site's pages run in browsers; its server has the process library besides.
  type('site', ['client', 'contract', 'domain', 'platform'], ['@nestjs/*', '@prisma/*', '@temporalio/*', 'pg', 'pino']),
  // A reader shares its checks with the index and nothing that runs it. Of adapters it has the chain, of clients their transport.
  type(
    'reader',
    ['reader', 'contract', 'domain'],
    ['@nestjs/*', '@prisma/*', '@temporalio/*', 'pg', 'pino'],
    ['for:reader'],
  ),
  // The verifier also replays compilations, which no reader does.
  type(
    'verifier',
    ['contract', 'domain'],
    ['@nestjs/*', '@prisma/*', '@temporalio/*', 'pg', 'pino'],
    ['for:reader', 'for:verifier'],
  ),
  type('testing', ['contract', 'domain', 'platform', 'adapter', 'persistence', 'tool', 'testing']),
  type('tool', [
    'contract',
    'domain',
    'adapter',
    'worker',
    'platform',
    'http',
    'client',
    'reader',
    'verifier',
    'tool',
    'testing',
  ]),
  type('onchain', ['contract', 'domain', 'tool', 'testing']),
  scope('shared', ['devtools']),
  scope('gateway', ['devtools']),
  scope('admission', ['devtools']),
  scope('custody', ['devtools']),
  scope('finality', ['devtools']),
  scope('module-review', ['devtools']),
  scope('indexer', ['devtools']),
  scope('operators', ['devtools']),
  scope('client', ['onchain', 'devtools']),
  scope('onchain', ['devtools']),
  scope('devtools', ['onchain', 'client']),
];
