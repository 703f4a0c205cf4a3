export const PREFLIGHT_EXAMPLE = {
  findings: [],
  permitSigned: false,
  readiness: 'independent-admission-required',
  requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
  requestSha256: 'sha256:e9cc4c2bbb9cf8b500d6ba051554a798c0888d913d49e9505ebb0c84e88cbc1d',
  schemaVersion: 'service.multi-role-custom-launch-preflight.v2',
  source: {
    disposition: 'source_supported',
    findingCodes: [],
    receipt: {
      contextHash: '0xf9d231a13b6cd6d0974502d11c1ce00baed1ffa6685248f53bacf20b750b58f1',
      economicsHash: '0xa3b3d7a099015001c473eb03049bc4da410c612566caafa1d4adc56e109f71cb',
      kind: 'preflight',
      receiptHash: 'sha256:a4d606d2461e573a30c81825a13c60aeeaa39772c17344aa383ab5fff2f289b7',
      requestHash: '0x2fe9cb04851a9a2a6ef04acaed8793740d6aa7d662eccafb2be11128ad776087',
    },
    remediation: null,
  },
  transactionBroadcast: false,
  walletTransactionProduced: false,
};
