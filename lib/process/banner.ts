import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { createUser } from "@/lib/accounts/users";
import type { Settings } from "@/lib/config/env";
import type { Database } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import type { Runtime } from "@/lib/gateway/runtime";
import type { DemoAccount } from "./simulator";

/** What the banner prints; secrets are shown only once. */
export interface BannerFacts {
  url: string;
  /** The admin that this start created; null when there was one. */
  admin: FirstAdmin | null;
  /** The secret of the first key, which this start created; null when there is none to print. */
  firstKey: string | null;
  /** Whether anybody can register an account that has quota for a call. */
  registers: boolean;
  /** Accounts with simulated usage that this start created. */
  seeded: readonly DemoAccount[];
}

/** The text that the server prints when it is ready. Source: docs/contract.md#s1, #b19. */
export function banner(runtime: Runtime, facts: BannerFacts): string {
  const { settings, db, catalog } = runtime;
  const { models } = catalog.current;
  const alias = models.has("demo-chat") ? "demo-chat" : models.keys().next().value;
  const lines = [
    "",
    `  Tollgate is ready at ${facts.url}`,
    `  database   ${db.kind === "postgres" ? "PostgreSQL" : `embedded (evaluation and single-node use), in ${settings.dataDir}`}`,
    `  limits     ${settings.redisUrl === null ? "in memory" : "Redis"}`,
    ...adminLines(facts),
    ...facts.seeded.map(({ username, password }) => `  seeded     ${username}, password ${password}`),
    ...(settings.demoProvider
      ? ["  demo       the simulated provider is on: answers of demo-* aliases are made up"]
      : []),
    "",
    ...firstCallLines(facts, alias ?? "MODEL"),
    "",
  ];
  return lines.join("\n");
}

function adminLines({ admin }: BannerFacts): string[] {
  if (admin === null) return [];
  if (admin.generatedPassword === null)
    return [`  admin      ${admin.username}, with the password from INIT_ADMIN_PASSWORD`];
  return [`  admin      ${admin.username}`, `  password   ${admin.generatedPassword}   (shown only now)`];
}

function firstCallLines({ url, admin, firstKey, registers }: BannerFacts, alias: string): string[] {
  const call = (key: string) => [
    `  curl ${url}/v1/chat/completions -H "authorization: Bearer ${key}" -H 'content-type: application/json' \\`,
    `    -d '{"model":"${alias}","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}'`,
  ];
  if (firstKey !== null)
    return ["  Your first call, with the admin's first key (shown only now):", "", ...call(firstKey)];
  if (admin !== null || !registers)
    return [`  A first call, with a key that you make at ${url}/console/keys:`, "", ...call("$KEY")];
  return [
    "  A first call, with a new account and key:",
    "",
    `  TOKEN=$(curl -s ${url}/api/user/register -H 'content-type: application/json' \\`,
    `    -d '{"username":"first'$RANDOM'","password":"change-me"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
    `  KEY=$(curl -s ${url}/api/user/tokens -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `    -d '{"name":"first"}' | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')`,
    ...call("$KEY"),
  ];
}

/** The first admin of an installation. */
export interface FirstAdmin {
  id: string;
  username: string;
  /** To be printed once; null when it came from INIT_ADMIN_PASSWORD. */
  generatedPassword: string | null;
}

/**
 * Creates the first admin; null when there is an admin.
 * Throws: CONFLICT when INIT_ADMIN_USERNAME belongs to an ordinary account. Source: docs/contract.md#s2.
 */
export async function ensureFirstAdmin(db: Database, settings: Settings): Promise<FirstAdmin | null> {
  const [admin] = await db.orm.select({ id: users.id }).from(users).where(eq(users.role, "admin")).limit(1);
  if (admin) return null;
  const generatedPassword = settings.initAdminPassword === null ? newPassword() : null;
  const user = await createUser(
    db,
    { username: settings.initAdminUsername, password: settings.initAdminPassword ?? generatedPassword ?? "" },
    { quotaCents: settings.signupQuotaCents, role: "admin" },
  );
  return { id: user.id, username: user.username, generatedPassword };
}

/** A random password that can be read aloud: 20 characters of base64url, 120 bits. */
export function newPassword(): string {
  return randomBytes(15).toString("base64url");
}
