import type { Database } from "@/lib/db/database";

/** An account of the demo besides the admin's. */
export interface DemoAccount {
  username: string;
  /** Printed once at startup. */
  password: string;
}

/** The demo data and traffic of `DEMO_SEED=1`; passed in, because it is not part of the product. */
export interface Demo {
  /** Fills an empty database with usage. Shape: the created accounts; null when it ran before. */
  seed(db: Database, adminId: string, now: Date): Promise<DemoAccount[] | null>;
  /** Sends calls to the server at `url` until `ended` aborts or the traffic is over. Resolves after the last call. */
  playLiveTraffic(db: Database, url: string, ended: AbortSignal): Promise<void>;
}
