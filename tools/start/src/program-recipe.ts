import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Packages with native code or files of their own beside them, and optional parts of Nest and pg that are not installed. */
const EXTERNAL = [
  '@temporalio/*',
  '@grpc/*',
  '@prisma/client',
  'pg-native',
  'class-transformer',
  'class-validator',
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
];
/** CommonJS code in a bundle asks for these names. */
const COMMON_JS = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;`;
/** esbuild's helper for `keepNames`. It names a function each time one is created, such as the closures of a hot path for each request. */
const NAMES_ALL = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
/** Names only what is called like a class and lost its name. */
const NAMES_CLASSES =
  'var __name = (target, value) => (value[0] >= "A" && value[0] <= "Z" && target.name !== value ? __defProp(target, "name", { value, configurable: true }) : target);';

export interface ProgramBundle {
  /** The repository's root. */
  readonly root: string;
  /** Entry files, relative to `root`: built ones, or sources with the condition of sources. */
  readonly programs: readonly string[];
  /** Folder of the bundles, which keep the paths of the programs below `root`. External packages must resolve from there. */
  readonly folder: string;
  /** Conditions under which packages of ours are looked up. */
  readonly conditions?: readonly string[];
}

/** Writes programs as a few files with their modules inside. */
export async function bundlePrograms({ root, programs, folder, conditions = [] }: ProgramBundle): Promise<void> {
  const { build, stop } = await import('esbuild');
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [...programs],
      outbase: root,
      outdir: folder,
      chunkNames: 'shared/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      conditions: [...conditions],
      external: EXTERNAL,
      banner: { js: COMMON_JS },
      plugins: [originalPlaces()],
      // Errors are known by the names of their classes.
      keepNames: true,
      metafile: true,
      logLevel: 'silent',
    });
    await nameClassesAlone(Object.keys(metafile.outputs).map((file) => path.join(root, file)));
  } finally {
    // Its process would stay as long as this one.
    await stop();
  }
}

/** @throws Error when esbuild writes its helper in another form, so that a new version of it is noticed. */
async function nameClassesAlone(files: readonly string[]): Promise<void> {
  let found = 0;
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    if (!text.includes(NAMES_ALL)) continue;
    found += 1;
    await writeFile(file, text.replace(NAMES_ALL, NAMES_CLASSES));
  }
  if (found !== 1) throw new Error(`esbuild's helper for names stands in ${found} files instead of one`);
}

/** Keeps the files beside our modules reachable: worker scripts, assets and packages that they resolve. */
function originalPlaces(): Plugin {
  return {
    name: 'original-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.[jt]s$/ }, async ({ path: file }) => {
        if (file.split(path.sep).includes('node_modules')) return undefined;
        const text = await readFile(file, 'utf8');
        return {
          contents: text
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
            .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
            .replaceAll('import.meta.filename', JSON.stringify(file)),
          loader: file.endsWith('.ts') ? 'ts' : 'js',
        };
      });
    },
  };
}
