import type { SqlValue } from "@/lib/db/database";

/** Who asks for rules. */
export interface BudgetReader {
  userId: string;
  /** Sees every rule, and changes all but those of the configuration file unless it reads only. */
  isAdmin: boolean;
  /** A reader of reports, who changes nothing. */
  readsOnly?: boolean;
}

/** The parameters $1 and $2 of every statement with these fragments. */
export function readerParams({ userId, isAdmin }: BudgetReader): SqlValue[] {
  return [userId, isAdmin];
}
