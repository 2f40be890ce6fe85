/**
 * Members of a timeline that are no stage: the limit of the plan that refused the request, with how much it allows as the
 * value.
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
