import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { isSuperLinear } from './super-linear.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'clients/*/src/**/*.ts', 'apps/*/console/*.js'];
const OF_TESTS = /\.(?:spec|fixture|chapter)\.ts$|\/(?:fixtures|testdata|generated)\/|^libs\/testing\//;

/** Patterns whose worst case is more than linear, by file and text, with the bound of their inputs. */
const EXEMPT_PATTERNS: Readonly<Record<string, string>> = {
  'apps/api-gateway/src/products/index/domain/native-price.ts /0+$/': 'digits that the service computed, at most 36',
  'apps/api-gateway/src/platform/openapi/shared-schemas.ts /(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g':
    "names of the service's own schemas",
  'clients/multi-role/src/numbers/amounts.ts /0+$/': 'digits that the client computed of integers of 256 bits',
  'clients/multi-role/src/numbers/amounts.ts /\\B(?=(?:\\d{3})+(?!\\d))(?<!\\.\\d*)/g':
    'decimals that the client computed of integers of 256 bits',
  'clients/multi-role/src/numbers/numbers-text.ts /\\.?0+$/':
    'decimals that the client computed of integers of 256 bits',
  'libs/platform/src/logging/scrub.ts /-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g':
    'the run ends with the text at the latest, and the search with it',
  'libs/contracts/src/modules/reviewer-policy.ts /^-----BEGIN PUBLIC KEY-----\\s+([\\s\\S]+?)\\s+-----END PUBLIC KEY-----\\s*$/':
    "the public key of an operator's builder, from the operator's own file",
};

/** Patterns that are put together while the program runs, by file and expression: no foreign text is part of any of them. */
const COMPOSED_PATTERNS: Readonly<Record<string, string>> = {
  'apps/api-gateway/src/products/index/domain/coin-queries.ts new RegExp(`^[1-9][0-9]{0,${digits}}$`)':
    'digits of a limit',
  'apps/api-gateway/src/composition/create-app.ts new RegExp(`^${BASE_WITH_SLASH}(?=$|\\\\?)`)': 'a constant path',
  "clients/api-client/src/compatibility/schema-containment.ts new RegExp(String(sup[keyword]), 'u')":
    'a pattern of our own published document, applied to its own examples of values',
  'clients/index-reader/src/feed/answer-signature.ts new RegExp(`;${name}="([^"]*)"`)':
    'names of parameters, followed by one run; the header is bounded by the transport',
  'libs/chain/src/rpc/rpc-answers.schema.ts new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)': 'a length',
  "libs/http/src/routes/methods-by-path.ts new RegExp(`^${segments.join('/')}$`)": 'declared paths: a form a segment',
  'libs/http/src/routes/path-parameters.ts new RegExp(`^${parameter.form}$`)': 'declared forms, each bounded',
  'libs/worker/src/bundle/bundle-file.ts new RegExp(`^${name}\\\\.[0-9a-f]{16}\\\\.js$`)': 'the name of a bundle',
};

/** Arrays that lose their first element, which moves all others, by file, with their bound. */
const SHIFTED_ARRAYS: Readonly<Record<string, string>> = {
  'apps/api-gateway/src/products/index/data/bounded-reads.ts': 'reads that wait, at most as many as the line is long',
  'apps/api-gateway/src/core/relay/start-queue.ts': 'starts that wait, at most as many as a sweep takes',
  'libs/chain/src/rpc/replaying.observer.ts': 'answers to one question of a recorded case',
  'libs/compiler/src/solc.pool.ts': 'compilations that wait, at most `maxQueued`',
  'libs/platform/src/batching/gathering.ts': 'times of the last questions, at most `CROWD`',
  'libs/platform/src/threads/thread-pool.ts': 'questions that wait, at most `maxWaiting`',
  'libs/workflows/src/operator/timeline.ts': 'events that a timeline keeps',
};

interface Found {
  readonly superLinear: readonly string[];
  readonly composed: readonly string[];
  readonly shifted: readonly string[];
  readonly spreadInReduce: readonly string[];
  readonly patterns: number;
}

function search(): Found {
  const superLinear = new Set<string>();
  const composed = new Set<string>();
  const shifted = new Set<string>();
  const spreadInReduce = new Set<string>();
  let patterns = 0;
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !OF_TESTS.test(file));
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        patterns += 1;
        const end = node.text.lastIndexOf('/');
        if (isSuperLinear(node.text.slice(1, end), node.text.slice(end + 1))) superLinear.add(`${file} ${node.text}`);
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText(source) === 'RegExp'
      )
        composed.add(`${file} ${node.getText(source)}`);
      else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const method = node.expression.name.text;
        if (method === 'shift' && node.arguments.length === 0) shifted.add(file);
        if (method === 'reduce' && node.arguments[0] !== undefined && isSpreading(node.arguments[0]))
          spreadInReduce.add(`${file} ${node.getText(source)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return {
    superLinear: [...superLinear].sort(),
    composed: [...composed].sort(),
    shifted: [...shifted].sort(),
    spreadInReduce: [...spreadInReduce].sort(),
    patterns,
  };
}

/** Whether a reducer copies what it has gathered so far, which makes the whole quadratic. */
function isSpreading(reducer: ts.Expression): boolean {
  if (!ts.isArrowFunction(reducer)) return false;
  const gathered = reducer.parameters[0]?.name.getText();
  let found = false;
  const visit = (node: ts.Node): void => {
    if ((ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) && node.expression.getText() === gathered)
      found = true;
    ts.forEachChild(node, visit);
  };
  visit(reducer.body);
  return found;
}

describe('The patterns of the product', () => {
  const found = search();

  it('are linear in their input, except those whose bound is named here', () => {
    expect(found.patterns).toBeGreaterThan(200);
    expect(found.superLinear).toEqual(Object.keys(EXEMPT_PATTERNS).sort());
  });

  it('are never composed of foreign text', () => {
    expect(found.composed).toEqual(Object.keys(COMPOSED_PATTERNS).sort());
  });

  it('accompany no other construct that costs more than its input, since shifted arrays are bounded and no reducer copies', () => {
    expect(found.shifted).toEqual(Object.keys(SHIFTED_ARRAYS).sort());
    expect(found.spreadInReduce).toEqual([]);
  });
});

describe('The analysis', () => {
  it.each([
    ['a search through the rest from each place', '\\bpublic\\b[^;{]*\\bname\\s*[;=]', ''],
    ['runs that trade', '^application\\/json[ \\t]*(?:;x)?;?[ \\t]*$', ''],
    ['a run that takes what precedes it', '(?:BEGIN|FROM) .*END', ''],
    ['a quantifier of a quantifier', '^(?:a+)+$', ''],
    ['a run before an end', '\\s+$', ''],
  ])('finds %s', (_what, source, flags) => {
    expect(isSuperLinear(source, flags)).toBe(true);
  });

  it.each([
    ['an anchored class', '^[a-z0-9-]{1,64}$', ''],
    ['a list with a separator', '^a(?:,a)*$', ''],
    ['a run that does not take what precedes it', '"name":"[^"]*"', 'g'],
    ['a run at the end', 'key: .*', ''],
    ['a sticky search', 'public[^;]*=', 'y'],
  ])('accepts %s', (_what, source, flags) => {
    expect(isSuperLinear(source, flags)).toBe(false);
  });
});
