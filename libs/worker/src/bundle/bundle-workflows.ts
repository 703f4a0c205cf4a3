import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { WorkerError } from '../worker.errors.js';
import { workspaceRoot } from './bundle-sources.js';
import { buildIdOf } from './built-bundle.js';

export interface WorkflowBundle {
  /** JavaScript of every workflow of one entry and of what they import. */
  code: string;
  /** First 16 hex digits of the code's SHA-256: the same sources give the same id in any folder. */
  buildId: string;
}

export interface MadeBundle extends WorkflowBundle {
  /** Every file of the workspace that the bundle was made of, absolute; what packages hold is the lockfile's. */
  readonly sources: readonly string[];
}

/** What a plugin is given; the SDK's own declarations name webpack's, which is no dependency of ours. */
interface WebpackCompiler {
  readonly hooks: { readonly done: { tap(name: string, take: (stats: WebpackStats) => void): void } };
}
interface WebpackStats {
  readonly compilation: { readonly fileDependencies: Iterable<string> };
}

const MAX_MESSAGE = 8_000;

/**
 * Bundles the workflows that a module exports, from our TypeScript sources (workspace packages included), offline.
 * @param entry absolute path of the module, `.ts` or `.js`.
 * @throws WorkerError BUNDLE_FAILED, also when a workflow imports what has no place in deterministic code.
 */
export async function bundleWorkflows(entry: string, root: string = workspaceRoot): Promise<MadeBundle> {
  let code: string;
  const read = new Set<string>();
  const complaints: string[] = [];
  try {
    const bundle = await bundleWorkflowCode({
      workflowsPath: entry,
      logger: new DefaultLogger('ERROR', ({ message }) => void complaints.push(message)),
      webpackConfigHook: (config) => ({
        ...config,
        context: root,
        plugins: [...(config.plugins ?? []), filesRead(read)],
        // The SDK requires an inlined source map; it must not carry the folder of the checkout. It tells lines alone: the
        // SDK's entry names its workflows' file in full, so a column there would tell how long the folder's name is.
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

/** Notes every file that a bundling reads. */
function filesRead(read: Set<string>): { apply(compiler: WebpackCompiler): void } {
  return {
    apply({ hooks }) {
      hooks.done.tap('files-read', ({ compilation }) => {
        for (const file of compilation.fileDependencies) read.add(file);
      });
    },
  };
}
