export { admitImage, inspectImage, type ImageFinding } from './image-admission.js';
export { IMAGE_LIMITS, type ImageDeclaration } from './image.types.js';
export { inflateExactly, type InflateExactly, type InflateFault } from './zlib.inflater.js';
