/** The services that have an image and run on packages. The site's build contains its packages. */
export const SERVICES = ['api-gateway', 'admission-worker', 'permit-custody', 'finality-worker', 'module-builder', 'module-review', 'indexer', 'codec-server', 'blob-collector'];
