import { randomUUID } from "node:crypto";
import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { logins, users } from "@/lib/db/schema/accounts";
import { DAY_MS, SECOND_MS } from "@/lib/kernel/durations";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { offsetOf, type PageRequest, pageOf } from "./page";
import { ownProfileOf } from "./profile";
import { type AuthContext, issueJwt, LOGIN_SECONDS, type LoginRow, type UserRow } from "./session";

/** The program and address that a login comes from. */
export interface LoginSource {
  /** Its user agent. */
  client: string;
  ip: string;
}

const MAX_CLIENT_LENGTH = 200;

/** The program and address of a request, as the list of sign-ins shows them. */
export function loginSource(request: Request, ip: string): LoginSource {
  return { client: (request.headers.get("user-agent") ?? "").slice(0, MAX_CLIENT_LENGTH), ip };
}

/** Issues a bearer token of a new login for an account at its current token version. */
export async function issueFor(context: AuthContext, user: UserRow, from: LoginSource) {
  const made = await issueLogin(context.db.orm, context, user, { ...from, kind: "login", name: null });
  return { token: made.token, expiresAt: made.login.expiresAt };
}

/** The body of a successful registration or login. Source: docs/contract.md#s5. */
export async function loginBody(context: AuthContext, user: UserRow, from: LoginSource) {
  const { token, expiresAt } = await issueFor(context, user, from);
  return { user: await ownProfileOf(context.db, user), token, expiresAt: expiresAt.toISOString() };
}

/** The most named tokens of one account; the first page of its list holds as many. */
const MAX_TOKENS = 50;

/**
 * Creates a bearer token with a name; only this result contains it. Runs within a transaction and locks the account, so
 * that parallel calls cannot exceed the limit. Throws: CONFLICT (too many).
 */
export async function issueToken(
  tx: Orm,
  context: AuthContext,
  user: UserRow,
  input: { name: string; expiresInDays: number },
  from: LoginSource,
) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, user.id)).for("update");
  const { tokens } = onlyRow(
    await tx
      .select({ tokens: count() })
      .from(logins)
      .where(and(isListed(user.id, context.now()), eq(logins.kind, "token"))),
  );
  if (tokens >= MAX_TOKENS) {
    throw new GatewayError("CONFLICT", `An account has at most ${MAX_TOKENS} tokens. Revoke one first.`);
  }
  const seconds = (input.expiresInDays * DAY_MS) / SECOND_MS;
  return issueLogin(tx, context, user, { ...from, kind: "token", name: input.name }, seconds);
}

async function issueLogin(
  orm: Orm,
  { secrets, now }: AuthContext,
  user: UserRow,
  values: Pick<LoginRow, "kind" | "name" | "client" | "ip">,
  seconds = LOGIN_SECONDS,
) {
  const createdAt = now();
  const id = randomUUID();
  const claims = { userId: user.id, tokenVersion: user.tokenVersion, loginId: id };
  const { token, expiresAt } = await issueJwt(secrets.jwt, claims, createdAt, seconds);
  const login = { ...values, id, userId: user.id, createdAt, expiresAt, lastUsedAt: null };
  await orm.insert(logins).values(login);
  return { login, token };
}

/** A login as the API shows it. `currentId`: the login of the caller. */
export function loginRecordOf(row: LoginRow, currentId: string | null) {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    client: row.client,
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    current: row.id === currentId,
  };
}

const isListed = (userId: string, now: Date) => and(eq(logins.userId, userId), gt(logins.expiresAt, now));

/** A page of the logins of an account: that of the caller, then named tokens, then the last used ones. */
export async function listLogins(
  { db, now }: AuthContext,
  userId: string,
  currentId: string | null,
  request: PageRequest,
) {
  const isOwn = isListed(userId, now());
  const rows = await db.orm
    .select()
    .from(logins)
    .where(isOwn)
    .orderBy(
      desc(sql`${logins.id} IS NOT DISTINCT FROM ${currentId}::uuid`),
      desc(eq(logins.kind, "token")),
      desc(sql`coalesce(${logins.lastUsedAt}, ${logins.createdAt})`),
      logins.id,
    )
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const { total } = onlyRow(await db.orm.select({ total: count() }).from(logins).where(isOwn));
  return pageOf(
    request,
    rows.map((row) => loginRecordOf(row, currentId)),
    total,
  );
}

/** Ends one login of an account: its credential is refused from now on. Throws: NOT_FOUND. */
export async function endLogin(orm: Orm, userId: string, id: string): Promise<LoginRow> {
  const isIt = and(eq(logins.id, id), eq(logins.userId, userId));
  const [ended] = isUuid(id) ? await orm.delete(logins).where(isIt).returning() : [];
  if (ended === undefined) throw new GatewayError("NOT_FOUND", "There is no such sign-in.");
  return ended;
}

/** Deletes expired logins, whose credentials are no longer accepted. */
export async function sweepLogins(db: Session, now: Date): Promise<void> {
  await db.orm.delete(logins).where(lt(logins.expiresAt, now));
}
