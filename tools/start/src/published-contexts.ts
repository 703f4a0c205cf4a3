import { readFile } from 'node:fs/promises';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import { canonicalJsonText } from '@launch/contracts/json';
import { contextSchema } from '@launch/contracts/multi-role';
import type { DevnetDescription } from '@launch/devnet';
import type { CustomLaunchProfileName, FinalityName, PolicyName } from '@launch/evm';
import { sourceCommitOfBuild } from '@launch/platform';
import { writePrivate, type DataFolder } from './data-folder.js';
import {
  buildDevelopmentContext,
  buildDevelopmentCustomLaunchContext,
  developmentReviews,
  type RuntimeRelease,
} from './development-context.js';
import { developmentSources, publishSources } from './development-sources.js';
import { filePreviousContext } from './previous-context.js';
import type { Progress } from './progress.js';
import { settleRetiredRouter } from './source-launches/retired-router.js';

/** The record of this program's build, whose contracts new chains have. */
const BUILD_INFO = new URL('../build-info.json', import.meta.url);

/** The files that a release publishes for its services. */
export interface PublishedContexts {
  contextFile: string;
  /** The context of custom launches and plans; absent where there are none. */
  customLaunchContextFile?: string | undefined;
  /** Contexts of earlier releases, for custody: multi-role ones, and those of custom launches and plans. */
  previousContextsDir: string | null;
  previousCustomLaunchContextsDir?: string | undefined;
  /** The routers that were reviewed, and for which policy. */
  reviewsFile: string;
  /** The bindings of indexed sources; absent where chains are brought without any: nothing is indexed then. */
  indexSourcesDir?: string | undefined;
}

interface Publication {
  readonly folder: DataFolder;
  readonly policy: PolicyName | undefined;
  readonly finality: FinalityName | undefined;
  /** The profile of custom launches and plans. */
  readonly profile: CustomLaunchProfileName | undefined;
  readonly release: RuntimeRelease | undefined;
  /** The chains have just begun, so earlier publications belong to other chains. */
  readonly isNew: boolean;
  /** On new chains: launch through Ethereum's first router before it ends. */
  readonly launchBeforeEnd: boolean | undefined;
  readonly progress: Progress;
}

/** Publishes the contexts of the development chains. `isAnother`: one of them is not that of the start before. */
export async function publishContexts(
  devnet: DevnetDescription,
  { folder, policy, finality, profile, release, isNew, launchBeforeEnd = false, progress }: Publication,
): Promise<PublishedContexts & { readonly isAnother: boolean }> {
  const { contextFile } = folder;
  const [customLaunchContextFile, reviewsFile] = [
    folder.file('custom-launch-context.json'),
    folder.file('reviewed-routers.json'),
  ];
  const [previousContextsDir, previousCustomLaunchContextsDir] = [
    folder.file('previous-contexts'),
    folder.file('previous-custom-launch-contexts'),
  ];
  const multiRole = buildDevelopmentContext(devnet, policy, release, finality);
  const customLaunches = buildDevelopmentCustomLaunchContext(devnet, policy, release, profile);
  const publishedAs = async (file: string) => (isNew ? undefined : readFile(file, 'utf8').catch(() => undefined));
  const [before, customLaunchBefore] = [await publishedAs(contextFile), await publishedAs(customLaunchContextFile)];
  const [context, customLaunchContext] = [canonicalJsonText(multiRole), canonicalJsonText(customLaunches)];
  await filePreviousContext(previousContextsDir, before, multiRole, contextSchema);
  await filePreviousContext(
    previousCustomLaunchContextsDir,
    customLaunchBefore,
    customLaunches,
    customLaunchContextSchema,
  );
  await writePrivate(contextFile, context);
  await writePrivate(customLaunchContextFile, customLaunchContext);
  await writePrivate(reviewsFile, canonicalJsonText(developmentReviews(multiRole, customLaunches)));
  const retired = await settleRetiredRouter(folder.root, devnet, { launch: launchBeforeEnd, progress });
  const sources = developmentSources(devnet, sourceCommitOfBuild(BUILD_INFO), retired?.endBlock);
  const indexSourcesDir = await publishSources(folder.file('indexing'), devnet, sources, { isNew });
  const changed = (was: string | undefined, is: string): boolean => was !== undefined && was !== is;
  const isAnother = changed(before, context) || changed(customLaunchBefore, customLaunchContext);
  return {
    contextFile,
    customLaunchContextFile,
    previousContextsDir,
    previousCustomLaunchContextsDir,
    reviewsFile,
    indexSourcesDir,
    isAnother,
  };
}
