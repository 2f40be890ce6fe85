import { readCodings } from "@/lib/gateway/decode-body";
import { type ErrorCode, errorStatus, GatewayError } from "@/lib/kernel/errors";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { clientAdapters, protocolOfPath } from "@/lib/protocols/registry";
import { operations } from "../routes";
import { described } from "./describe-fields";
import { apiError, gatewayError, googleError } from "./error-schemas";
import { gatewayOperations } from "./gateway-operations";
import { describedParameter, type JsonSchema, SchemaWriter } from "./json-schema";
import { metricsOperation } from "./metrics-operation";
import { type ApiOperation, type Caller, headerParameters, narrowed, tags } from "./operation";

/** Every operation, in the order of the document. */
export const apiOperations: readonly ApiOperation[] = [...gatewayOperations, ...operations, metricsOperation];

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The token of register or login, good for 7 days. Opens /api, not /v1.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "tollgate-session",
    description:
      "The browser's session (`__Host-tollgate-session` on https). Changes need the same origin and application/json.",
  },
  keyBearer: { type: "http", scheme: "bearer", description: "An API key. Opens /v1, not /api." },
  keyHeader: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The same key. Of several headers that differ this one counts, then `api-key`.",
  },
  keyGoogle: {
    type: "apiKey",
    in: "header",
    name: "x-goog-api-key",
    description: "The same key, as clients of Google send it; it counts before the others.",
  },
  keyAzure: {
    type: "apiKey",
    in: "header",
    name: "api-key",
    description: "The same key, as clients of Azure send it.",
  },
  metricsToken: { type: "http", scheme: "bearer", description: "METRICS_TOKEN" },
};

const security: Record<Caller, Record<string, never[]>[]> = {
  public: [],
  account: [{ bearer: [] }, { session: [] }],
  session: [{ session: [] }],
  admin: [{ bearer: [] }, { session: [] }],
  key: [{ keyBearer: [] }, { keyHeader: [] }, { keyAzure: [] }, { keyGoogle: [] }],
  metrics: [{ metricsToken: [] }, {}],
};

/** Error codes of every operation of a caller. Many invalid keys from one address are rate limited. */
const ownErrors: Record<Caller, ErrorCode[]> = {
  public: [],
  account: ["UNAUTHORIZED"],
  session: ["UNAUTHORIZED", "FORBIDDEN"],
  admin: ["UNAUTHORIZED", "FORBIDDEN"],
  key: ["INVALID_API_KEY", "RATE_LIMITED"],
  metrics: ["UNAUTHORIZED"],
};

/** Error codes of operations that use the database, when it is unavailable or overloaded. */
const databaseErrors: ErrorCode[] = ["INTERNAL_ERROR", "NO_AVAILABLE_NODE"];

const compressed = `May be compressed (Content-Encoding: ${readCodings}); at most 100 times as large as it comes, once it is over 1 MiB.`;

const bodyErrors: ErrorCode[] = ["INVALID_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/** One operation of the OpenAPI document. */
export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, never[]>[];
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
}

/** The OpenAPI document. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: JsonSchema;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { securitySchemes: typeof securitySchemes; schemas: Record<string, JsonSchema> };
}

/**
 * The API as an OpenAPI 3.1 document, generated from the schemas that the handlers parse with.
 * Shape: `serverUrl` has no trailing slash. Source: docs/contract.md#s5, #s6, #s9, #texts.
 */
export function openApiDocument(
  serverUrl: string,
  version: string,
  compatibility: Compatibility = "standard",
): OpenApiDocument {
  const writer = new SchemaWriter();
  writer.sent(apiError);
  writer.sent(gatewayError);
  writer.sent(googleError);
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of apiOperations) {
    paths[operation.path] ??= {};
    const methods = paths[operation.path] ?? {};
    const document = () => {
      const own = documented(operation, writer, compatibility);
      return operation.caller === "admin" ? own : described(own);
    };
    methods[operation.method] = document();
    if (operation.method === "patch") methods.put = asPut(document());
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tollgate",
      version,
      description:
        "A model gateway: four protocols in, any provider out, every cent accounted for. Money is in cents of CNY.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, schemas: sorted(forUsers(writer.components)) },
  };
}

function documented(
  operation: ApiOperation,
  writer: SchemaWriter,
  compatibility: Compatibility,
): DocumentedOperation {
  const parameters = [
    ...pathParameters(operation.path),
    ...queryParameters(operation, writer),
    ...headerParameters(operation),
  ].map((parameter) => describedParameter(operation.path, parameter));
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: security[operation.caller],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : { requestBody: requestBody(operation, operation.body, writer, compatibility) }),
    responses: responses(operation, writer),
  };
}

function asPut(operation: DocumentedOperation): DocumentedOperation {
  return {
    ...operation,
    operationId: `${operation.operationId}Put`,
    summary: `${operation.summary} (the same as PATCH)`,
  };
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
}

function queryParameters(operation: ApiOperation, writer: SchemaWriter) {
  if (operation.query === undefined) return [];
  const { properties, required } =
    operation.caller === "key" ? writer.asked(operation.query) : writer.accepted(operation.query);
  const wanted: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: wanted.includes(name),
    schema: asNumber(schema),
  }));
}

/** Describes numbers of a query string as numbers, although the schema checks text. */
function asNumber(schema: JsonSchema): JsonSchema {
  const { pattern, ...rest } = schema;
  if (pattern !== "^\\d{1,15}$") return schema;
  const value = typeof rest.default === "string" ? { default: Number(rest.default) } : {};
  return { minimum: 0, ...rest, type: "integer", ...value };
}

function requestBody(
  operation: ApiOperation,
  body: NonNullable<ApiOperation["body"]>,
  writer: SchemaWriter,
  compatibility: Compatibility,
): JsonSchema {
  const schema = narrowed(writer.accepted(body.schema), operation, compatibility);
  if (body.partial === true) dropRequired(schema);
  const description = operation.caller === "key" ? { description: compressed } : {};
  return {
    ...description,
    required: true,
    content: { "application/json": { schema, example: body.example } },
  };
}

/** Makes all fields of a change optional; absent fields stay, so defaults do not apply. */
function dropRequired(schema: JsonSchema): void {
  delete schema.required;
  for (const member of Object.values(schema.properties ?? {})) delete member.default;
}

function responses(operation: ApiOperation, writer: SchemaWriter): Record<string, JsonSchema> {
  const { success } = operation;
  const content: JsonSchema = {};
  if (success.schema !== undefined) {
    const example = success.example === undefined ? {} : { example: success.example };
    content["application/json"] = { schema: writer.sent(success.schema), ...example };
  }
  if (success.other !== undefined) {
    const { mediaType, description } = success.other;
    content[mediaType] = { schema: { type: "string", description } };
  }
  return {
    [success.status]: {
      description: success.description,
      ...(Object.keys(content).length === 0 ? {} : { content }),
    },
    ...(success.failed
      ? { [success.failed.status]: { description: success.failed.description, content } }
      : {}),
    ...failures(operation),
  };
}

function failures(operation: ApiOperation): Record<string, JsonSchema> {
  const { path, method, caller, body } = operation;
  const isRecorded = /^\/(v1|v1beta|api\/(user|admin))\//.test(path);
  const codes = new Set<ErrorCode>([
    "INVALID_REQUEST", // a malformed path or head of a request
    ...ownErrors[caller],
    ...(operation.errors ?? []),
    ...(body === undefined ? [] : bodyErrors),
    ...(isRecorded ? databaseErrors : []),
    // Requests of a browser session that change data must have the same origin, and must not be forms.
    ...(caller === "account" && method !== "get" ? (["FORBIDDEN"] as const) : []),
    ...(path.startsWith("/api/") && method !== "get" ? (["UNSUPPORTED_MEDIA_TYPE"] as const) : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(code, path);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // A model's vendor may refuse a call because of its content. Source: docs/contract.md#b1.
  const forbidden = byStatus.get(errorStatus.FORBIDDEN);
  if (codes.has("UPSTREAM_ERROR") && forbidden) forbidden.push("INVALID_REQUEST");
  const schema = errorSchemaOf(path);
  const content = { "application/json": { schema } };
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, found]) => [status, { description: found.join(", "), content }]),
    ),
    default: {
      description: "Refused before any operation: 405, 408, 414, 417, 431",
      content,
    },
  };
}

/** The schema of the errors of a path; a stream that is an array has them in one. */
function errorSchemaOf(path: string): JsonSchema {
  const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
  const google = schema("GoogleError");
  if (path.endsWith(":streamGenerateContent")) return { anyOf: [google, { type: "array", items: google }] };
  if (path.startsWith("/v1beta/")) return google;
  return schema(path.startsWith("/v1/") ? "GatewayError" : "ApiError");
}

/** The protocol's own status of an error where it has one. Source: docs/responses.md#s2-7. */
function statusOf(code: ErrorCode, path: string): number {
  const { refusal } = clientAdapters[protocolOfPath(path)].errors;
  return refusal?.(new GatewayError(code, "")).status ?? errorStatus[code];
}

/** Schemas of admins keep their own descriptions only. */
function forUsers(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const ofAdmins = /^(Admin|Audit|Node|Price)/;
  const all = Object.entries(components).map(([name, schema]): [string, JsonSchema] => [
    name,
    ofAdmins.test(name) ? schema : described(schema),
  ]);
  return Object.fromEntries(all);
}

function sorted(components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
