import type { TestServer, TestUser } from "./server";

/** The use of one limit, as the API shows it. */
interface Use {
  limit: number;
  used: number;
}

/** What the API tells of the limits of an account. */
export type ShownAccountLimits = Partial<Record<"qps" | "rpm" | "tpm" | "concurrent" | "keys", Use>> | null;

/** A new account with own limits; its first key is on the given plan. */
export async function limitedAccount(
  server: TestServer,
  limitOverrides: object | null,
  fields: Record<string, unknown> = {},
): Promise<TestUser & { id: string }> {
  const user = await server.user(fields);
  const id = (await server.api<{ id: string }>("GET", "/api/user/self", user.token)).body.id;
  await setOwnLimits(server, id, limitOverrides);
  return { ...user, id };
}

/** Sets the own limits of an account as an admin. */
export async function setOwnLimits(server: TestServer, id: string, limitOverrides: object | null) {
  const token = await server.adminToken();
  const answer = await server.api("PATCH", `/api/admin/users/${id}`, token, { limitOverrides });
  if (answer.status !== 200) throw new Error(`no limits: ${JSON.stringify(answer.body)}`);
}

/** The limits of the account of a key and what is used of them; asked as often as one likes, unlike `/v1/usage`. */
export async function accountUse(server: TestServer, user: TestUser): Promise<ShownAccountLimits> {
  const path = `/api/user/tokens/${user.keyId}/limits`;
  const answer = await server.api<{ account: ShownAccountLimits }>("GET", path, user.token);
  return answer.body.account;
}
