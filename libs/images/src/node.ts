export { inflateNatively } from './native.inflater.js';
