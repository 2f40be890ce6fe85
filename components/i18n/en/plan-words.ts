/** What a plan allows, in sentences. */
export const planWords = {
  title: "What this plan allows",
  limits: {
    qps: "{count} requests a second",
    rpm: "{count} requests a minute",
    tpm: "{count} tokens a minute",
    concurrent: "{count} calls at once",
  },
  ofAccount: "All keys of an account with this plan together, whatever plans they have, may make {limits}.",
  keysOfAccount: "An account with this plan may have {count} keys.",
  atMost: "Each key on it may make {limits}; more is refused with 429.",
  noLimits: "Keys on it may go as fast as they like.",
  keyQuota: "A key that is created without a quota may spend {amount}.",
  open: "Every account may put its keys on this plan, whatever its own plan is; nobody has to approve it, and it costs nothing.",
  closed: "Only accounts whose own plan this is may put keys on it. An admin gives an account its plan.",
  ofAccounts:
    "Accounts with this plan may put each of their keys on {plans}. A key without a choice has this one.",
  notOn: "They may not choose {plans}.",
  nothingElse: "It limits no models and changes no prices.",
};
