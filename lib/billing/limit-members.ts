/**
 * Members of a timeline that are not stages: the limit of the plan that refused the request; the value is the limit's
 * amount.
 */
export const limitMembers = {
  key: { qps: "limit.qps", rpm: "limit.rpm", tpm: "limit.tpm", concurrent: "limit.concurrent" },
  account: {
    qps: "limit.account.qps",
    rpm: "limit.account.rpm",
    tpm: "limit.account.tpm",
    concurrent: "limit.account.concurrent",
  },
} as const;
