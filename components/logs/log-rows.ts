import type { LogEntry } from "../api/types";

/** A row; administrators also see the account and the node that answered. */
export type LogRow = LogEntry & { username?: string; userId?: string; node?: string | null };
