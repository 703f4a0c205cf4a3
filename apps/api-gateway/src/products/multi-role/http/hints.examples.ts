export const HINT_EXAMPLE = {
  schemaVersion: 'service.multi-role-transaction-hint.v2',
  transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
};

export const HINT_RECEIPT_EXAMPLE = {
  assertsInclusion: false,
  launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
  registeredAt: '2026-11-21T14:23:55.023Z',
  schemaVersion: 'service.multi-role-transaction-hint-receipt.v2',
  statusUrl: '/v4/chains/4663/multi-role-custom-launches/e8c13666-5a5f-47d1-b248-288eded6822e/finality',
  transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
};
