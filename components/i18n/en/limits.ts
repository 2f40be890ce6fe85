export const limits = {
  title: "Limits",
  lead: "How fast a key may go. Requests over the limit get a 429 and are not billed.",
  key: "Key",
  planIs: "{name} plan",
  qps: "Requests a second (QPS)",
  rpm: "Requests a minute (RPM)",
  tpm: "Tokens a minute (TPM)",
  usedOf: "{used} of {limit}",
  unlimited: "{used}, no limit",
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
    "A plan sets how fast a key may go. It has no price of its own: each call is billed by the model's prices. Choose a plan when you create or edit a key.",
  mayChoose:
    "Your account has the plan {plan}. Each of your keys may be on {plans}; a key without a choice has the plan of your account.",
  mayNotChoose: "An administrator gives an account {plans}.",
  columns: {
    plan: "Plan",
    qps: "QPS",
    rpm: "RPM",
    tpm: "TPM",
    quota: "Default key quota",
    choose: "Who can choose it",
  },
  noLimit: "Unlimited",
  everyone: "Everybody",
  onRequest: "Assigned by an administrator",
  yours: "Yours",
  refusal: "What a refusal looks like",
  refusalLead:
    "The status is 429 and Retry-After says how many seconds to wait. Wait that long, then send again.",
  retryCode: "Retry in code",
};
