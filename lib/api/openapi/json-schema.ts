import { z } from "zod";
import { auditEntry } from "@/lib/api/schemas/audit";
import { keyRecord } from "@/lib/api/schemas/keys";
import { ledgerEntry } from "@/lib/api/schemas/ledger";
import { adminModelRecord } from "@/lib/api/schemas/model-records";
import { modelRecord } from "@/lib/api/schemas/models";
import { nodeHealth, nodeView } from "@/lib/api/schemas/nodes";
import { adminPlanRecord, planRecord } from "@/lib/api/schemas/plans";
import { priceRecord, priceVersion } from "@/lib/api/schemas/prices";
import { profile } from "@/lib/api/schemas/profile";
import { adminUserRecord } from "@/lib/api/schemas/user-records";
import { profileField } from "@/lib/config/file-schema";
import { profileOverrides } from "@/lib/protocols/profiles/profile";
import { logDetail, logEntry } from "../schemas/logs";
import { apiError, gatewayError, googleError } from "./error-schemas";
import { gatewayModel } from "./models-schemas";

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

const named = {
  AdminModel: adminModelRecord,
  AdminPlan: adminPlanRecord,
  AdminUser: adminUserRecord,
  ApiError: apiError,
  AuditEntry: auditEntry,
  GatewayError: gatewayError,
  GoogleError: googleError,
  GatewayModel: gatewayModel,
  Key: keyRecord,
  LedgerEntry: ledgerEntry,
  LogDetail: logDetail,
  LogEntry: logEntry,
  Model: modelRecord,
  Node: nodeView,
  NodeHealth: nodeHealth,
  Plan: planRecord,
  Price: priceRecord,
  PriceVersion: priceVersion,
  Profile: profile,
} satisfies Record<string, z.ZodType>;

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) names.add(schema, { id });

const SAFE = Number.MAX_SAFE_INTEGER;

/** Accepted texts must not contain NUL. */
const STORABLE = "^[^\\u0000]*$";

/** Keywords that already exclude NUL. */
const NARROWER = ["pattern", "format", "enum", "const", "anyOf"];

/** Converts schemas; those with a name become components that the others refer to. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /** The schema of what the server sends. */
  sent(schema: z.ZodType): JsonSchema {
    return this.#write(schema, "output");
  }

  /** The schema of what the server accepts. */
  accepted(schema: z.ZodType): JsonSchema {
    return storable(this.asked(schema)) as JsonSchema; // an object stays one
  }

  /** The schema of what the server accepts, for texts that are only compared and may contain anything. */
  asked(schema: z.ZodType): JsonSchema {
    return this.#write(schema, "input");
  }

  #write(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const whole = z.toJSONSchema(schema, {
      io,
      metadata: names,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        const { id: _id, title: _title, ...stated } = z.globalRegistry.get(zodSchema) ?? {};
        Object.assign(jsonSchema, stated);
        if (zodSchema === profileField && io === "input") {
          delete jsonSchema.propertyNames;
          Object.assign(jsonSchema, z.toJSONSchema(profileOverrides, { io }), { $schema: undefined });
        }
        if (jsonSchema.minimum === -SAFE) delete jsonSchema.minimum;
        if (jsonSchema.maximum === SAFE) delete jsonSchema.maximum;
      },
    });
    const { $schema: _draft, $defs, "~standard": _methods, ...own } = whole;
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.components[name] = moved(definition) as JsonSchema; // an object stays one
    }
    return moved(own) as JsonSchema; // an object stays one
  }
}

/** Adds to a schema the restrictions on texts that `readJson`, `parseQuery` and `scanBody` enforce. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storable(member)]));
  const isText =
    members.type === "string" || (Array.isArray(members.type) && members.type.includes("string"));
  const isOpenText = isText && !NARROWER.some((name) => name in members);
  return isOpenText ? { ...members, pattern: STORABLE } : members;
}

/** Rewrites the references of a schema to the components. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string"
        ? member.replace("#/$defs/", "#/components/schemas/")
        : moved(member),
    ]),
  );
}

/** Descriptions of parameters whose schemas have none, by name. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  tokenId: "Id of the key",
  userId: "Id of the account",
  actorId: "Id of the account that did it",
  planId: "Id of the plan",
  targetId: "Id of the record that was changed",
  targetType: "What kind of record was changed, such as `user`",
  action: "What was done, such as `user.update`",
  requestId: "Id of the request, as in the header `x-request-id` and in the logs",
  version: "Version of the price, as the list of prices has it",
  month: "The month, such as `2026-11`",
  page: "Which page of the list, from 1 on",
  pageSize: "Entries of a page",
  cursor: "The `nextCursor` of the page before, in place of `page`",
  type: "Only movements of this type",
  model: "Name of a model",
  status: "Only entries with this state",
  operation: "What was asked for",
  httpStatus: "Status that the caller got",
  errorCode: "Code of the error",
  minLatencyMs: "Only requests that took at least so many milliseconds",
  period: "The length of time, up to now",
  role: "Only accounts with this role",
  sort: "What the list is sorted by",
  order: "The direction of the sorting",
  maxAgeSeconds: "An answer that began at most so long ago may be given again; 0: a new one",
};

/** Descriptions of ids in paths, by the part of the path before them. */
const idDescriptions: Readonly<Record<string, string>> = {
  tokens: "Id of the key",
  users: "Id of the account",
  logins: "Id of the login or of the token of a script",
  models: "Id of the model",
  "v1/models": "Name of the model",
  nodes: "Id of the node",
  plans: "Id of the plan",
  projects: "Id of the project",
  "v1/responses": "Id of the stored response",
  invitations: "Id of the invitation",
  announcements: "Id of the announcement",
  budgets: "Id of the budget",
};

/** A parameter with its description beside its schema, where all parameters have it. */
export function describedParameter(path: string, parameter: JsonSchema & { name: string }): JsonSchema {
  const { name, schema, ...rest } = parameter;
  const { description, ...bare } = schema as JsonSchema; // each parameter has one
  const before = /\/((?:v1\/)?[a-z]+)\/\{id\}/.exec(path)?.[1] ?? "";
  const ofName = name === "id" ? idDescriptions[before] : parameterDescriptions[name];
  return { name, ...rest, description: rest.description ?? description ?? ofName, schema: bare };
}
