import type { z } from "zod";
import { issueFor, loginBody, loginSource } from "@/lib/accounts/logins";
import { wholeList } from "@/lib/accounts/page";
import { inPasswordQueue } from "@/lib/accounts/password";
import { ownProfileOf } from "@/lib/accounts/profile";
import { changePassword, deleteSelf, endAllSessions, updateSelf } from "@/lib/accounts/self";
import { refuseOtherAddress } from "@/lib/accounts/session";
import { countAttempt, signIn } from "@/lib/accounts/sign-in";
import { recordOwnAct } from "@/lib/admin/audit";
import { recordLeftBehind } from "@/lib/admin/left-behind";
import { register, registrationClosed } from "@/lib/admin/settings";
import { userById } from "@/lib/admin/user-records";
import { keyChanged, userChanged } from "@/lib/api/announce-changes";
import { actorOf, authContext } from "@/lib/api/guard";
import { ledgerEntry, ledgerFilter, ledgerMonths, ledgerQuery } from "@/lib/api/schemas/ledger";
import { listOf } from "@/lib/api/schemas/list-of";
import {
  changePasswordRequest,
  deleteSelfRequest,
  ownProfile,
  updateSelfRequest,
} from "@/lib/api/schemas/profile";
import { issuedToken, loginRequest, loginResponse, registerRequest } from "@/lib/api/schemas/sign-in";
import { runtime } from "@/lib/gateway/runtime";
import { addDays, calendarOf } from "@/lib/reports/calendar";
import { type Columns, csvOf } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";
import { type LedgerEntry, listLedger, readLedgerMonths, walkLedger } from "@/lib/reports/ledger";
import { defineOperation } from "../operation";
import { exportQuery, zoneQuery } from "../schemas/stats";

const person = { username: "alice", password: "correct-horse" };

/** The most rows of an export. */
const MAX_LEDGER_ROWS = 100_000;

const ledgerExportQuery = ledgerFilter.extend(exportQuery.shape);

const ledgerCsv = {
  description: "The ledger as CSV, newest first; exact amounts in cents",
  other: { mediaType: "text/csv", description: "One line a movement, safe to open in a spreadsheet" },
};

/** Registration, login, and the caller's own account with its ledger. Source: docs/contract.md#s5. */
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
        "403 with the reason `invite_required` where admins have asked for invite codes and `inviteCode` is neither that of an invitation with a use left nor, where these count too, that of an active account, and with `registration_closed` while nobody may register.",
      body: { schema: registerRequest, example: person },
      success: {
        status: 201,
        description: "The account and a bearer token for 7 days",
        schema: loginResponse,
      },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "CONFLICT", "RATE_LIMITED"],
    },
    async ({ body, request, clientIp }) => {
      refuseOtherAddress(request, authContext());
      const { db, settings, catalog } = runtime();
      if (!settings.allowRegistration) throw registrationClosed();
      const user = await inPasswordQueue(async () => {
        await countAttempt(db, "register", clientIp, settings.registerPerIpPerMinute);
        return register(db, settings, catalog.current, body, clientIp);
      });
      return loginBody(authContext(), user, loginSource(request, clientIp));
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
    async ({ body, request, clientIp }) => {
      refuseOtherAddress(request, authContext());
      const { db, settings } = runtime();
      const user = await inPasswordQueue(async () => {
        await countAttempt(db, "login", clientIp, settings.loginPerIpPerMinute);
        return signIn(db, body.username, body.password);
      });
      if (user.role !== "user") await recordOwnAct(db.orm, actorOf(user, clientIp), "user.login", user.id);
      return loginBody(authContext(), user, loginSource(request, clientIp));
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
      success: { status: 200, description: "The account; money in cents", schema: ownProfile },
    },
    ({ user }) => ownProfileOf(runtime().db, user),
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
      success: { status: 200, description: "The account", schema: ownProfile },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, body }) => {
      const { db } = runtime();
      return ownProfileOf(db, await updateSelf(db, user, body));
    },
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
      const deleted = { ...actor, username: "deleted" };
      const left = await deleteSelf(db, user, body.password, clock.date(), async (tx, ended) => {
        await recordOwnAct(tx, deleted, "user.delete", user.id);
        await recordLeftBehind(tx, deleted, ended);
      });
      userChanged(user.id);
      for (const { after } of left.keys) keyChanged(after.id);
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
      userChanged(user.id);
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
    async ({ user, actor, body, request, clientIp }) => {
      const { db } = runtime();
      const changed = await changePassword(db, user, body.currentPassword, body.newPassword);
      await recordOwnAct(db.orm, actor, "user.password", user.id);
      userChanged(user.id);
      const { token, expiresAt } = await issueFor(authContext(), changed, loginSource(request, clientIp));
      return { token, expiresAt: expiresAt.toISOString() };
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/ledger",
      id: "listLedger",
      tag: "Usage",
      caller: "account",
      summary: "List grants, adjustments and charges",
      query: ledgerQuery.extend(zoneQuery.shape),
      success: { status: 200, description: "A page of the ledger", schema: listOf(ledgerEntry) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, reports, settings } = runtime();
      const filter = { ...query, userId: user.id, zone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => listLedger(db, filter, query));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/ledger/months",
      id: "listLedgerMonths",
      tag: "Usage",
      caller: "account",
      summary: "Sum up your ledger by month",
      query: ledgerFilter.extend(zoneQuery.shape),
      success: { status: 200, description: "At most 36 months, the newest first", schema: ledgerMonths },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, reports, settings } = runtime();
      const filter = { ...query, userId: user.id, zone: tz ?? settings.reportTimezone };
      return reports.run(user.id, async () => wholeList(await readLedgerMonths(db, filter)));
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/ledger/export",
      id: "exportLedger",
      tag: "Usage",
      caller: "account",
      summary: "Download grants, adjustments and charges",
      query: ledgerExportQuery,
      success: { ...ledgerCsv, status: 200 },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => ledgerFile(user, user.id, query),
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/admin/users/{id}/grants/export",
      id: "exportUserLedger",
      tag: "Admin: people",
      caller: "admin",
      summary: "Download an account's ledger",
      query: ledgerExportQuery,
      success: { ...ledgerCsv, status: 200 },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query }) =>
      ledgerFile(await userById(runtime().db.orm, params.id), user.id, query),
  ),
];

/** The ledger of an account as a file, within the reader's share of the reports. */
async function ledgerFile(
  owner: { id: string; createdAt: Date },
  readerId: string,
  { tz, bom, ...filter }: z.infer<typeof ledgerExportQuery>,
) {
  const { db, clock, reports, settings } = runtime();
  const bounds = { reports, accountId: readerId, bom };
  const zone = tz ?? settings.reportTimezone;
  const calendar = calendarOf(zone);
  const batches = walkLedger(db, { ...filter, userId: owner.id, zone }, MAX_LEDGER_ROWS);
  const { from, to } = filter;
  const range = {
    from: from === undefined ? owner.createdAt : new Date(calendar.startOf(from)),
    to: to === undefined ? undefined : new Date(calendar.startOf(addDays(to, 1))),
  };
  return {
    name: csvName("ledger", range, zone, clock.date()),
    content: await csvOf(batches, bounds, ledgerColumns),
  };
}

/** The columns of the exported ledger. */
const ledgerColumns: Columns<LedgerEntry> = {
  createdAt: (entry) => entry.createdAt,
  type: (entry) => entry.type,
  amountCents: (entry) => ({ number: entry.amount }),
  balanceAfterCents: (entry) => ({ number: entry.balanceAfter }),
  reason: (entry) => entry.reason,
  date: (entry) => entry.date ?? "",
  tokenId: (entry) => entry.tokenId ?? "",
  tokenName: (entry) => entry.tokenName ?? "",
  keyPrefix: (entry) => entry.keyPrefix ?? "",
  requestCount: (entry) => String(entry.requestCount ?? ""),
};
