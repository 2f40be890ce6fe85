import type { DocumentedOperation, OpenApiDocument } from "@/lib/api/openapi/document";
import type { Caller } from "@/lib/api/openapi/operation";

export type Schema = Record<string, unknown>;

/** One operation as the page shows it. */
export interface ShownOperation extends DocumentedOperation {
  method: string;
  path: string;
  alsoPut: boolean;
  caller: Caller;
}

/** The operations of one part of the API. */
export interface OperationGroup {
  tag: string;
  operations: ShownOperation[];
}

/** The document's operations by part; a PUT that equals its PATCH is only mentioned. */
export function groupsOf(document: OpenApiDocument): OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !(method === "put" && "patch" in methods))
      .map(
        ([method, operation]): ShownOperation => ({
          ...operation,
          method,
          path,
          alsoPut: method === "patch" && "put" in methods,
          caller: callerOf(path, operation),
        }),
      ),
  );
  return document.tags.map(({ name }) => ({
    tag: name,
    operations: all.filter((operation) => operation.tags.includes(name)),
  }));
}

function callerOf(path: string, operation: DocumentedOperation): Caller {
  const schemes = operation.security.flatMap((entry) => Object.keys(entry));
  if (schemes.includes("keyBearer")) return "key";
  if (schemes.includes("metricsToken")) return "metrics";
  if (!schemes.includes("bearer")) return "public";
  return path.startsWith("/api/admin/") ? "admin" : "account";
}

/** A member of a JSON value when it is an object. */
export function asSchema(value: unknown): Schema | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value));
}

/** The JSON part of a body or an answer. */
export function jsonContent(part: unknown): { schema: Schema; example: unknown } | null {
  const media = asSchema(asSchema(asSchema(part)?.content)?.["application/json"]);
  const schema = asSchema(media?.schema);
  return schema === null ? null : { schema, example: media?.example };
}

/** The first media type of an answer that is not JSON. */
export function otherContent(part: unknown): { mediaType: string; description: string } | null {
  const content = asSchema(asSchema(part)?.content) ?? {};
  const found = Object.entries(content).find(([mediaType]) => mediaType !== "application/json");
  if (found === undefined) return null;
  const description = asSchema(asSchema(found[1])?.schema)?.description;
  return { mediaType: found[0], description: typeof description === "string" ? description : "" };
}

/** The operation as a call from a shell, with variables where secrets go. */
export function curlOf(operation: ShownOperation, serverUrl: string): string {
  const secrets: Record<Caller, string | null> = {
    public: null,
    account: "$TOLLGATE_TOKEN",
    session: null,
    admin: "$TOLLGATE_TOKEN",
    key: "$TOLLGATE_API_KEY",
    metrics: "$METRICS_TOKEN",
  };
  const secret = secrets[operation.caller];
  const example = jsonContent(operation.requestBody)?.example;
  const method = operation.method.toUpperCase();
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${serverUrl}${operation.path.replace(/\{(\w+)\}/g, "$$$1")}"`,
    ...(secret === null ? [] : [`-H "authorization: Bearer ${secret}"`]),
    ...(example === undefined
      ? []
      : [
          '-H "content-type: application/json"',
          `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ];
  return lines.join(" \\\n  ");
}

/** Whom a part of the API is for. */
export const audiences = ["gateway", "account", "admin"] as const;
export type Audience = (typeof audiences)[number];

/** Whom an operation is for: programs with a key, an account's own programs, or admins and operators. */
export function audienceOf(tag: string): Audience {
  if (tag === "Model API") return "gateway";
  return /^(Admin: |Operations$)/.test(tag) ? "admin" : "account";
}

const PART = "part-";

/** Where a part of the API stands in the page. */
export function anchorOf(tag: string): string {
  return `${PART}${tag.toLowerCase().replace(/[^a-z]+/g, "-")}`;
}

/** Whether an address names a part of the API and no operation. */
export function isPartAnchor(id: string): boolean {
  return id.startsWith(PART);
}
