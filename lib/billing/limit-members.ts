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

const BUDGET_MEMBER = "budget.";

/** The member for the rule that refused the request; the value is the rule's limit, in its own unit. */
export function budgetMember(budgetId: string): string {
  return `${BUDGET_MEMBER}${budgetId}`;
}

/** The id of the rule that such a member is about; null: it is another member. */
export function budgetOfMember(member: string): string | null {
  return member.startsWith(BUDGET_MEMBER) ? member.slice(BUDGET_MEMBER.length) : null;
}
