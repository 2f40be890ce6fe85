import type { LogEntry } from "../api/types";

/** A row; administrators also see the account, the node that answered and those that failed. */
export type LogRow = LogEntry & {
  username?: string;
  userId?: string;
  node?: string | null;
  failedAttempts?: { node: string }[];
};
