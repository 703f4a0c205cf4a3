/** The published reference closure: the exact compiler input of the combined project, and what its licences ask for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from './canonical-json.mjs';
import { packageOf, packageVersion, packages, solidityDir, sourceClosure } from './sources.mjs';
import { standardJsonInput } from './solc.mjs';

export const native20Entry = 'src/native20/Native20.sol';
export const native20Sources = () => sourceClosure([native20Entry]);

const ownPackage = '@launch/solidity';
const noticeFiles = {
  [ownPackage]: 'launch-solidity.txt',
  '@openzeppelin/contracts': 'openzeppelin-contracts.txt',
  '@uniswap/v4-core': 'uniswap-v4-core.txt',
};

/** Canonical Standard JSON input, the very bytes a request carries. */
export const native20StandardJson = () => canonicalJson(standardJsonInput(native20Sources()));

/** Per source its licence and package; per package its version and the notice that must travel with copies. */
export function native20Notices() {
  const sources = Object.entries(native20Sources()).map(([path, { content }]) => {
    const license = /^\/\/ SPDX-License-Identifier: (\S+)/m.exec(content)?.[1] ?? null;
    return { path, license, package: packageOf(path) ?? ownPackage };
  });
  const notices = [ownPackage, ...packages].map((name) => ({
    package: name,
    version: name === ownPackage ? null : packageVersion(name),
    license: 'MIT',
    text: readFileSync(join(solidityDir, 'notices', noticeFiles[name]), 'utf8'),
  }));
  return { schemaVersion: 'service.source-closure-notices.v1', sources, notices };
}
