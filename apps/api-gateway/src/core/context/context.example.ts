export const INSTRUCTION_POLICY_EXAMPLE = {
  document: {
    afterTerminator: 'unreachable-until-valid-jumpdest',
    declaredDataRanges: 'none',
    emptyRuntime: 'refused',
    entryPoints: ['program-counter-zero', 'valid-jumpdest'],
    forbidden: [
      { mnemonic: 'CREATE', opcode: '0xf0' },
      { mnemonic: 'CALLCODE', opcode: '0xf2' },
      { mnemonic: 'DELEGATECALL', opcode: '0xf4' },
      { mnemonic: 'CREATE2', opcode: '0xf5' },
      { mnemonic: 'SELFDESTRUCT', opcode: '0xff' },
    ],
    id: 'service.runtime-instructions.reachable.v1',
    metadata: 'counted',
    pushImmediates: 'skipped',
    schemaVersion: 'service.runtime-instruction-policy-document.v1',
    scope: 'reachable',
    terminators: [
      { mnemonic: 'STOP', opcode: '0x00' },
      { mnemonic: 'JUMP', opcode: '0x56' },
      { mnemonic: 'RETURN', opcode: '0xf3' },
      { mnemonic: 'REVERT', opcode: '0xfd' },
      { mnemonic: 'INVALID', opcode: '0xfe' },
    ],
    unknownInstructions: 'fall-through',
    unsupportedPrefixes: ['0xef'],
  },
  id: 'service.runtime-instructions.reachable.v1',
  policyHash: '0x400579abce059a5a37989bc25f8cae771ac1e87fb7c132b5de97d256f5ba76d2',
};

/** The context of the development chains, as the service returns it. */
export const CONTEXT_EXAMPLE = {
  caip2: 'eip155:4663',
  chainBindings: {
    permitAuthorities: ['0x6048941214d6d7b930c5a5e6a922fb6b89a29cf9'],
    platformFeeRecipient: '0xc1537fb919f2c934509a6d0f1c0175c1541d050a',
    poolManager: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
    router: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
  },
  chainDeployment: {
    bridge: '0x4ed37b30b41db43d669d955c82384b8abd5e7865',
    genesisBlock: '0',
    nodeInterface: '0x00000000000000000000000000000000000000c8',
    poolManager: {
      address: '0xb4d762979a33ed0caf646f347d4e9917ab620f92',
      runtimeCodeHash: '0x87d2483ce1000927b5e6679fcb4018e839c3cd09ef45f74018e7eea65607f408',
    },
    router: {
      address: '0x55c83d62c861cdf27b58d5bde4c271009d2ecae5',
      runtimeCodeHash: '0x811d3cd7fdcb312eb6581043657a485792243f10eba2d699b63402bd7ba76200',
    },
    sequencerInbox: '0x81d9c56c7968480cc64ccf883dc2a8467fc16aab',
  },
  chainDeploymentId: 'chain-mainnet-custom-launch-v1',
  chainId: '4663',
  profile: {
    compilerVersions: ['0.8.24', '0.8.26', '0.8.28', '0.8.30'],
    instructionPolicy: INSTRUCTION_POLICY_EXAMPLE,
    limits: {
      initCodeBytes: 49152,
      permitWindowSeconds: 3600,
      requestBytes: 16777216,
      runtimeCodeBytes: 24576,
      transactionBytes: 95000,
    },
    profileId: 'development-reachable',
    recipes: [
      {
        id: 'native20.combined',
        templateSetHash: '0xe0003b6360920570b8f11e9ce173f7c18c95b92754b7ac056ec0ebdac25df3f8',
        version: '1',
      },
      {
        id: 'inventory.funded',
        templateSetHash: '0xab2893df52820ed98c9fcb92934ae3579608dd3953cb3fe665e615ee224b8aa6',
        version: '3',
      },
    ],
    runtimeRelease: {
      schemaVersion: 'service.multi-role-runtime-release-instance.v2',
      sourceCommit: 'bc2bd161ffb5114bab2e4a9127f64da0ff0211ea',
      sourceTree: 'be130e080dfc732c83f27677531d736a12b213f4',
    },
    schemaVersion: 'service.multi-role-launch-profile.v2',
  },
  providerProfile: {
    finalityPolicyId: 'service.ethereum-finality.v1',
    l1Observers: [
      { id: 'l1-a', originCommitment: '0x2b962a127f79bf7e5301bbc98a59cb43478a7a2ffac342ebf6c0cb868a6e7489' },
      { id: 'l1-b', originCommitment: '0xb7f03aec5580ab7835c1e9d300175e33fc291a45bca3b38d7b6b3880fc5a7ed0' },
    ],
    l2Observers: [
      { id: 'l2-a', originCommitment: '0xea6189dbf2b7974aa919d8bd494b1257272bc226f8a3c32de8c19924b952ec0b' },
      { id: 'l2-b', originCommitment: '0xb07161699438d28bd093539743c88e31de398cb3140a8cf2efb3627a114eed33' },
    ],
  },
};
