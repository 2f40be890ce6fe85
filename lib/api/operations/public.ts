import { type AnnouncementRecord, isCurrent, type Notices } from "@/lib/admin/announcements";
import { PRODUCT_NAME, quotaOfNewAccount, registrationNow } from "@/lib/admin/settings";
import { defineOperation } from "@/lib/api/operation";
import { bootstrap } from "@/lib/api/schemas/bootstrap";
import { publicUptime, uptimeQuery } from "@/lib/api/schemas/uptime";
import { runtime } from "@/lib/gateway/runtime";
import { knownCapabilities, nativeProtocols } from "@/lib/gateway/show-models";
import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { withDeadline } from "@/lib/kernel/with-deadline";
import { type UptimePeriod, uptimeRecord } from "@/lib/reports/uptime";
import { type CatalogModel, type CatalogSnapshot, routesOf } from "@/lib/router/catalog";
import { priceFieldsOf } from "@/lib/shared/prices/price-fields";

/** How long pages wait for the notices. */
const NOTICES_WITHIN_MS = 1_000;

/** The notices while the stored ones are unknown: without quota, reward, status page and announcements. */
const NO_NOTICES: Notices = {
  statusPage: false,
  registration: "open",
  newAccountQuotaCents: 0,
  inviteRewardCents: 0,
  contact: null,
  name: null,
  announcements: [],
};

/**
 * The notices of admins for everybody; when the database does not answer in time, the last known ones. Null: none are
 * known, and pages are shown without them.
 */
async function noticesForPages(): Promise<Notices | null> {
  const { notices, log } = runtime();
  try {
    return await withDeadline(notices.get(), NOTICES_WITHIN_MS);
  } catch (error) {
    log.warn({ err: error }, "the announcements could not be read; pages are shown with the last known ones");
    return notices.known ?? null;
  }
}

/** The data that pages show to everybody; public. Source: docs/contract.md#s5. */
export const bootstrapOperations = [
  defineOperation(
    {
      method: "get",
      path: "/api/bootstrap",
      id: "getBootstrap",
      tag: "Account",
      caller: "public",
      summary: "Show public facts about this gateway",
      description:
        "Its address, who can create an account, public announcements, and the models with their prices.",
      success: { status: 200, description: "What the public pages show", schema: bootstrap },
    },
    async () => {
      const { settings, catalog, db, clock } = runtime();
      const notices = (await noticesForPages()) ?? NO_NOTICES;
      const registration = registrationNow(settings, notices);
      const now = clock.date();
      return {
        publicUrl: settings.publicUrl,
        allowRegistration: registration !== "closed",
        registration,
        signupQuotaCents: quotaOfNewAccount(settings, catalog.current, notices),
        inviteRewardCents: notices.inviteRewardCents,
        demoProvider: settings.demoProvider,
        embeddedDatabase: db.kind === "embedded",
        statusPage: notices.statusPage,
        contact: notices.contact,
        name: notices.name ?? PRODUCT_NAME,
        maxBodyBytes: settings.maxBodyBytes,
        webSockets: settings.webSocketResponses,
        maxTemperature: settings.compatibility === "lenient" ? 2 : 1,
        announcements: notices.announcements.filter((one) => one.public && isCurrent(one, now)),
        models: listModels(catalog.current),
      };
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/status",
      id: "getStatus",
      tag: "Operations",
      caller: "public",
      summary: "Show how well each model answers",
      description: "404 unless an admin has switched the public status page on.",
      query: uptimeQuery,
      success: {
        status: 200,
        description: "The models by their aliases, without volumes",
        schema: publicUptime,
      },
      errors: ["INVALID_REQUEST", "NOT_FOUND", "INTERNAL_ERROR", "NO_AVAILABLE_NODE"],
    },
    async ({ query }) => {
      const notices = await noticesForPages();
      if (notices === null)
        throw overloaded("database-away", "The database does not answer. Try again shortly.");
      if (!notices.statusPage) throw new GatewayError("NOT_FOUND", "The public status page is switched off.");
      const found = await modelUptime(query.period);
      return { ...found, ...announcedToAll(notices, found.since) };
    },
  ),
];

/**
 * The public announcements of the status page: warnings since a moment, current announcements, and those that begin
 * later.
 */
function announcedToAll(notices: Notices, since: string) {
  const now = runtime().clock.date();
  const moment = now.toISOString();
  const all = notices.announcements.filter((one) => one.public);
  const wasShown = ({ from, until }: AnnouncementRecord) =>
    from <= moment && (until === null || until > since);
  return {
    announcements: all.filter((one) => one.tone === "warning" && wasShown(one)),
    notices: all.filter((one) => isCurrent(one, now)),
    planned: all.filter(({ from }) => from > moment).reverse(),
  };
}

/**
 * The uptime and speed of the models that can be called; the database is queried at most once a minute for all callers.
 */
export async function modelUptime(period: UptimePeriod | undefined) {
  const { uptime: read, speeds, catalog } = runtime();
  const [uptime, speedOf] = await Promise.all([read.get(), speeds.get()]);
  const record = uptimeRecord(uptime, [...catalog.current.models.keys()], period);
  const untold = { firstTokenMs: null, tokensPerSecond: null };
  return { ...record, models: record.models.map((one) => ({ ...one, ...(speedOf.get(one.id) ?? untold) })) };
}

/**
 * The models that can be called, with prices in cents per 1M tokens and micro-cents per call, and the protocols that are
 * served without conversion. Hosts, nodes and upstream names are not shown. Source: docs/contract.md#s5.
 */
export function listModels(snapshot: CatalogSnapshot) {
  return [...snapshot.models.values()].map((model) => modelRecordOf(snapshot, model));
}

function modelRecordOf(snapshot: CatalogSnapshot, model: CatalogModel) {
  const nodes = routesOf(snapshot, model).map(({ node }) => node);
  return {
    id: model.alias,
    kind: model.kind,
    alsoKnownAs: [...model.alsoKnownAs],
    displayName: model.displayName || model.alias,
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    defaultMaxTokens: model.defaultMaxTokens,
    protocols: nativeProtocols(snapshot, model),
    capabilities: knownCapabilities(snapshot, model),
    simulated: nodes.every((node) => node.simulated),
    prices: priceFieldsOf(model.price),
  };
}
