import path from 'node:path';
import { CHECKOUT } from '../checkout.js';
import type { Command } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { imageFiles, inspectImages, pinImages, type PinnedImage } from './pin-images.js';

export const pinImagesCommand: Command = {
  summary: 'Compare pinned images with their registries, or pin them anew',
  options: [
    {
      name: 'write',
      summary: 'pin the current digest of every tag; nothing is written unless a registry answers for each',
    },
    { name: 'root', value: 'folder', summary: 'the checkout', default: 'the one of this program' },
  ],
  details: `Compares the images that the Dockerfiles and docker-compose.yml pin by digest with what their registries serve, and exits
with 3 where a pinned digest is not served. A tag that has moved on is reported and is no failure: images are rebuilt under
the same tag. After --write, read the difference and commit it.

Output: a line for each image.`,
  examples: ['pin-images', 'pin-images --write'],
  async run({ root = CHECKOUT, write }, host) {
    const files = imageFiles(path.resolve(root));
    const images = await inspectImages(files, host);
    const output = images.map((one) => `${one.image}: ${stateOf(one)}\n`).join('');
    if (write !== undefined) {
      const silent = images.filter(({ current }) => current === null).map(({ image }) => image);
      if (silent.length > 0)
        throw new DeployError(
          'REGISTRY_UNAVAILABLE',
          `no digest for ${[...new Set(silent)].join(', ')}; nothing was written`,
          'Run the command again once the registry answers for every tag.',
          output,
        );
      pinImages(files, images);
      return output;
    }
    const refused = images.filter(({ isServed }) => !isServed).map(({ image }) => image);
    if (refused.length > 0)
      throw new DeployError(
        'IMAGE_NOT_SERVED',
        `not pinned, or pinned to a digest that its registry does not serve: ${[...new Set(refused)].join(', ')}`,
        'Pin the current digests: launch-deploy pin-images --write.',
        output,
      );
    return output;
  },
};

function stateOf({ pinned, current, isServed }: PinnedImage): string {
  if (pinned === null) return 'not pinned';
  if (!isServed) return `${pinned} cannot be fetched`;
  return pinned === current ? 'as pinned' : `the tag stands for ${current ?? 'nothing'} now`;
}
