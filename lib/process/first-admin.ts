import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { createUser } from "@/lib/accounts/users";
import type { Settings } from "@/lib/config/env";
import { runExclusively } from "@/lib/config/exclusively";
import { StartupError } from "@/lib/config/startup-error";
import type { Database, Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { isGatewayError } from "@/lib/kernel/errors";

/** The first admin of an installation. */
export interface FirstAdmin {
  id: string;
  username: string;
}

/**
 * Creates the first admin; null when there is an admin. When several processes start at once, one creates it. `tell` is
 * called with the lines to show before the admin is stored, so that no admin exists whose generated password was never
 * shown; `say` is called with a line about every wait for another process.
 * Throws: StartupError when INIT_ADMIN_USERNAME belongs to an ordinary account. Source: docs/contract.md#first-admin.
 */
export async function ensureFirstAdmin(
  db: Database,
  settings: Settings,
  tell: (text: string) => void,
  say?: (line: string) => void,
): Promise<FirstAdmin | null> {
  if (await hasAdmin(db)) return null;
  const create = async (session: Session) => {
    if (await hasAdmin(session)) return null;
    try {
      return await createAdmin(session, settings, tell);
    } catch (error) {
      if (!isGatewayError(error) || error.code !== "CONFLICT") throw error;
      // A process of an earlier version does not take the lock.
      if (await hasAdmin(session)) return null;
      throw new StartupError("The first admin cannot be created:", [
        `INIT_ADMIN_USERNAME=${settings.initAdminUsername} is the name of an ordinary account; set another name`,
      ]);
    }
  };
  return runExclusively(db, create, say && { say });
}

async function createAdmin(
  session: Session,
  { initAdminUsername, initAdminPassword, signupQuotaCents }: Settings,
  tell: (text: string) => void,
): Promise<FirstAdmin> {
  const password = initAdminPassword ?? newPassword();
  const { id, username } = await createUser(
    session,
    { username: initAdminUsername, password },
    { quotaCents: signupQuotaCents, role: "admin" },
    async (_tx, user) => tell(adminText(user.username, initAdminPassword === null ? password : null)),
  );
  return { id, username };
}

function adminText(username: string, generatedPassword: string | null): string {
  if (generatedPassword === null)
    return `\n  admin      ${username}, with the password from INIT_ADMIN_PASSWORD\n`;
  return `\n  admin      ${username}\n  password   ${generatedPassword}   (shown only now)\n`;
}

async function hasAdmin({ orm }: Pick<Session, "orm">): Promise<boolean> {
  const [admin] = await orm.select({ id: users.id }).from(users).where(eq(users.role, "admin")).limit(1);
  return admin !== undefined;
}

/** A random password that can be read aloud: 20 characters of base64url, 120 bits. */
export function newPassword(): string {
  return randomBytes(15).toString("base64url");
}
