import { endLogin, issueToken, listLogins, loginRecordOf, loginSource } from "@/lib/accounts/logins";
import { recordAudit, recordOwnAct } from "@/lib/admin/audit";
import { listOf } from "@/lib/api/schemas/list-of";
import { createTokenRequest, createTokenResponse, loginRecord } from "@/lib/api/schemas/logins";
import { pageQuery } from "@/lib/api/schemas/pages";
import { runtime } from "@/lib/gateway/runtime";
import { authContext } from "../guard";
import { defineOperation } from "../operation";

/** The caller's sign-ins and named tokens. Source: docs/contract.md#logins. */
export const loginOperations = [
  defineOperation(
    {
      method: "get",
      path: "/api/user/logins",
      id: "listLogins",
      tag: "Account",
      caller: "account",
      summary: "List your sign-ins and tokens for scripts",
      description:
        "That of this call first, then tokens for scripts, then the last used ones. A credential that an older version issued is not in the list.",
      query: pageQuery,
      success: { status: 200, description: "A page of sign-ins and tokens", schema: listOf(loginRecord) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, loginId, query }) => listLogins(authContext(), user.id, loginId, query),
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/logins",
      id: "createToken",
      tag: "Account",
      caller: "session",
      summary: "Create a token for scripts",
      description:
        "A bearer token with a name, for /api only. This is the only answer that holds the token itself. It ends at its time, when it is revoked, and with all sessions; it opens no browser session.",
      body: { schema: createTokenRequest, example: { name: "Monthly report", expiresInDays: 30 } },
      success: { status: 201, description: "The record and the token", schema: createTokenResponse },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ user, loginId, actor, body, request, clientIp }) => {
      const made = await runtime().db.orm.transaction(async (tx) => {
        const issued = await issueToken(tx, authContext(), user, body, loginSource(request, clientIp));
        const { id, name, expiresAt } = issued.login;
        await recordOwnAct(tx, actor, "login.create", user.id, { id, name, expiresAt });
        return issued;
      });
      return { login: loginRecordOf(made.login, loginId), token: made.token };
    },
  ),
  defineOperation(
    {
      method: "delete",
      path: "/api/user/logins/{id}",
      id: "endLogin",
      tag: "Account",
      caller: "account",
      summary: "End a sign-in, or revoke a token for scripts",
      success: { status: 204, description: "Ended; requests with it are refused at once" },
      errors: ["FORBIDDEN", "NOT_FOUND"],
    },
    async ({ user, actor, params }) => {
      await runtime().db.orm.transaction(async (tx) => {
        const { id, kind, name, client } = await endLogin(tx, user.id, params.id);
        const before = { id, kind, name, client };
        const target = { targetType: "user", targetId: user.id } as const;
        await recordAudit(tx, actor, { action: "login.delete", ...target, before });
      });
    },
  ),
];
