/** The licence notices that must accompany the code of a bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns one comment block with the licence of every package whose code is in the bundle.
 * @param {string} repository root of the tree
 * @param {string[]} paths files whose code is in the bundle, relative to the root
 */
export const noticesOf = (repository, paths) => noticeBlocksOf(repository, paths).join('');

/** Returns the blocks of `noticesOf`, in order. */
export function noticeBlocksOf(repository, paths) {
  const folders = new Set(paths.map((path) => PACKAGE.exec(path)?.[1]).filter((folder) => folder !== undefined));
  const notices = [...folders].map((folder) => notice(join(repository, folder)));
  const blocks = [...new Set(notices)].sort();
  return blocks.map((block) => `/*!\n${block}\n*/\n`);
}

/**
 * Returns the notices of Solidity sources that a bundle contains as data.
 * @param {{notices: {package: string, version: string | null, text: string}[]}} notices the notices from the same compilation
 */
export const noticeOfSources = ({ notices }) =>
  notices.map((entry) => `/*!\n${entry.package} ${entry.version ?? 'sources'}\n\n${entry.text.trim()}\n*/\n`).join('');

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (license !== 'MIT' || file === undefined)
    throw new Error(`${name} ${version} is not plainly MIT: look before it is bundled`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()}`;
}
