const plenty = { quantity: 1_000, windowSeconds: 1, burst: 1_000 };

/** A test sends more in a minute than a launcher in a month. Other tests cover the quotas. */
export const GENEROUS = {
  RATE_LIMITS: JSON.stringify({
    read: plenty,
    preflight: plenty,
    submit: plenty,
    create: plenty,
    hint: plenty,
    public: plenty,
    'module-submit': plenty,
    'module-create': plenty,
    'sign-in': plenty,
    'sign-in-wallet': plenty,
    'sign-in-address': plenty,
  }),
  UNFINISHED_LAUNCHES: '1000',
};
