import { parseAsInteger, parseAsNumberLiteral, parseAsString, parseAsStringLiteral } from "nuqs";

/** What accounts can be sorted by, with the order that a first click gives. */
export const firstOrder = {
  createdAt: "desc",
  username: "asc",
  used: "desc",
  remaining: "asc",
  lastActiveAt: "desc",
} as const;

export type UserSort = keyof typeof firstOrder;

export const userSorts = ["createdAt", "username", "used", "remaining", "lastActiveAt"] as const;
export const pageSizes = [25, 50, 100] as const;

/** The filters of accounts in the URL. */
export const userFilterParsers = {
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["active", "suspended", "deleted"] as const),
  role: parseAsStringLiteral(["user", "admin"] as const),
  plan: parseAsString,
  quota: parseAsStringLiteral(["low", "empty"] as const),
  sort: parseAsStringLiteral(userSorts).withDefault("createdAt"),
  order: parseAsStringLiteral(["asc", "desc"] as const),
  size: parseAsNumberLiteral(pageSizes).withDefault(50),
  page: parseAsInteger.withDefault(1),
};
