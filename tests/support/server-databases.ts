import { describe } from "vitest";
import { postgresServer } from "./postgres";

/**
 * Runs one suite against a server on the embedded database and one on PostgreSQL. Where PostgreSQL cannot be had,
 * its suite is skipped and its name says why.
 */
export async function forEachServerDatabase(suite: (kind: "embedded" | "postgres") => void): Promise<void> {
  describe("embedded", () => suite("embedded"));
  const server = await postgresServer();
  if ("unavailable" in server) describe.skip(server.unavailable, () => {});
  else describe("postgres", () => suite("postgres"));
}

/**
 * For what is the same on every database: a server on PostgreSQL needs half the processor time of an embedded one. Where
 * time passes faster for the server, its database is embedded, so that it passes faster there as well.
 */
export async function cheapestDatabase(clockSpeed?: number): Promise<"embedded" | "postgres"> {
  return clockSpeed !== undefined || "unavailable" in (await postgresServer()) ? "embedded" : "postgres";
}
