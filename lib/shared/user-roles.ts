/** The roles of accounts; a `reader` may read the reports of the Admin space. Source: docs/contract.md#roles. */
export const userRoles = ["user", "reader", "admin"] as const;

/** The role of an account. */
export type UserRole = (typeof userRoles)[number];
