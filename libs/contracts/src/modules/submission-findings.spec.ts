import { describe, expect, it } from '@jest/globals';
import type { ConfigurationField } from './configuration.schema.js';
import { MODULE_FILES, modulePackage, moduleSubmission } from './module-package.fixture.js';
import { MODULE_LIMITS } from './module-limits.js';
import { moduleSubmissionSchema, type ModulePackage, type ModuleSubmission } from './package.schema.js';
import { judgePackage, judgeSubmission, type PackageLimits } from './submission-findings.js';

const findingsOf = (submission: unknown, limits: PackageLimits = MODULE_LIMITS): string[] =>
  judgeSubmission(submission, limits).findings.map(({ code, path }) => `${code} ${path}`);
const placesOf = (descriptor: ModulePackage): string[] =>
  judgePackage(descriptor, MODULE_LIMITS).findings.map(({ path }) => path);

const field = (more: Partial<ConfigurationField>): ConfigurationField => ({
  key: 'one',
  label: 'One',
  type: 'uint8',
  unit: 'none',
  required: true,
  immutable: false,
  ...more,
});

const withFields = (...fields: ConfigurationField[]): ModulePackage =>
  modulePackage(MODULE_FILES, {
    configuration: { encoding: 'abi', maxEncodedBytes: 64, fields, constraints: [] },
  });

describe('A module submission', () => {
  it('has no finding and is read when it matches its declarations', () => {
    const submission = moduleSubmissionSchema.parse(moduleSubmission());
    const judged = judgeSubmission(submission, MODULE_LIMITS);
    if (judged.submission === null) throw new Error(JSON.stringify(judged.findings));
    expect(judged.findings).toEqual([]);
    expect(judged.files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual(
      Object.entries(MODULE_FILES),
    );
  });

  it('may list its files in another order and write a digest without its prefix', () => {
    const submission = moduleSubmission();
    submission.files.reverse();
    for (const file of submission.files) file.sha256 = file.sha256.slice('sha256:'.length);
    expect(findingsOf(submission)).toEqual([]);
  });

  it.each<[what: string, change: (submission: ModuleSubmission) => void, expected: string[]]>([
    [
      'the zero address as author',
      ({ package: p }) => (p.author = `0x${'0'.repeat(40)}`),
      ['OPEN_ADDRESS /package/author'],
    ],
    [
      'a reward wallet with a wrong checksum',
      ({ package: p }) => (p.rewardWallet = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35a'.replace('fB', 'Fb')),
      ['OPEN_ADDRESS /package/rewardWallet'],
    ],
    ['a text that is not an address', ({ package: p }) => (p.author = 'me'), ['OPEN_ADDRESS /package/author']],
    ['a file that is not pinned', ({ package: p }) => p.source.files.pop(), ['OPEN_SOURCE_HASH /files/1']],
    ['a pinned file that is missing', ({ files }) => files.pop(), ['OPEN_SOURCE_HASH /package/source/files/1']],
    [
      'another pin than the file declares',
      ({ package: p }) => (p.source.files[0]!.sha256 = '0'.repeat(64)),
      ['OPEN_SOURCE_HASH /package/source/files/0'],
    ],
    [
      'other bytes than their hash',
      ({ files }) => (files[0]!.contentBase64 = btoa('contract Other {}')),
      ['MODULE_FILE_HASH /files/0/sha256'],
    ],
    [
      'base64 without padding',
      ({ files }) => (files[0]!.contentBase64 = 'YQ'),
      ['SCHEMA_INVALID /files/0/contentBase64'],
    ],
    ['spare bits', ({ files }) => (files[0]!.contentBase64 = 'YR=='), ['SCHEMA_INVALID /files/0/contentBase64']],
    ['spare bits of two', ({ files }) => (files[0]!.contentBase64 = 'YWJ='), ['SCHEMA_INVALID /files/0/contentBase64']],
    [
      'white space in base64',
      ({ files }) => (files[0]!.contentBase64 = ' '.repeat(4) + files[0]!.contentBase64),
      ['SCHEMA_INVALID /files/0/contentBase64'],
    ],
  ])('is refused for %s', (_what, change, expected) => {
    const submission = moduleSubmission();
    change(submission);
    expect(findingsOf(submission)).toEqual(expected);
  });

  it('reports all its faults at once', () => {
    const submission = moduleSubmission({ ...MODULE_FILES, '../up.sol': 'x' });
    submission.package.author = '';
    submission.files[0]!.contentBase64 = btoa('other');
    expect(findingsOf(submission)).toEqual([
      'OPEN_ADDRESS /package/author',
      'MODULE_FILE_HASH /files/0/sha256',
      'MODULE_PATH_INVALID /files/2/path',
      'MODULE_PATH_INVALID /package/source/files/2/path',
    ]);
  });

  it('A module submission with a fault of form also reports the faults of every other part.', () => {
    const submission = moduleSubmission({ ...MODULE_FILES, '../up.sol': 'x', 'src/large.sol': 'x'.repeat(64) });
    Object.assign(submission.package, { version: 'one', more: 1, author: `0x${'0'.repeat(40)}` });
    submission.package.source.files[1]!.sha256 = 'abc';
    delete submission.package.source.revision;
    submission.package.configuration.fields[1]!.default = 'yes';
    Object.assign(submission.package.configuration.fields[0]!, { unit: 'parsecs' });
    submission.package.management.actions[0]!.inputs[0]!.min = '70000';
    submission.files[0]!.contentBase64 = btoa('other');
    Object.assign(submission.files[1]!, { more: 1 });
    Object.assign(submission, { supersedes: 'none' });
    expect(findingsOf(submission, { ...MODULE_LIMITS, maxFileBytes: 63 }).sort()).toEqual([
      'MODULE_FILE_HASH /files/0/sha256',
      'MODULE_LIMIT_EXCEEDED /files/3/contentBase64',
      'MODULE_PATH_INVALID /files/2/path',
      'MODULE_PATH_INVALID /package/source/files/2/path',
      'OPEN_ADDRESS /package/author',
      'SCHEMA_INVALID /package/configuration/fields/0/unit',
      'SCHEMA_INVALID /package/configuration/fields/1/default',
      'SCHEMA_INVALID /package/management/actions/0/inputs/0/min',
      'SCHEMA_INVALID /package/source',
      'SCHEMA_INVALID /package/source/files/1/sha256',
      'SCHEMA_INVALID /package/version',
      'SCHEMA_INVALID /supersedes',
      'SCHEMA_UNKNOWN_FIELD /files/1/more',
      'SCHEMA_UNKNOWN_FIELD /package/more',
    ]);
  });

  it.each<[what: string, change: (submission: ModuleSubmission) => void, expected: string[]]>([
    [
      'a file without a readable path',
      ({ files }) => Object.assign(files[1]!, { path: 7 }),
      ['SCHEMA_INVALID /files/1/path'],
    ],
    [
      'a pin without a readable path',
      ({ package: p }) => Object.assign(p.source.files[1]!, { path: 7 }),
      ['SCHEMA_INVALID /package/source/files/1/path'],
    ],
    ['no files', (submission) => Object.assign(submission, { files: {} }), ['SCHEMA_INVALID /files']],
    ['no package', (submission) => Object.assign(submission, { package: null }), ['SCHEMA_INVALID /package']],
    [
      'a key that no condition may know',
      ({ package: p }) => {
        Object.assign(p.configuration.fields[0]!, { key: '?' });
        p.configuration.fields[1]!.visibleIf = { key: 'feeBps', equals: '1' };
      },
      ['SCHEMA_INVALID /package/configuration/fields/0/key'],
    ],
  ])('has one finding for %s, which no other part repeats', (_what, change, expected) => {
    const submission = moduleSubmission();
    change(submission);
    expect(findingsOf(submission)).toEqual(expected);
  });

  it.each([
    ['files', { maxFiles: 1 }, ['/files', '/package/source/files']],
    ['bytes of a file', { maxFileBytes: 13 }, ['/files/0/contentBase64']],
    ['bytes in all', { maxTotalBytes: 20 }, ['/files']],
  ])('is refused above a limit of %s', (_what, limit, places) => {
    expect(findingsOf(moduleSubmission(), { ...MODULE_LIMITS, ...limit })).toEqual(
      places.map((place) => `MODULE_LIMIT_EXCEEDED ${place}`),
    );
  });
});

it('A package of 128 files is accepted, and one of 129 is refused.', () => {
  const filesOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/F${index}.sol`, `// ${index}\n`]));
  expect(findingsOf(moduleSubmission(filesOf(128)))).toEqual([]);
  expect(findingsOf(moduleSubmission(filesOf(129)))).toEqual([
    'MODULE_LIMIT_EXCEEDED /files',
    'MODULE_LIMIT_EXCEEDED /package/source/files',
  ]);
});

describe('A path of a package', () => {
  const faulty = (...paths: string[]): string[] => {
    const files = Object.fromEntries(paths.map((path, index) => [path, String(index)]));
    return placesOf(modulePackage(files));
  };

  it.each([
    '/absolute.sol',
    'a//b.sol',
    './a.sol',
    'a/./b.sol',
    '../a.sol',
    'a/..',
    'a\\b.sol',
    'a\u0000b',
    'a\u0007b',
    'a\u0085b',
    '',
    'module.json',
    'e\u0301.sol',
    '\ud800.sol',
    `${'a'.repeat(513)}`,
    'é'.repeat(257),
  ])('The path %j of a package is refused.', (path) => {
    expect(faulty(path)).toEqual(['/source/files/0/path']);
  });

  it.each(['a.sol', 'src/a b.sol', 'é.sol', 'a/..b', 'a/b...', 'sub/module.json', 'é'.repeat(256)])(
    'The path %j of a package is accepted.',
    (path) => {
      expect(faulty(path)).toEqual([]);
    },
  );

  it('is refused when it differs from another in letter case only', () => {
    expect(faulty('src/A.sol', 'SRC/a.sol', 'b.sol')).toEqual(['/source/files/1/path']);
  });

  it('is refused when it is the folder of another', () => {
    expect(faulty('src', 'src/a.sol')).toEqual(['/source/files/0/path']);
    expect(faulty('lib/a.sol', 'LIB')).toEqual(['/source/files/1/path']);
  });
});

describe('a configuration', () => {
  const faults = (...fields: ConfigurationField[]): string[] =>
    placesOf(withFields(...fields)).map((path) => path.replace('/configuration/fields', ''));

  it.each<[what: string, fields: Partial<ConfigurationField>[], expected: string[]]>([
    ['a default in its bounds', [{ min: '2', max: '8', step: '3', default: '5' }], []],
    ['a default below its bound', [{ min: '2', default: '1' }], ['/0/default']],
    ['a default above its type', [{ default: '256' }], ['/0/default']],
    ['a default between its steps', [{ min: '2', step: '3', default: '6' }], ['/0/default']],
    ['a negative number of a signed type', [{ type: 'int8', default: '-128' }], []],
    ['one below a signed type', [{ type: 'int8', default: '-129' }], ['/0/default']],
    ['a tick', [{ type: 'tick', default: '-887272' }], []],
    ['a number as JSON number', [{ default: true }], ['/0/default']],
    ['bounds the wrong way round', [{ min: '2', max: '1' }], ['/0/max']],
    ['a bound outside its type', [{ max: '256' }], ['/0/max']],
    ['steps of nothing', [{ step: '0' }], ['/0/step']],
    ['an enum without options', [{ type: 'enum' }], ['/0/options']],
    ['an option as default', [{ type: 'enum', options: [{ value: 'a', label: 'A' }], default: 'a' }], []],
    ['no option as default', [{ type: 'enum', options: [{ value: 'a', label: 'A' }], default: 'b' }], ['/0/default']],
    ['bounds on a text', [{ type: 'string', min: '1' }], ['/0/min']],
    ['a text that is too long', [{ type: 'string', maxLength: 1, default: 'é' }], ['/0/default']],
    ['bytes of odd length', [{ type: 'bytes', default: '0x1' }], ['/0/default']],
    ['an address with a checksum', [{ type: 'address', default: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }], []],
    [
      'an address with a wrong one',
      [{ type: 'address', default: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
      ['/0/default'],
    ],
    ['a list of a list', [{ type: 'array', items: field({ max: '3' }), default: ['1', '3'] }], []],
    [
      'a list with a foreign item',
      [{ type: 'array', items: field({ max: '3' }), default: ['1', '4'] }],
      ['/0/default'],
    ],
    ['an array of nothing', [{ type: 'array' }], ['/0/items']],
    ['an array of an enum without options', [{ type: 'array', items: field({ type: 'enum' }) }], ['/0/items/options']],
    ['a tuple without a required field', [{ type: 'tuple', fields: [field({})], default: {} }], ['/0/default']],
    [
      'a tuple with a foreign field',
      [{ type: 'tuple', fields: [field({})], default: { one: '1', two: '2' } }],
      ['/0/default'],
    ],
    ['a tuple', [{ type: 'tuple', fields: [field({})], default: { one: '1' } }], []],
    ['the same key twice', [{}, {}], ['/1/key']],
    ['a condition on itself', [{ visibleIf: { key: 'one', equals: '1' } }], ['/0/visibleIf/key']],
    ['a condition on no field', [{ visibleIf: { key: 'two', equals: '1' } }], ['/0/visibleIf/key']],
    ['a condition on another', [{ visibleIf: { key: 'two', equals: '1' } }, { key: 'two' }], []],
  ])('has a finding for %s', (_what, fields, expected) => {
    expect(faults(...fields.map(field))).toEqual(expected);
  });

  it('has a finding for a constraint on a missing key', () => {
    const descriptor = withFields(field({}));
    descriptor.configuration.constraints = [{ kind: 'lessThan', keys: ['one', 'other'], value: null }];
    expect(placesOf(descriptor)).toEqual(['/configuration/constraints/0/keys/1']);
  });

  it('is also judged in the inputs of an action', () => {
    const descriptor = modulePackage();
    descriptor.management.actions[0]!.inputs = [field({}), field({})];
    expect(placesOf(descriptor)).toEqual(['/management/actions/0/inputs/1/key']);
  });
});
