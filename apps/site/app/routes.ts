import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('pages/explore/explore.page.tsx'),
  route('coins/:chainId/:token', 'pages/coin/coin.page.tsx'),
  route('creators/:account', 'pages/creator/creator.page.tsx'),
  route('modules', 'pages/module/modules.page.tsx'),
  route('modules/:familyId', 'pages/module/family.page.tsx'),
  route('releases/:releaseDigest', 'pages/module/release.page.tsx'),
  route('status', 'pages/status/status.page.tsx'),
  route('docs', 'pages/docs/docs.layout.tsx', [
    index('pages/docs/docs-home.page.tsx'),
    route('guides/:document', 'pages/docs/guide.page.tsx'),
    route('reference/:document', 'pages/docs/reference.page.tsx'),
    route('api/:operationId?', 'pages/docs/api.page.tsx'),
    route('errors', 'pages/docs/errors.page.tsx'),
    route('downloads', 'pages/docs/downloads.page.tsx'),
    route('changelog', 'pages/docs/changelog.page.tsx'),
  ]),
  layout('session/session.layout.tsx', [
    route('launches', 'pages/launch/launches.page.tsx'),
    route('launches/:launchId', 'pages/launch/launch.page.tsx'),
    route('wallet/launches/:launchId', 'pages/wallet/wallet-launch.page.tsx'),
    route('wallet/plans/:planId', 'pages/wallet/wallet-plan.page.tsx'),
    route('author', 'pages/author/submissions.page.tsx'),
    route('author/:submissionId', 'pages/author/submission.page.tsx'),
  ]),
  route('*', 'pages/not-found.page.tsx'),
] satisfies RouteConfig;
