/** The published closures: the exact compiler input of each recipe, and what its licences ask for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from './canonical-json.mjs';
import { packageOf, packageVersion, packages, solidityDir, sourceClosure } from './sources.mjs';
import { standardJsonInput } from './solc.mjs';

/** A recipe's contracts, compiled alone: their bytecode cannot depend on anything a submitter lacks. */
const entries = {
  native20: ['src/native20/Native20.sol'],
  inventory: [
    'src/inventory/InventoryHook.sol',
    'src/inventory/InventoryInitializer.sol',
    'src/inventory/InventoryToken.sol',
  ],
};

/** @typedef {keyof typeof entries} Recipe */
export const recipes = /** @type {Recipe[]} */ (Object.keys(entries));
/** @param {Recipe} recipe */
export const recipeSources = (recipe) => sourceClosure(entries[recipe]);

const ownPackage = '@launch/solidity';
const noticeFiles = {
  [ownPackage]: 'launch-solidity.txt',
  '@openzeppelin/contracts': 'openzeppelin-contracts.txt',
  '@uniswap/v4-core': 'uniswap-v4-core.txt',
};

/**
 * Canonical Standard JSON input, the very bytes a request carries.
 * @param {Recipe} recipe
 */
export const recipeStandardJson = (recipe) => canonicalJson(standardJsonInput(recipeSources(recipe)));

/**
 * Per source its licence and package; per package its version and the notice that must travel with copies.
 * @param {Recipe} recipe
 */
export function recipeNotices(recipe) {
  const sources = Object.entries(recipeSources(recipe)).map(([path, { content }]) => {
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
