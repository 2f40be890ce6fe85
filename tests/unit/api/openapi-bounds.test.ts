import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkHeaders } from "@/lib/admin/nodes";
import { apiOperations, type DocumentedOperation, openApiDocument } from "@/lib/api/openapi/document";
import type { ApiOperation } from "@/lib/api/openapi/operation";
import { parseChanges, parseQuery } from "@/lib/api/parse";
import { refuseUnstorable } from "@/lib/api/read-json";
import { pageOf } from "@/lib/gateway/show-models";
import { isGatewayError } from "@/lib/kernel/errors";
import { embeddingClients } from "@/lib/protocols/embeddings/adapter";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { embeddingsPath } from "@/lib/protocols/protocol";
import { protocolOfPath, protocols } from "@/lib/protocols/registry";
import { validateRequest } from "@/lib/protocols/validation/validate";
import { asSchema, beyond, type Schema, valuesOf } from "@/tests/support/schema-values";

const document = openApiDocument("http://gateway.test", "1.0.0");

/** A part of a request that the document describes, and the handler's own check of it. */
interface Described {
  name: string;
  schema: Schema;
  /** A value that is good, for the parts that no schema can state. */
  good: Record<string, unknown>;
  check(value: unknown): void;
}

const bodies = apiOperations.flatMap((operation): Described[] => {
  if (operation.body === undefined) return [];
  const documented = documentedOf(operation);
  const media = asSchema(asSchema(asSchema(documented.requestBody).content)["application/json"]);
  const schema = resolved(asSchema(media.schema));
  return [
    {
      name: `${operation.method} ${operation.path}`,
      schema,
      good: asSchema(operation.body.example),
      check: (value) => checkBody(operation, value),
    },
  ];
});

const queries = apiOperations.flatMap((operation): Described[] => {
  const { query } = operation;
  if (query === undefined) return [];
  const parameters = (documentedOf(operation).parameters ?? []).filter((one) => one.in === "query");
  const properties = Object.fromEntries(parameters.map((one) => [String(one.name), one.schema]));
  const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
  return [
    {
      name: `${operation.method} ${operation.path}`,
      schema: resolved({ type: "object", properties, required, additionalProperties: false }),
      good: {},
      check: (value) => checkQuery(operation, query, new URLSearchParams(asText(asSchema(value)))),
    },
  ];
});

function documentedOf({ path, method }: ApiOperation): DocumentedOperation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

/** As the handler does: the schema of the body, and for generations all that does not depend on a node. */
function checkBody({ path, body }: ApiOperation, value: unknown): void {
  if (path.startsWith("/v1/")) {
    const countTokens = path.endsWith("/count_tokens");
    const protocol = protocolOfPath(path);
    const compatibility: Compatibility = "standard";
    const client = path === embeddingsPath ? embeddingClients[protocol] : protocols[protocol];
    validateRequest(value, client, { compatibility, version: "2023-06-01", countTokens });
    return;
  }
  refuseUnstorable(value);
  if (path.startsWith("/api/admin/nodes")) checkHeaders(textsOf(asSchema(value).headers));
  if (body?.partial === true && body.schema instanceof z.ZodObject) parseChanges(body.schema, value);
  else body?.schema.parse(value);
}

function textsOf(members: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asSchema(members)).filter(([, text]) => typeof text === "string"),
  ) as Record<string, string>; // of those that are texts
}

/** As the handler does; the list of models is cut by a function of its own. */
function checkQuery({ path }: ApiOperation, schema: z.ZodObject, query: URLSearchParams): void {
  if (path === "/v1/models") pageOf([], query);
  else parseQuery(schema, query);
}

function accepts({ check }: Described, value: unknown): boolean {
  try {
    check(value);
    return true;
  } catch (error) {
    if (isGatewayError(error) || error instanceof z.ZodError) return false;
    throw error;
  }
}

function asText(members: Schema): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));
}

/** The schema with the components it refers to in place. */
function resolved(schema: Schema): Schema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...members } = asSchema(value);
    if (typeof $ref === "string")
      return walk(document.components.schemas[$ref.replace("#/components/schemas/", "")]);
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, walk(member)]));
  };
  return asSchema(walk(schema));
}

/**
 * More than a schema can state: which time zones there are, what a history may hold, which nodes give several choices, that
 * names differ, which headers are the gateway's own, which files and keys of sessions are credentials.
 */
const UNSTATED: ReadonlySet<string> = new Set([
  "tz",
  "timeZone",
  "messages",
  "n",
  "input",
  "conversation",
  "views",
  "headers",
  "credential",
]);

/** Members of prices, at any depth, of which no schema can state that sizes ascend, or that a factor excludes prices. */
const UNSTATED_WITHIN: ReadonlySet<string> = new Set(["tiers", "services", "windows"]);

function withoutUnstated(schema: Schema): Schema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).filter(([name]) => !UNSTATED_WITHIN.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, walk(member)]));
  };
  return asSchema(walk(schema));
}

/** A body or a query of which each member is at times there; what no schema can state is as in the example. */
function requestsOf({ schema: whole, good }: Described): fc.Arbitrary<unknown> {
  const schema = withoutUnstated(whole);
  const stated = Object.entries(asSchema(schema.properties)).filter(([name]) => !UNSTATED.has(name));
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = Object.fromEntries(Object.entries(good).filter(([name]) => UNSTATED.has(name)));
  return valuesOf({
    ...schema,
    properties: Object.fromEntries(stated),
    required: required.filter((name) => !UNSTATED.has(String(name))),
  }).map((value) => ({ ...asSchema(value), ...kept }));
}

/** Where a bound stands, and how a good value is brought beyond it. */
interface Probe {
  at: string;
  value: unknown;
}

/** The example once for each bound anywhere in the schema, one value beyond it. */
function probesOf({ schema, good }: Described): Probe[] {
  const probe = (part: Schema, at: string, place: (value: unknown) => unknown): Probe[] => {
    const choices = Array.isArray(part.anyOf) ? part.anyOf.map(asSchema) : [];
    const own = beyond(part).map(({ bound, value }) => ({ at: `${at}: ${bound}`, value: place(value) }));
    const members = Object.entries(asSchema(part.properties)).flatMap(([name, member]) => {
      const base = at === "" ? good : asSchema(fc.sample(valuesOf(part), 1)[0]);
      return probe(asSchema(member), `${at}.${name}`, (value) => place({ ...base, [name]: value }));
    });
    const items =
      part.items === undefined ? [] : probe(asSchema(part.items), `${at}[]`, (value) => place([value]));
    const values =
      part.type === "object" && part.properties === undefined
        ? probe(asSchema(part.additionalProperties), `${at}{}`, (value) => place({ x: value }))
        : [];
    return [
      ...own,
      ...choices.flatMap((choice) => probe(choice, at, place)),
      ...members,
      ...items,
      ...values,
    ];
  };
  return probe(schema, "", (value) => value);
}

describe.each([
  ["body", bodies],
  ["query", queries],
] as const)("the %s of an operation", (_part, described) => {
  test.each(described.map((one) => [one.name, one] as const))(
    "%s is accepted wherever the document allows it: the document states every bound",
    (_name, one) => {
      fc.assert(
        fc.property(requestsOf(one), (value) => {
          // Of the bounds of a password one is in bytes, which a schema cannot count.
          fc.pre(!JSON.stringify(value).includes("assword") || isShortInBytes(value));
          one.check(value);
        }),
        { numRuns: 150 },
      );
    },
  );

  test.each(described.map((one) => [one.name, one] as const))(
    "%s is refused one step beyond each bound that the document states",
    (_name, one) => {
      const allowed = z.fromJSONSchema(one.schema as Parameters<typeof z.fromJSONSchema>[0]);
      const beyondAll = probesOf(one).filter(({ value }) => !allowed.safeParse(value).success);
      const kept = beyondAll.filter(({ value }) => accepts(one, value)).map(({ at }) => at);
      expect(kept).toEqual([]);
    },
  );
});

test("there are bounds to hold the handlers to", () => {
  expect([...bodies, ...queries].flatMap(probesOf).length).toBeGreaterThan(300);
});

function isShortInBytes(value: unknown): boolean {
  return Object.entries(asSchema(value)).every(
    ([name, text]) => !/password/i.test(name) || Buffer.byteLength(String(text)) <= 1024,
  );
}
