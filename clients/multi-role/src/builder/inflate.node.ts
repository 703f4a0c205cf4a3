/** Node's zlib is several times as fast as the library's own inflater. */
export { inflateNatively as inflate } from '@launch/images/node';
