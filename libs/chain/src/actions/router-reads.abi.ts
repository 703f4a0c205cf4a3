/** The router's getters this product reads. */
export const ROUTER_READS_ABI = [
  {
    type: 'function',
    name: 'nonceUsed',
    stateMutability: 'view',
    inputs: [
      { name: 'controller', type: 'address' },
      { name: 'nonce', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const;
