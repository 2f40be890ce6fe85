import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";

/** What the list of accounts is narrowed to, in the address. */
export const userFilterParsers = {
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["active", "suspended", "deleted"] as const),
  role: parseAsStringLiteral(["user", "admin"] as const),
  plan: parseAsString,
  page: parseAsInteger.withDefault(1),
};
