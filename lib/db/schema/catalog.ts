import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { modelKinds, nodeProtocols } from "@/lib/protocols/protocol";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import type { MorePrices } from "@/lib/shared/prices/stored-price";
import { bytea } from "./usage";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Timeouts of one node in milliseconds. Source: docs/contract.md#s3. */
export interface NodeTimeouts {
  connectMs: number;
  firstByteMs: number;
  responseMs: number;
  idleMs: number;
  totalMs: number;
}

/**
 * Callable upstream endpoints with their encrypted credential. Source: docs/contract.md#s3, docs/reliability.md#s3-8.
 */
export const nodes = pgTable("nodes", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull().unique(),
  protocol: text("protocol", { enum: nodeProtocols }).notNull(),
  /** The provider, an id of `providers`. Null: derived from the host. */
  provider: text("provider"),
  baseUrl: text("base_url").notNull(),
  /** AES-256-GCM: nonce, ciphertext and tag. Null: no credential. */
  credential: bytea("credential"),
  credentialKeyId: text("credential_key_id"),
  /** The last four characters of a key. */
  apiKeyHint: text("api_key_hint"),
  /** A `CredentialKind`; `key` also without a credential. Source: docs/clouds.md#stored. */
  credentialKind: text("credential_kind").notNull().default("key"),
  /** The fields of a credential that may be read, and its `principal`; empty for a key. */
  credentialFacts: jsonb("credential_facts").$type<Record<string, unknown>>().notNull().default({}),
  headers: jsonb("headers").$type<Record<string, string>>().notNull().default({}),
  enabled: boolean("enabled").notNull().default(true),
  proxy: text("proxy"),
  /** Certificates in PEM form, the only ones trusted for this node. Null: those that Node.js trusts. */
  ca: text("ca"),
  maxConcurrency: integer("max_concurrency"),
  timeouts: jsonb("timeouts").$type<Partial<NodeTimeouts>>().notNull().default({}),
  /** The built-in simulated provider; always labelled. */
  simulated: boolean("simulated").notNull().default(false),
  managedByFile: boolean("managed_by_file").notNull().default(false),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

/** Public model aliases. Source: docs/contract.md#s3. */
export const models = pgTable("models", {
  id: uuid("id").primaryKey().defaultRandom(),
  alias: text("alias").notNull().unique(),
  kind: text("kind", { enum: modelKinds }).notNull().default("generation"),
  alsoKnownAs: text("also_known_as").array().notNull().default(sql`'{}'::text[]`),
  displayName: text("display_name").notNull().default(""),
  contextWindow: integer("context_window"),
  maxOutputTokens: integer("max_output_tokens"),
  /** Null: none configured. The column `default_max_tokens` remains for processes of the previous version. */
  defaultMaxTokens: integer("configured_max_tokens"),
  /** Capability overrides: docs/protocols.md#s3. */
  profile: jsonb("profile").$type<Record<string, unknown>>().notNull().default({}),
  enabled: boolean("enabled").notNull().default(true),
  managedByFile: boolean("managed_by_file").notNull().default(false),
  /**
   * The time since which the configuration file no longer declares it and no admin has changed it.
   * Source: docs/contract.md#removed-models.
   */
  leftFileAt: moment("left_file_at"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

/** Which nodes serve an alias, under which upstream model, in which order. */
export const routes = pgTable("routes", {
  id: uuid("id").primaryKey().defaultRandom(),
  modelId: uuid("model_id")
    .notNull()
    .references(() => models.id, { onDelete: "cascade" }),
  nodeId: uuid("node_id")
    .notNull()
    .references(() => nodes.id, { onDelete: "cascade" }),
  upstreamModel: text("upstream_model").notNull(),
  /** Lower first. */
  priority: integer("priority").notNull().default(0),
  /** Share inside one priority. */
  weight: integer("weight").notNull().default(100),
  /** What the node charges, as it was declared: the fields of prices. Null: not known. Source: docs/contract.md#margin. */
  cost: jsonb("cost").$type<DeclaredPrices>(),
});

/**
 * Insert-only price versions. Units: nano-cents per token (= cents per 1M tokens x 1000).
 * Source: docs/reliability.md#s2-2.
 */
export const modelPrices = pgTable(
  "model_prices",
  {
    modelId: uuid("model_id")
      .notNull()
      .references(() => models.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    inputNanoCents: bigint("input_nano_cents", { mode: "bigint" }).notNull(),
    outputNanoCents: bigint("output_nano_cents", { mode: "bigint" }).notNull(),
    /** Null: the input price. */
    cacheReadNanoCents: bigint("cache_read_nano_cents", { mode: "bigint" }),
    cacheWriteNanoCents: bigint("cache_write_nano_cents", { mode: "bigint" }),
    /** Units: micro-cents per call. Null: the tool may not be used. */
    webSearchMicroCents: bigint("web_search_micro_cents", { mode: "bigint" }),
    fileSearchMicroCents: bigint("file_search_micro_cents", { mode: "bigint" }),
    codeInterpreterMicroCents: bigint("code_interpreter_micro_cents", { mode: "bigint" }),
    imageGenerationMicroCents: bigint("image_generation_micro_cents", { mode: "bigint" }),
    /** The other members of the prices, as they were declared. Null: none. */
    more: jsonb("more").$type<MorePrices>(),
    validFrom: moment("valid_from").notNull().defaultNow(),
    createdBy: uuid("created_by"),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.version] })],
);

/** Single values that outlive a process: key fingerprints, the configuration version. */
export const settingsTable = pgTable("settings", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** Short texts of admins for all users, or for everybody. Source: docs/contract.md#announcements. */
export const announcements = pgTable("announcements", {
  id: uuid("id").primaryKey().defaultRandom(),
  title: text("title").notNull(),
  /** Plain text. */
  text: text("text").notNull(),
  /** Title and text for readers of Chinese. Empty: the ones above. */
  titleZh: text("title_zh").notNull().default(""),
  textZh: text("text_zh").notNull().default(""),
  tone: text("tone", { enum: ["info", "warning"] }).notNull(),
  /** Also on the pages for visitors. */
  public: boolean("is_public").notNull().default(false),
  from: moment("starts_at").notNull(),
  /** The end, not included. Null: shown until the announcement is deleted. */
  until: moment("ends_at"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

/** Live processes, for the reaper and the live-replica count. */
export const instances = pgTable("instances", {
  id: text("id").primaryKey(),
  startedAt: moment("started_at").notNull().defaultNow(),
  heartbeatAt: moment("heartbeat_at").notNull().defaultNow(),
  /** What the process checks of each request; 0: no rules. Source: docs/budgets.md#versions. */
  level: integer("level").notNull().default(0),
});
