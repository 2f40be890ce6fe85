import { z } from "zod";
import { clientProtocols, modelCapabilities, modelKinds } from "@/lib/protocols/protocol";
import {
  accountLimitsShown,
  characters,
  cursorQuery,
  endMoment,
  listOf,
  must,
  registration,
  startMoment,
} from "./fields";

/** A plan. Source: docs/contract.md#s3. */
export const planRecord = z.object({
  id: z.int(),
  name: z.string(),
  qps: z.int().nullable(),
  rpm: z.int().nullable(),
  tpm: z.int().nullable(),
  concurrent: z.int().nullable().describe("Calls of one key at once"),
  accountLimits: accountLimitsShown,
  keyQuotaCents: z.number(),
  selfService: z.boolean(),
});

/** A plan as admins see it. */
export const adminPlanRecord = planRecord.extend({ managedByFile: z.boolean() });

/** A plan with how many keys and accounts have it. */
export const adminPlanView = adminPlanRecord.extend({
  keyCount: z.int(),
  userCount: z.int().describe("Accounts, deleted ones too"),
  currentUserCount: z.int().describe("Accounts that are not deleted"),
});

/** GET /api/admin/plans/refusals: plans of which no account was refused are left out. */
export const planRefusals = z.object({
  planId: z.int(),
  refusedUserCount: z.int().describe("Accounts of which a call with a key of the plan got RATE_LIMITED"),
});

/** GET /api/user/plans. */
export const plansResponse = listOf(planRecord.extend({ current: z.boolean() }));

const callPrice = z.int().nullable();

/** What a call of each tool costs that the node runs. Units: micro-cents per call. */
const callPrices = z
  .object({
    webSearch: callPrice,
    fileSearch: callPrice,
    codeInterpreter: callPrice,
    imageGeneration: callPrice,
  })
  .describe("Micro-cents per call of a tool that the node runs; null: the tool may not be used");

/** A price version. Units: cents per 1M tokens, micro-cents per call. */
export const priceVersion = z.object({
  version: z.int(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  perCall: callPrices,
  validFrom: z.iso.datetime(),
});

/** A price version with the alias it belongs to. */
export const priceRecord = priceVersion.extend({ model: z.string() });

/** A price version in a list. */
export const listedPrice = priceRecord.extend({
  createdBy: z
    .string()
    .nullable()
    .describe("The username of the admin who added it; null: the configuration, or not known any more"),
});

/** Cents per 1M tokens, and micro-cents per call. */
const pricesRecord = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  perCall: callPrices,
});

/** A model that can be called. Source: docs/contract.md#s5. */
export const modelRecord = z.object({
  id: z.string(),
  kind: z.enum(modelKinds).describe("What it is for: `embedding` is served by POST /v1/embeddings only"),
  alsoKnownAs: z.array(z.string()),
  displayName: z.string(),
  contextWindow: z.int().nullable(),
  maxOutputTokens: z.int().nullable(),
  defaultMaxTokens: z.int().nullable().describe("Null: chosen per request"),
  protocols: z.array(z.enum(clientProtocols)),
  capabilities: z
    .array(z.enum(modelCapabilities))
    .describe(
      "What is known that it can do on every enabled node; what is missing is not known, or not there",
    ),
  simulated: z.boolean(),
  prices: pricesRecord,
});

/** GET /api/user/models. */
export const modelsResponse = listOf(modelRecord);

/** What an admin tells all users, or everybody. Source: docs/contract.md#announcements. */
export const announcement = z.object({
  id: z.string(),
  title: z.string(),
  text: z
    .string()
    .describe("Paragraphs, lists, bold, code and https links of Markdown; shown as text otherwise"),
  titleZh: z.string().describe("For readers of Chinese; empty: the title"),
  textZh: z.string().describe("For readers of Chinese; empty: the text"),
  tone: z.enum(["info", "warning"]),
  public: z.boolean(),
  from: z.iso.datetime(),
  until: z.iso.datetime().nullable().describe("Null: until it is deleted"),
  updatedAt: z.iso.datetime(),
});

/** GET /api/user/announcements. */
export const announcementsResponse = listOf(
  announcement.extend({ current: z.boolean().describe("False before its beginning and after its end") }),
);

/** What pages show before anybody has signed in. Source: docs/contract.md#s5. */
export const bootstrap = z.object({
  publicUrl: z.string().describe("Base URL of all clients, without `/v1`"),
  allowRegistration: z.boolean().describe("False while registration is closed"),
  registration: registration.describe(
    "Who can register; `invited`: whoever has an invite code; `invitation`: whoever has that of an invitation",
  ),
  signupQuotaCents: z.number().describe("What a new account may spend; 0: nothing until an admin grants it"),
  inviteRewardCents: z.number().describe("What an account gets for each one that registers with its code"),
  demoProvider: z.boolean().describe("True while the simulated provider answers"),
  embeddedDatabase: z.boolean().describe("True when it is for evaluation and single-node use"),
  statusPage: z.boolean().describe("True while /status is public"),
  contact: z
    .string()
    .nullable()
    .describe("How users reach the admins: a text, an e-mail address or an https link; null: not told"),
  name: z.string().describe("What pages call this gateway"),
  maxBodyBytes: z.int().describe("The largest body that a call of the model API may have"),
  maxTemperature: z.int().describe("The highest temperature that calls of chat completions may have"),
  announcements: z.array(announcement).describe("Those that everybody sees now"),
  models: z.array(modelRecord),
});

/** What a movement of a balance is. */
const ledgerTypes = ["signup", "grant", "adjustment", "invite", "charge"] as const;

const day = z.iso.date(must("must be a day such as 2026-11-21"));

/** GET /api/user/ledger/export and /months. */
export const ledgerFilter = z.object({
  type: z.enum(ledgerTypes, must(`must be one of ${ledgerTypes.join(", ")}`)).optional(),
  from: day.optional().describe("The first day, in the time zone"),
  to: day.optional().describe("The last day"),
});

/** GET /api/user/ledger. */
export const ledgerQuery = cursorQuery.extend(ledgerFilter.shape);

/** GET /api/user/ledger/months. Money in cents as exact decimal text. Source: docs/contract.md#ledger-months. */
export const ledgerMonths = listOf(
  z.object({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe("In the time zone"),
    added: z.string().describe("Grants, adjustments and rewards, less what was taken away"),
    charged: z.string(),
    requestCount: z.int().describe("Requests that were recorded, whatever became of them"),
    balanceAfter: z.string(),
  }),
);

/** A change of the account's balance. Money in cents as exact decimal text. Source: docs/contract.md#s5 (ledger). */
export const ledgerEntry = z.object({
  id: z.string(),
  type: z.enum(ledgerTypes),
  createdAt: z.iso.datetime(),
  amount: z.string().describe("Signed"),
  balanceAfter: z.string(),
  reason: z.string(),
  date: z.iso.date().nullable().describe("The day of a charge, in the time zone"),
  tokenId: z.string().nullable(),
  tokenName: z.string().nullable(),
  keyPrefix: z.string().nullable(),
  requestCount: z.int().nullable(),
});

/** POST and PATCH /api/admin/announcements. Source: docs/contract.md#announcements. */
export const announcementRequest = z.strictObject({
  title: characters(1, 100),
  text: characters(0, 500)
    .default("")
    .describe("Paragraphs, lists, bold, code and https links of Markdown; shown as text otherwise"),
  titleZh: characters(0, 100).default("").describe("For readers of Chinese; empty: the title"),
  textZh: characters(0, 500).default("").describe("For readers of Chinese; empty: the text"),
  tone: z.enum(["info", "warning"], must("must be info or warning")).default("info"),
  public: z.boolean(must("must be true or false")).default(false).describe("Also on the pages for visitors"),
  from: startMoment.optional().describe("Default: now"),
  until: endMoment.nullable().default(null).describe("Null: until it is deleted"),
});
