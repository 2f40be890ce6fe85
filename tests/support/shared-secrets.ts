import { randomBytes } from "node:crypto";

/** Keys that several replicas of a test share. */
export function sharedSecrets(): { AUTH_SECRET: string; ENCRYPTION_KEY: string } {
  return { AUTH_SECRET: randomBytes(32).toString("hex"), ENCRYPTION_KEY: randomBytes(32).toString("base64") };
}
