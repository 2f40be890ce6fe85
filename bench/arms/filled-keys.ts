import postgres, { type Sql } from "postgres";
import { generateKey } from "@/lib/accounts/key-text";

/** Keys that a server gets besides its own, spread evenly over accounts. */
export interface ManyKeys {
  accounts: number;
  keys: number;
}

const NAME = "keys";
/** More than any run uses, of an account and of a key. Units: micro-cents. */
export const AMPLE_QUOTA = 9_000_000_000_000_000;

/** Writes accounts without a password, and with unused quota, into the product's tables. */
export async function fillAccounts(sql: Sql, name: string, count: number): Promise<void> {
  await sql`
    INSERT INTO users (username, username_key, password_hash, plan_id, quota_micro_cents, invite_code)
    SELECT ${name} || n, ${name} || n, 'no password has this hash', 1, ${AMPLE_QUOTA}::bigint, ${name} || n
    FROM generate_series(1, ${count}::int) n`;
}

/** Writes accounts and keys into a server's database and returns the keys. */
export async function fillKeys(databaseUrl: string, { accounts, keys }: ManyKeys): Promise<string[]> {
  const made = Array.from({ length: keys }, generateKey);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await fillAccounts(sql, NAME, accounts);
    await sql`
      INSERT INTO api_keys (user_id, key_hash, key_prefix, name, plan_id, quota_micro_cents)
      SELECT u.id, decode(k.hash, 'hex'), k.prefix, 'Key ' || k.n, 1, ${AMPLE_QUOTA}::bigint
      FROM unnest(
        ${made.map(({ keyHash }) => keyHash.toString("hex"))}::text[],
        ${made.map(({ keyPrefix }) => keyPrefix)}::text[]
      ) WITH ORDINALITY k(hash, prefix, n)
      JOIN users u ON u.username_key = ${NAME} || (1 + k.n % ${accounts}::int)`;
    await sql.unsafe("VACUUM ANALYZE");
  } finally {
    await sql.end();
  }
  return made.map(({ key }) => key);
}
