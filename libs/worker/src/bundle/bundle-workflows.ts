import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WorkerError } from '../worker.errors.js';
import { workspaceRoot } from './bundle-sources.js';
import { buildIdOf } from './built-bundle.js';

export interface WorkflowBundle {
  /** JavaScript of every workflow of one entry and of its imports. */
  code: string;
  /** First 16 hex digits of the code's SHA-256: the same sources give the same id in any folder. */
  buildId: string;
}

export interface MadeBundle extends WorkflowBundle {
  /** Every workspace file in the bundle, absolute; the lockfile covers those of packages. */
  readonly sources: readonly string[];
}

/**
 * The parts of webpack's compiler that the plugin uses; the SDK's declarations refer to webpack's, which is not a
 * dependency here.
 */
interface WebpackCompiler {
  readonly hooks: { readonly done: { tap(name: string, take: (stats: WebpackStats) => void): void } };
}
interface WebpackStats {
  readonly compilation: { readonly fileDependencies: Iterable<string> };
}

/** Its source, in a build too: the bundle of one checkout has one hash. */
const TRACING = 'libs/worker/src/tracing/workflow-trace.interceptors.ts';
const MAX_MESSAGE = 8_000;

/**
 * Bundles the workflows that a module exports from TypeScript sources (workspace packages included), offline.
 * @param entry absolute path of the module, `.ts` or `.js`.
 * @throws WorkerError BUNDLE_FAILED, also if a workflow imports a module that deterministic code must not use.
 */
export async function bundleWorkflows(entry: string, root: string = workspaceRoot): Promise<MadeBundle> {
  let code: string;
  const read = new Set<string>();
  const complaints: string[] = [];
  try {
    const bundle = await bundleWorkflowCode({
      workflowsPath: entry,
      workflowInterceptorModules: [path.join(workspaceRoot, TRACING)],
      logger: new DefaultLogger('ERROR', ({ message }) => void complaints.push(message)),
      webpackConfigHook: (config) => ({
        ...config,
        context: root,
        plugins: [...(config.plugins ?? []), filesRead(read)],
        // The SDK requires an inlined source map; it must not contain the folder of the checkout. It maps lines only:
        // the SDK's entry contains the full name of its workflows' file, so a column there would reveal the length of
        // the folder's name.
        devtool: 'inline-nosources-cheap-module-source-map',
        output: {
          ...config.output,
          pathinfo: false,
          filename: 'workflow-bundle.js',
          devtoolModuleFilenameTemplate: ({ absoluteResourcePath }: { absoluteResourcePath: string }) =>
            `launch:///${absoluteResourcePath.replaceAll(`${root}${path.sep}`, '')}`,
        },
        optimization: { ...config.optimization, moduleIds: 'deterministic', minimize: false },
        resolve: {
          ...config.resolve,
          extensionAlias: { '.js': ['.ts', '.js'] },
          conditionNames: ['@launch/source', 'import', 'require', 'node', 'default'],
        },
      }),
    });
    code = bundle.code;
  } catch (error) {
    throw new WorkerError(
      'BUNDLE_FAILED',
      [path.relative(root, entry), ...complaints, error instanceof Error ? error.message : String(error)]
        .join('\n')
        .slice(0, MAX_MESSAGE),
      { cause: error },
    );
  }
  const sources = [...read].filter((file) => !file.split(path.sep).includes('node_modules'));
  return { code, buildId: buildIdOf(code), sources: sources.sort() };
}

/** Creates a plugin that records every file that the bundler reads. */
function filesRead(read: Set<string>): { apply(compiler: WebpackCompiler): void } {
  return {
    apply({ hooks }) {
      hooks.done.tap('files-read', ({ compilation }) => {
        for (const file of compilation.fileDependencies) read.add(file);
      });
    },
  };
}
