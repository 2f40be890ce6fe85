import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { createUser } from "@/lib/accounts/users";
import type { Settings } from "@/lib/config/env";
import type { Database } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";

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
