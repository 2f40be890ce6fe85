export const limits = {
  title: "Limits",
  lead: "Each key has rate limits. Requests over a limit get a 429 and are not billed.",
  key: "Key",
  planIs: "{name} plan",
  qps: "Requests a second (QPS)",
  rpm: "Requests a minute (RPM)",
  tpm: "Tokens a minute (TPM)",
  usedOf: "{used} of {limit}",
  unlimited: {
    qps: "No limit on requests a second",
    rpm: "No limit on requests a minute",
    tpm: "No limit on tokens a minute",
  },
  used: "{used} used",
  resets: "Frees up within {time}",
  next: {
    now: "The next request may start now.",
    tokens: "It may use up to {count} tokens.",
    further: {
      one: "{count} more may follow within this minute.",
      other: "{count} more may follow within this minute.",
    },
    wait: "The next request has to wait {time}: {limit} is used up.",
  },
  /** Of a key whose calls are refused, whatever its limits leave. */
  refused: {
    disabled: "This key is disabled: its calls are refused.",
    expired: "This key has expired: its calls are refused.",
    exhausted: "The quota of this key is used up: its calls are refused.",
  },
  noKeys: "Create a key to see its limits.",
  tiers: "All plans",
  tiersLead:
    "No plan costs anything: each call is billed by its model's prices, whatever the plan. A plan sets how fast a key may go. You choose it for each key when you create or edit the key, and may change it at any time.",
  mayChoose:
    "Your account has the plan {plan}. Each of your keys may be on {plans}; a key without a choice has the plan of your account.",
  ofPlan: {
    qps: "{count} requests a second",
    rpm: "{count} requests a minute",
    tpm: "{count} tokens a minute",
    fast: "No rate limits",
    quota: "A new key may spend {amount}, unless you set another quota.",
    free: "You can choose it for any of your keys.",
    given: "Only an administrator can give it to an account. Ask yours for it.",
  },
  yours: "Your account's",
  refusal: "What a refusal looks like",
  refusalLead:
    "The status is 429 and Retry-After says how many seconds to wait. Wait that long, then send again.",
  retryCode: "Retry in code",
};
