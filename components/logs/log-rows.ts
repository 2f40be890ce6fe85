import type { LogEntry } from "../api/types";

/** A row; administrators also see whose it is and which node answered. */
export type LogRow = LogEntry & { username?: string; userId?: string; node?: string | null };
