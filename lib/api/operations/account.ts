import { inPasswordQueue } from "@/lib/accounts/password";
import { changePassword, deleteSelf, endAllSessions, updateSelf } from "@/lib/accounts/self";
import { countAttempt, issueFor, loginBody, signIn } from "@/lib/accounts/sign-in";
import { profileOf } from "@/lib/accounts/users";
import { recordOwnAct } from "@/lib/admin/audit";
import { register, registrationClosed } from "@/lib/admin/settings";
import { userChanged } from "@/lib/api/guard";
import { runtime } from "@/lib/gateway/runtime";
import { actorOf, authContext } from "../guard";
import { defineOperation } from "../operation";
import {
  changePasswordRequest,
  deleteSelfRequest,
  issuedToken,
  loginRequest,
  loginResponse,
  profile,
  registerRequest,
  updateSelfRequest,
} from "../schemas/account";

const person = { username: "alice", password: "correct-horse" };

/** Registration, login and the caller's own account. Source: docs/contract.md#s5. */
export const accountOperations = [
  defineOperation(
    {
      method: "post",
      path: "/api/user/register",
      id: "register",
      tag: "Account",
      caller: "public",
      summary: "Create an account",
      description:
        "403 with the reason `invite_required` where admins have asked for invite codes and `inviteCode` is neither that of an active account nor that of an invitation with a use left, and with `registration_closed` while nobody may register.",
      body: { schema: registerRequest, example: person },
      success: {
        status: 201,
        description: "The account and a bearer token for 7 days",
        schema: loginResponse,
      },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "CONFLICT", "RATE_LIMITED"],
    },
    async ({ body, clientIp }) => {
      const { db, settings, catalog } = runtime();
      if (!settings.allowRegistration) throw registrationClosed();
      const user = await inPasswordQueue(async () => {
        await countAttempt(db, "register", clientIp, settings.registerPerIpPerMinute);
        return register(db, settings, catalog.current, body, clientIp);
      });
      return loginBody(authContext(), user);
    },
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/login",
      id: "login",
      tag: "Account",
      caller: "public",
      summary: "Log in",
      body: { schema: loginRequest, example: person },
      success: {
        status: 200,
        description: "The account and a bearer token for 7 days",
        schema: loginResponse,
      },
      errors: ["INVALID_REQUEST", "INVALID_CREDENTIALS", "FORBIDDEN", "RATE_LIMITED"],
    },
    async ({ body, clientIp }) => {
      const { db, settings } = runtime();
      const user = await inPasswordQueue(async () => {
        await countAttempt(db, "login", clientIp, settings.loginPerIpPerMinute);
        return signIn(db, body.username, body.password);
      });
      if (user.role === "admin") await recordOwnAct(db.orm, actorOf(user, clientIp), "user.login", user.id);
      return loginBody(authContext(), user);
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/self",
      id: "getSelf",
      tag: "Account",
      caller: "account",
      summary: "Show your account",
      success: { status: 200, description: "The account; money in cents", schema: profile },
    },
    async ({ user }) => profileOf(user),
  ),
  defineOperation(
    {
      method: "patch",
      path: "/api/user/self",
      id: "updateSelf",
      tag: "Account",
      caller: "account",
      summary: "Change your name or e-mail",
      body: { schema: updateSelfRequest, example: { name: "Alice" } },
      success: { status: 200, description: "The account", schema: profile },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, body }) => profileOf(await updateSelf(runtime().db, user, body)),
  ),
  defineOperation(
    {
      method: "delete",
      path: "/api/user/self",
      id: "deleteSelf",
      tag: "Account",
      caller: "account",
      summary: "Delete your account",
      description: "Keys end at once and personal fields are erased; money records stay.",
      body: { schema: deleteSelfRequest, example: { password: person.password } },
      success: { status: 204, description: "Deleted" },
      errors: ["INVALID_REQUEST", "CONFLICT", "RATE_LIMITED"],
    },
    async ({ user, actor, body }) => {
      const { db, clock } = runtime();
      await deleteSelf(db, user, body.password, clock.date());
      await recordOwnAct(db.orm, { ...actor, username: "deleted" }, "user.delete", user.id);
      await userChanged(user.id);
    },
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/self/logout-everywhere",
      id: "endSessions",
      tag: "Account",
      caller: "account",
      summary: "End every session and bearer token",
      success: { status: 204, description: "Ended" },
    },
    async ({ user }) => {
      await endAllSessions(runtime().db, user.id);
      await userChanged(user.id);
    },
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/self/password",
      id: "changePassword",
      tag: "Account",
      caller: "account",
      summary: "Change your password",
      description: "Every older session and bearer token ends.",
      body: {
        schema: changePasswordRequest,
        example: { currentPassword: person.password, newPassword: "battery-staple" },
      },
      success: { status: 200, description: "A new bearer token", schema: issuedToken },
      errors: ["INVALID_REQUEST", "RATE_LIMITED"],
    },
    async ({ user, actor, body }) => {
      const { db } = runtime();
      const changed = await changePassword(db, user, body.currentPassword, body.newPassword);
      await recordOwnAct(db.orm, actor, "user.password", user.id);
      await userChanged(user.id);
      const { token, expiresAt } = await issueFor(authContext(), changed);
      return { token, expiresAt: expiresAt.toISOString() };
    },
  ),
];
