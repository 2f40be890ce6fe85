import { describe } from "vitest";
import { isComplete } from "./complete";
import { postgresServer } from "./postgres";

/**
 * Runs one suite against a server on the embedded database and one on PostgreSQL. Without PostgreSQL its suite is
 * skipped with the reason in its name. With `shortly` the embedded one is left to `npm run test:all`.
 */
export async function forEachServerDatabase(
  suite: (kind: "embedded" | "postgres") => void,
  how: { shortly: boolean } = { shortly: false },
): Promise<void> {
  const server = await postgresServer();
  if (!how.shortly || isComplete || "unavailable" in server) describe("embedded", () => suite("embedded"));
  if ("unavailable" in server) describe.skip(server.unavailable, () => {});
  else describe("postgres", () => suite("postgres"));
}

/**
 * For tests that do not depend on the database: a server on PostgreSQL needs half the processor time of an embedded
 * one. A server with a faster clock gets an embedded database, whose clock is then faster too.
 */
export async function cheapestDatabase(clockSpeed?: number): Promise<"embedded" | "postgres"> {
  return clockSpeed !== undefined || "unavailable" in (await postgresServer()) ? "embedded" : "postgres";
}
