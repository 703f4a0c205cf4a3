export const FINALITY_EXAMPLE = {
  basis: null,
  checkpoint: {
    blockHash: '0x2c83aed396ecdb34d3e76e8dfb379155e9b5f38f0688493ee3938a31a98ef3e3',
    blockNumber: '1103',
    common: '1103',
    epoch: null,
    observers: [
      {
        id: 'l1-a',
        observedAt: '2026-11-21T14:24:06.333Z',
        responseSha256: 'sha256:f0605c7f8be63758847ade3ca3c268bc3c99545d66cca484c9a0deba4ae83b27',
      },
      {
        id: 'l1-b',
        observedAt: '2026-11-21T14:24:06.337Z',
        responseSha256: 'sha256:f0605c7f8be63758847ade3ca3c268bc3c99545d66cca484c9a0deba4ae83b27',
      },
    ],
  },
  estimatedNextStageAt: null,
  finalizedAt: '2026-11-21T14:24:06.868Z',
  inclusion: {
    blockHash: '0xa25648bd63a812778af9cafecfb63cd6ac50a0b1909dbafabbf3e6fac522715c',
    blockNumber: '4112',
    logsSha256: 'sha256:9a8f0791c3350a9881243182fbf9faa2060dcc7e6382ecbbd084b7599b0d3dbd',
    observers: [
      {
        id: 'l2-a',
        observedAt: '2026-11-21T14:23:55.396Z',
        responseSha256: 'sha256:21732ea2c1e739e9100a47aa4687e1221cda396d16d48aee4c652c3ae64ef048',
      },
      {
        id: 'l2-b',
        observedAt: '2026-11-21T14:23:55.424Z',
        responseSha256: 'sha256:21732ea2c1e739e9100a47aa4687e1221cda396d16d48aee4c652c3ae64ef048',
      },
    ],
    receiptStatus: 'success',
    transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
    transactionIndex: 0,
  },
  launchId: 'e8c13666-5a5f-47d1-b248-288eded6822e',
  observation: { at: '2026-11-21T14:24:06.868Z', reason: null, status: 'agreed' },
  posting: {
    afterAcc: '0xfbb6d67a43a058177f376648a1cf994f4e417f1f56b75e2a0a81e2276e5f3ad2',
    batchNumber: '490',
    batchTransactionHash: '0xd39623359e3e7962d7acdc80906ab935817b396c9af70755bc2b3293a643aff2',
    firstL2Block: '4109',
    l1BlockHash: '0xbed3fb2f48bb80ce3011f4568e12558860bb592221da324446b90fff266b30cd',
    l1BlockNumber: '1102',
    lastL2Block: '4116',
    logIndex: 0,
    observers: [
      {
        id: 'l1-a',
        observedAt: '2026-11-21T14:23:55.919Z',
        responseSha256: 'sha256:5cd2eab8e759274405ec8ab1bb517d5b9a2b619720accc8d409170d50dabb4e3',
      },
      {
        id: 'l1-b',
        observedAt: '2026-11-21T14:23:55.923Z',
        responseSha256: 'sha256:5cd2eab8e759274405ec8ab1bb517d5b9a2b619720accc8d409170d50dabb4e3',
      },
    ],
    sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
  },
  schemaVersion: 'service.multi-role-finality-status.v2',
  state: 'ethereum_finalized',
  transactionHash: '0x1d3cf83062e1a44bdc24f5aa75cde23f9307fee8c549d3c6a9ed35e22838d636',
};
