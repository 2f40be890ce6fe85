import type { Messages } from "../../i18n/messages";

/** What is said of the ticked records of every kind, in words for that kind. */
export type BulkWords = Pick<
  Messages["adminUsers"]["bulk"],
  | "selected"
  | "region"
  | "actions"
  | "clear"
  | "partlyTitle"
  | "noneTitle"
  | "none"
  | "partly"
  | "who"
  | "why"
  | "unknown"
>;
