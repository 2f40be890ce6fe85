import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";

/** The filters of accounts in the URL. */
export const userFilterParsers = {
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["active", "suspended", "deleted"] as const),
  role: parseAsStringLiteral(["user", "admin"] as const),
  plan: parseAsString,
  page: parseAsInteger.withDefault(1),
};
