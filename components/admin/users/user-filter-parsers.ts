import { parseAsNumberLiteral, parseAsString, parseAsStringLiteral } from "nuqs";
import { userRoles } from "@/lib/shared/user-roles";

/** What accounts can be sorted by, with the order that a first click gives. */
export const firstOrder = {
  createdAt: "desc",
  username: "asc",
  used: "desc",
  billed30d: "desc",
  remaining: "asc",
  lastActiveAt: "desc",
} as const;

export type UserSort = keyof typeof firstOrder;

export const userSorts = [
  ...(["createdAt", "username", "used"] as const),
  ...(["billed30d", "remaining", "lastActiveAt"] as const),
];
export const pageSizes = [25, 50, 100] as const;

export const statuses = ["active", "suspended", "deleted"] as const;
export const quotas = ["low", "empty"] as const;

/** The filters of accounts in the URL. */
export const userFilterParsers = {
  search: parseAsString,
  status: parseAsStringLiteral(statuses),
  role: parseAsStringLiteral(userRoles),
  plan: parseAsString,
  quota: parseAsStringLiteral(quotas),
};

/** Their order and how many a page has, in the URL. */
export const userOrderParsers = {
  sort: parseAsStringLiteral(userSorts).withDefault("createdAt"),
  order: parseAsStringLiteral(["asc", "desc"] as const),
  size: parseAsNumberLiteral(pageSizes).withDefault(50),
};
