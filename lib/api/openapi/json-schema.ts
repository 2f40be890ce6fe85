import { z } from "zod";
import { profileField } from "@/lib/config/file-schema";
import { profileOverrides } from "@/lib/protocols/profiles/profile";
import { adminUserRecord, keyRecord, profile } from "../schemas/account";
import { adminModelRecord, auditEntry, nodeHealth, nodeView } from "../schemas/admin-records";
import {
  adminPlanRecord,
  ledgerEntry,
  modelRecord,
  planRecord,
  priceRecord,
  priceVersion,
} from "../schemas/catalog";
import { logDetail, logEntry } from "../schemas/logs";
import { apiError, gatewayError, gatewayModel } from "./gateway-schemas";

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

const named = {
  AdminModel: adminModelRecord,
  AdminPlan: adminPlanRecord,
  AdminUser: adminUserRecord,
  ApiError: apiError,
  AuditEntry: auditEntry,
  GatewayError: gatewayError,
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

  /** What the server sends. */
  sent(schema: z.ZodType): JsonSchema {
    return this.write(schema, "output");
  }

  /** What the server accepts. */
  accepted(schema: z.ZodType): JsonSchema {
    return storable(this.asked(schema)) as JsonSchema; // an object stays one
  }

  /** What the server accepts, for texts that are only compared and may contain anything. */
  asked(schema: z.ZodType): JsonSchema {
    return this.write(schema, "input");
  }

  private write(schema: z.ZodType, io: "input" | "output"): JsonSchema {
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

/** Adds to a schema what `readJson`, `parseQuery` and `scanBody` refuse in every text. */
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
