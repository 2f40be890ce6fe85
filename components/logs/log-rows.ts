import type { LogEntry } from "../api/types";
import type { LogPath } from "./log-query";

/** A row; administrators also see the account, the node that answered and those that failed. */
export type LogRow = LogEntry & {
  username?: string;
  userId?: string;
  node?: string | null;
  failedAttempts?: { node: string }[];
};

/** The source of a log: the account's own, or that of all accounts. */
export interface LogSource {
  logs: LogPath;
  admin: boolean;
}
