import { z } from "zod";
import { wholeList } from "@/lib/accounts/page";
import { planFor } from "@/lib/accounts/users";
import {
  createAnnouncement,
  deleteAnnouncement,
  listAnnouncements,
  updateAnnouncement,
} from "@/lib/admin/announcements";
import { createInvitation, listInvitations, revokeInvitation } from "@/lib/admin/invitations";
import { checkBaseUrl } from "@/lib/admin/nodes";
import {
  openRegistration,
  quotaOfNewAccount,
  readSettings,
  shownSetting,
  signupQuotaCents,
  updateSettings,
} from "@/lib/admin/settings";
import { alertResult } from "@/lib/api/schemas/alerts";
import { announcement, announcementRequest } from "@/lib/api/schemas/announcements";
import { invitationRecord, invitationRequest } from "@/lib/api/schemas/invitations";
import { listOf } from "@/lib/api/schemas/list-of";
import { settingsRequest } from "@/lib/api/schemas/settings";
import type { Settings } from "@/lib/config/env";
import { runtime } from "@/lib/gateway/runtime";
import { badField } from "@/lib/kernel/errors";
import { defineOperation } from "../operation";
import { registration } from "../schemas/fields";

const shared = { tag: "Admin: people", caller: "admin" } as const;

const cents = z.string().describe("Cents as decimal text");

/** Settings from the environment; never a secret. */
const setAtStart = z.object({
  allowRegistration: z.boolean().describe("False: registration is closed, whatever the setting says"),
  signupQuotaCents: z.number().describe("What a new account may spend unless an admin has decided it"),
  publicUrl: z.string(),
  quotaStrict: z.boolean(),
  compatibility: z.enum(["standard", "strict", "lenient"]),
  logRetentionDays: z.int(),
  responsesStoreHours: z.int().describe("0: responses are not stored"),
  responsesStoreAccountMib: z.int().describe("What the stored responses of one account may take"),
  responsesStoreMib: z.int().describe("What all stored responses may take"),
  postgres: z.boolean().describe("Whether DATABASE_URL is set; else the database is the embedded one"),
  redis: z.boolean().describe("Whether REDIS_URL is set; else limits are counted in memory"),
  replicas: z.int(),
  trustProxy: z.int(),
  reportTimezone: z.string(),
});

/** Settings that admins change at run time, and the values derived from them and the environment. */
const settingsRecord = z.object({
  inviteRewardCents: z.number(),
  statusPage: z.boolean().describe("Whether everybody may see how well each model answers"),
  registration: registration.describe("Who may register, unless `setAtStart.allowRegistration` is false"),
  newAccountQuotaCents: z
    .number()
    .nullable()
    .describe(
      "The quota of a new account that an admin has decided; null: as it follows from the environment",
    ),
  newAccountPlanId: z
    .int()
    .nullable()
    .describe("The plan of a new account that an admin has decided; null: the first self-service plan"),
  contact: z.string().nullable().describe("How users reach the admins; null: they are not told"),
  name: z.string().nullable().describe("What pages call this gateway; null: Tollgate"),
  alertUrl: z.string().nullable().describe("The host to which alerts are posted; null: none"),
  lastAlert: alertResult.nullable().describe("How this process's latest alert ended; null: it has sent none"),
  signupQuotaCents: z.number().describe("What a new account may spend"),
  defaultPlanId: z.int().describe("The plan of a new account"),
  setAtStart,
  allowPrivateUpstreams: z.boolean().describe("Whether nodes may be added at private addresses"),
  cloudCredentialsAmbient: z
    .boolean()
    .describe("Whether credentials of nodes may take what the gateway's machine lends"),
  openRegistration: z
    .object({
      quotaCents: z.number(),
      rewardCents: z.number(),
      accountsPerHour: z.number().describe("Of one address"),
      centsPerHour: cents.describe("Cents that these accounts may spend"),
      lastRequestCents: cents.describe("Cents that the last request of each may cost beyond its quota"),
    })
    .nullable()
    .describe("What strangers may do; null when none can register or no node costs money"),
});

/** Settings that admins change at run time. Source: docs/contract.md#s4. */
export const settingsOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/settings",
      id: "getSettings",
      summary: "Show the settings that can be changed while running",
      success: { status: 200, description: "The settings", schema: settingsRecord },
    },
    () => settingsView(),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/settings",
      id: "updateSettings",
      summary: "Change the settings",
      body: {
        schema: settingsRequest,
        example: { registration: "invited", inviteRewardCents: 100 },
        partial: true,
      },
      success: { status: 200, description: "The settings", schema: settingsRecord },
      errors: ["INVALID_REQUEST"],
    },
    async ({ actor, body }) => {
      const { db, notices, settings } = runtime();
      if (typeof body.alertUrl === "string")
        checkBaseUrl(body.alertUrl, settings.allowPrivateUpstreams, "alertUrl");
      await updateSettings(db, actor, body);
      notices.clear();
      return settingsView();
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/settings/alert-test",
      id: "testAlert",
      summary: "Send a test alert",
      description: "Posts it once to the stored `alertUrl` and tells what came back.",
      success: { status: 200, description: "What came of it", schema: alertResult },
      errors: ["INVALID_REQUEST"],
    },
    async () => {
      const { db, alerts } = runtime();
      const { alertUrl } = await readSettings(db);
      if (alertUrl === null) throw badField("alertUrl", "is not set");
      return alerts.sendTest(alertUrl);
    },
  ),
];

/** Codes of admins for new accounts. Source: docs/contract.md#invitations. */
export const invitationOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/invitations",
      id: "listInvitations",
      summary: "List the invitations",
      success: { status: 200, description: "The newest first", schema: listOf(invitationRecord) },
    },
    async () => wholeList(await listInvitations(runtime().db)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/invitations",
      id: "createInvitation",
      summary: "Make a code to register with",
      body: {
        schema: invitationRequest,
        example: { note: "Data team", maxUses: 10, planId: 2, quotaCents: 5000 },
      },
      success: { status: 201, description: "The invitation with its code", schema: invitationRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const { db, clock } = runtime();
      return createInvitation(db, actor, body, clock.date());
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/invitations/{id}",
      id: "revokeInvitation",
      summary: "Revoke an invitation",
      description: "Its code works no more. Accounts that were made with it stay.",
      success: { status: 204, description: "Revoked" },
      errors: ["NOT_FOUND"],
    },
    async ({ actor, params }) => {
      await revokeInvitation(runtime().db, actor, params.id);
    },
  ),
];

const announcementExample = {
  title: "Maintenance on Sunday",
  text: "From 02:00 to 03:00 UTC.",
  tone: "warning",
};

/** Announcements of admins to users and visitors. Source: docs/contract.md#announcements. */
export const announcementOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/announcements",
      id: "listAllAnnouncements",
      summary: "List the announcements",
      success: { status: 200, description: "The one that begins last first", schema: listOf(announcement) },
    },
    async () => wholeList(await listAnnouncements(runtime().db)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/announcements",
      id: "createAnnouncement",
      summary: "Tell users something",
      body: { schema: announcementRequest, example: announcementExample },
      success: { status: 201, description: "The announcement", schema: announcement },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const { db, notices, clock } = runtime();
      const created = await createAnnouncement(db, actor, { ...body, from: body.from ?? clock.date() });
      notices.clear();
      return created;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/announcements/{id}",
      id: "updateAnnouncement",
      summary: "Change an announcement",
      description: "Who has put it away sees it again.",
      body: { schema: announcementRequest, example: { until: "2030-01-01" }, partial: true },
      success: { status: 200, description: "The announcement", schema: announcement },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ actor, params, body }) => {
      const { db, notices } = runtime();
      const changed = await updateAnnouncement(db, actor, params.id, body);
      notices.clear();
      return changed;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/announcements/{id}",
      id: "deleteAnnouncement",
      summary: "Delete an announcement",
      success: { status: 204, description: "Deleted" },
      errors: ["NOT_FOUND"],
    },
    async ({ actor, params }) => {
      const { db, notices } = runtime();
      await deleteAnnouncement(db, actor, params.id);
      notices.clear();
    },
  ),
];

async function settingsView() {
  const { db, settings, catalog, alerts } = runtime();
  const stored = await readSettings(db);
  return {
    ...stored,
    alertUrl: shownSetting("alertUrl", stored.alertUrl),
    lastAlert: alerts.last,
    signupQuotaCents: quotaOfNewAccount(settings, catalog.current, stored),
    defaultPlanId: await planFor(db.orm, undefined),
    setAtStart: startView(settings, signupQuotaCents(settings, catalog.current)),
    allowPrivateUpstreams: settings.allowPrivateUpstreams,
    cloudCredentialsAmbient: settings.cloudCredentialsAmbient,
    openRegistration: openRegistration(settings, catalog.current, stored),
  };
}

/** Copies single fields, because the settings contain secrets too. */
function startView(settings: Settings, signupQuota: number): z.infer<typeof setAtStart> {
  return {
    allowRegistration: settings.allowRegistration,
    signupQuotaCents: signupQuota,
    publicUrl: settings.publicUrl,
    quotaStrict: settings.quotaStrict,
    compatibility: settings.compatibility,
    logRetentionDays: settings.logRetentionDays,
    responsesStoreHours: settings.responsesStoreHours,
    responsesStoreAccountMib: settings.responsesStoreAccountMib,
    responsesStoreMib: settings.responsesStoreMib,
    postgres: settings.databaseUrl !== null,
    redis: settings.redisUrl !== null,
    replicas: settings.replicas,
    trustProxy: settings.trustProxy,
    reportTimezone: settings.reportTimezone,
  };
}
