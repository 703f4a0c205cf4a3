/** Outside Node. Both inflaters accept the same streams and report the same faults. */
export { inflateExactly as inflate } from '@launch/images';
