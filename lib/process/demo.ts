import type { Database } from "@/lib/db/database";

/** An account of the demo besides the admin's. */
export interface DemoAccount {
  username: string;
  /** To be printed once. */
  password: string;
}

/** What a server shows itself off with while `DEMO_SEED=1`; handed in, since it is no part of the product. */
export interface Demo {
  /** Fills an empty database with usage. Shape: the accounts made; null when it was done before. */
  seed(db: Database, adminId: string, now: Date): Promise<DemoAccount[] | null>;
  /** Calls the server at `url` for some time. Resolves once no further call is made. */
  playLiveTraffic(db: Database, url: string, ended: AbortSignal): Promise<void>;
}
