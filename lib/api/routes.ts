import type { z } from "zod";
import { bootstrapOperations } from "@/lib/api/operations/public";
import { GatewayError } from "@/lib/kernel/errors";
import type { Operation, PathParams } from "./operation";
import { accountOperations } from "./operations/account";
import { adminBudgetOperations } from "./operations/admin-budgets";
import { adminReportOperations } from "./operations/admin-reports";
import { budgetOperations } from "./operations/budgets";
import { modelOperations, planOperations } from "./operations/catalog";
import { healthOperations } from "./operations/health";
import { keyOperations } from "./operations/keys";
import { loginOperations } from "./operations/logins";
import { nodeOperations, rehearsalOperations } from "./operations/nodes";
import { projectOperations } from "./operations/projects";
import { announcementOperations, invitationOperations, settingsOperations } from "./operations/settings";
import { statementOperations } from "./operations/statements";
import { usageOperations } from "./operations/usage";
import { userOperations } from "./operations/users";
import { lowerCaseId } from "./parse";

/** Every operation under `/api`, in the order of the OpenAPI document. */
export const operations = [
  ...accountOperations,
  ...loginOperations,
  ...bootstrapOperations,
  ...keyOperations,
  ...projectOperations,
  ...usageOperations,
  ...budgetOperations,
  ...statementOperations,
  ...nodeOperations,
  ...modelOperations,
  ...planOperations,
  ...adminBudgetOperations,
  ...rehearsalOperations,
  ...userOperations,
  ...adminReportOperations,
  ...settingsOperations,
  ...invitationOperations,
  ...announcementOperations,
  ...healthOperations,
];

type Listed = (typeof operations)[number];
type ByName = { [One in Listed as `${Uppercase<One["method"]>} ${One["path"]}`]: One };

/** The name of an operation, e.g. `GET /api/user/self`. */
export type OperationName = keyof ByName;

/** The answer of an operation. */
export type ApiOutput<Name extends OperationName> = OutputOf<ByName[Name]>;

/** The input of an operation, as its caller sends it; of a query only the names are checked. */
export type ApiInput<Name extends OperationName> = ParamsOf<ByName[Name]["path"]> &
  QueryOf<ByName[Name]> &
  BodyOf<ByName[Name]>;

type OutputOf<D> = D extends { success: { schema: infer Schema extends z.ZodType } }
  ? z.output<Schema>
  : undefined;

type ParamsOf<Path extends string> = Path extends `${string}{${string}`
  ? { params: { [Name in keyof PathParams<Path>]: string | number } }
  : unknown;

type QueryOf<D> = D extends { query: infer Query extends z.ZodType }
  ? { query?: { [Name in keyof z.input<Query>]?: string | number | null | undefined } }
  : unknown;

type BodyOf<D> = D extends { body: { schema: infer Schema extends z.ZodType } }
  ? { body: D extends { body: { partial: true } } ? Partial<z.input<Schema>> : z.input<Schema> }
  : unknown;

/** Methods in the order of the `Allow` header. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** The operations of one path, by request method. */
interface Route {
  segments: string[];
  operations: Map<string, Operation>;
}

/** A route with the parameters of the requested path. */
export interface FoundRoute {
  operations: ReadonlyMap<string, Operation>;
  params: Record<string, string>;
  /** The methods of the path, for the `Allow` header. */
  allow: string[];
}

const routes = routesOf(operations);

/** The route of a path, or null. Throws: INVALID_REQUEST for a parameter that cannot be decoded. */
export function findRoute(pathname: string): FoundRoute | null {
  const given = pathname.replace(/\/$/, "").split("/");
  for (const { segments, operations: byMethod } of routes) {
    const params = paramsOf(segments, given);
    if (params === null) continue;
    const allow = METHODS.filter((method) => byMethod.has(method));
    return { operations: byMethod, params, allow: [...allow, "OPTIONS"] };
  }
  return null;
}

/** HEAD means GET, and PUT means PATCH. Paths without parameters come first. Source: docs/contract.md#s5. */
function routesOf(all: readonly Operation[]): Route[] {
  const found = new Map<string, Route>();
  for (const operation of all) {
    const { path, method } = operation;
    const route = found.get(path) ?? { segments: path.split("/"), operations: new Map() };
    found.set(path, route);
    route.operations.set(method.toUpperCase(), operation);
    if (method === "get") route.operations.set("HEAD", operation);
    if (method === "patch") route.operations.set("PUT", operation);
  }
  const isOpen = (route: Route) => Number(route.segments.some((segment) => segment.startsWith("{")));
  return [...found.values()].sort((a, b) => isOpen(a) - isOpen(b));
}

/** The parameters of a path that matches the segments of a route, or null. */
function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? "";
    const name = segment.slice(1, -1);
    if (segment.startsWith("{")) params[name] = lowerCaseId(name, decoded(value));
    else if (segment !== value) return null;
  }
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new GatewayError("INVALID_REQUEST", "The path of the URL is malformed.");
  }
}
