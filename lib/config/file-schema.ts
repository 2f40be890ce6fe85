import { z } from "zod";
import { BLANKS_IN_ADDRESS, hasBlanks } from "@/lib/kernel/address-text";
import { certificateBlocks, certificateProblem, MAX_PEM_CHARACTERS } from "@/lib/kernel/certificates";
import { MAX_CENTS } from "@/lib/kernel/money";
import { profileOverrides } from "@/lib/protocols/profiles/profile";
import { providerIds, queryNames } from "@/lib/protocols/profiles/provider";
import { modelKinds, nodeProtocols } from "@/lib/protocols/protocol";
import { credential } from "@/lib/shared/credentials/credential";
import { budgetEntry } from "./budget-entry";
import { text, whole } from "./fields";
import { priceEntry } from "./price-entry";

const count = whole(1, 2_000_000_000);
const limit = count.nullable();

/** The most keys of an account, whatever its limits are. */
export const MAX_KEYS = 1_000;

const milliseconds = whole(1, 86_400_000);

const nodeName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be letters, digits, dots, dashes, underscores");
const alias = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, "must be letters, digits and . _ : / @ -, at most 128");
const otherName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}\*?$/, "must be a name, with * at the end only");

const baseUrl = z
  .string()
  .refine((text) => !hasBlanks(text), { error: BLANKS_IN_ADDRESS, abort: true })
  .refine(isBaseUrl, "must be an http or https address without user name, query or fragment")
  .meta({ format: "uri", pattern: `^https?://[^/?#@]+(/[^?#]*)?(\\?(${[...queryNames].join("|")})=[^#]*)?$` })
  .transform((url) => url.replace(/\/+$/, ""));

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, searchParams, hash } = new URL(text);
  return (
    ["http:", "https:"].includes(protocol) &&
    [username, password, hash].every((part) => part === "") &&
    [...searchParams.keys()].every((name) => queryNames.has(name))
  );
}

function isProxy(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

/** Shape: the certificates alone, without text around them. */
const certificates = z
  .string()
  .superRefine((text, context) => {
    const problem = certificateProblem(text);
    if (problem !== null) context.addIssue(problem);
  })
  .meta({
    maxLength: MAX_PEM_CHARACTERS,
    pattern: "-----BEGIN CERTIFICATE-----\\s[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----",
  })
  .transform((text) => `${certificateBlocks(text).join("\n")}\n`);

/** The schema does not check the pattern; `checkHeaders` does so for the admin pages. */
const headerValue = z.string().meta({ maxLength: 4096, pattern: "^[\\t\\x20-\\x7e]*$" });

/** One node of the file. Source: docs/contract.md#s3. */
export const nodeEntry = z.strictObject({
  name: nodeName,
  protocol: z.enum(nodeProtocols),
  provider: z
    .enum(providerIds)
    .nullable()
    .default(null)
    .describe("Who runs the node; null: found by the host of its base URL"),
  baseUrl,
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
    .nullable()
    .default(null),
  credential: credential
    .nullable()
    .default(null)
    .describe("What a node of a cloud is called with, in place of apiKey; null: nothing"),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), headerValue).default({}),
  enabled: z.boolean().default(true),
  proxy: z
    .string()
    .refine((text) => !hasBlanks(text), { error: BLANKS_IN_ADDRESS, abort: true })
    .refine(isProxy, "must be the http or https address of a proxy; SOCKS is not supported")
    .meta({ format: "uri" })
    .nullable()
    .default(null),
  ca: certificates
    .nullable()
    .default(null)
    .describe("Certificates in PEM form that alone vouch for this node; null: those that Node.js trusts"),
  maxConcurrency: count.nullable().default(null),
  timeouts: z
    .strictObject({
      connectMs: milliseconds,
      firstByteMs: milliseconds,
      responseMs: milliseconds,
      idleMs: milliseconds,
      totalMs: milliseconds,
    })
    .partial()
    .default({}),
});

/** One way to serve an alias. */
const routeEntry = z.strictObject({
  node: z.string(),
  model: text(1, 256),
  priority: whole(0, 1000).default(0),
  weight: whole(0, 1_000_000).default(100),
  cost: priceEntry.nullable().default(null).describe("What the node charges; null: not known"),
});

/**
 * Capability overrides of an alias: validated by the schema of profiles, stored as written.
 * Source: docs/protocols.md#s3.
 */
export const profileField = z.record(z.string(), z.unknown()).check((context) => {
  const { error } = profileOverrides.safeParse(context.value);
  for (const { path, message } of error?.issues ?? []) {
    context.issues.push({ code: "custom", input: context.value, path: [...path], message });
  }
});

/** One model of the file; its prices and routes are checked later, so that the error can name the alias. */
export const modelEntry = z.strictObject({
  alias,
  kind: z.enum(modelKinds).default("generation"),
  alsoKnownAs: z.array(otherName).default([]),
  displayName: text(0, 200).default(""),
  contextWindow: count.nullable().default(null),
  maxOutputTokens: count.nullable().default(null),
  /** Null: chosen per request, see `outputLimit`. */
  defaultMaxTokens: count.nullable().default(null),
  prices: priceEntry.optional(),
  profile: profileField.default({}),
  routes: z.array(routeEntry).default([]),
  enabled: z.boolean().default(true),
});

/** Limits of an account over all its keys; null means no limit. Source: docs/contract.md#account-limits. */
export const accountLimits = z
  .strictObject({
    qps: limit,
    rpm: limit,
    tpm: limit,
    concurrent: limit,
    keys: whole(0, MAX_KEYS).nullable(),
  })
  .partial();

/** One plan of the file; null means no limit. */
export const planEntry = z.strictObject({
  id: whole(1, 1_000_000),
  name: text(1, 100),
  qps: limit,
  rpm: limit,
  tpm: limit,
  concurrent: limit.default(null).describe("Calls of one key at once"),
  accountLimits: accountLimits
    .nullable()
    .default(null)
    .describe("Of each account on the plan, over all its keys; what is absent or null is no limit"),
  keyQuotaCents: whole(0, MAX_CENTS).default(500),
  selfService: z.boolean().default(false),
});

/** What happens to a model that the file no longer declares. */
const removedModels = ["keep", "disable"] as const;
export type RemovedModels = (typeof removedModels)[number];

/** The whole file. */
export const configDocument = z.strictObject({
  nodes: z.array(nodeEntry).default([]),
  models: z.array(modelEntry).default([]),
  plans: z.array(planEntry).default([]),
  budgets: z.array(budgetEntry).default([]),
  removedModels: z
    .enum(removedModels, "must be keep or disable")
    .optional()
    .describe("What becomes of a model that the file no longer declares; keep when absent"),
});

/** The content of a file. */
export type ConfigDocument = z.infer<typeof configDocument>;

/** One declared node, model or plan. */
export type NodeEntry = z.infer<typeof nodeEntry>;
export type ModelEntry = z.infer<typeof modelEntry>;
export type PlanEntry = z.infer<typeof planEntry>;
