import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { and, asc, eq, ne, sql } from "drizzle-orm";
import { unreadableCertificate } from "@/lib/config/certificate-trouble";
import type { NodeEntry } from "@/lib/config/file-schema";
import { credentialColumns } from "@/lib/config/node-credential";
import type { KeyRing } from "@/lib/config/secrets";
import type { Orm, Session } from "@/lib/db/database";
import { models, nodes, routes } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { nodeProblem } from "@/lib/protocols/node-address";
import type { ProvidedNode } from "@/lib/protocols/profiles/provider";
import { DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import { isPrivateAddress } from "@/lib/upstream/address-guard";
import { type Actor, changeConfig, refuseManagedByFile, requireFound, takenName, uuidOf } from "./audit";
import { type CredentialRules, checkedCredential, refuseUnknownKind } from "./node-credential";
import { requireRegion } from "./require-region";

/** A node row. */
export type NodeRow = typeof nodes.$inferSelect;

/** The dependencies of the rules for nodes. */
export interface NodeRules extends CredentialRules {
  /** Encrypts upstream credentials. */
  ring: KeyRing;
  allowPrivate: boolean;
}

/** Every node in order of name, with the models it serves. */
export async function listNodes(db: Session) {
  const rows = await db.orm.select().from(nodes).orderBy(asc(nodes.name));
  const served = await servedModels(db.orm);
  return rows.map((row) => ({ ...nodeRecordOf(row), models: served.get(row.id) ?? [] }));
}

/** One node. Throws: NOT_FOUND. */
export async function findNode(db: Session, id: string) {
  const row = await nodeById(db.orm, id);
  const served = await servedModels(db.orm);
  return { ...nodeRecordOf(row), models: served.get(row.id) ?? [] };
}

/** Creates a node. Throws: INVALID_REQUEST, CONFLICT. Source: docs/contract.md#s3, #s5. */
export async function createNode(db: Session, actor: Actor, input: NodeEntry, rules: NodeRules) {
  checkAddresses(input, rules);
  checkProvider(input);
  const credential = (await checkedCredential(input, rules)) ?? null;
  if (credential !== null) requireRegion(credential, input.baseUrl);
  await refuseUnknownKind(db, credential);
  return changeConfig(db, actor, async (tx) => {
    const id = randomUUID();
    await refuseTakenName(tx, input.name, id);
    const { apiKey: _, credential: __, ...columns } = input;
    const [row] = await tx
      .insert(nodes)
      .values({ id, ...columns, ...credentialColumns(rules.ring, id, credential) })
      .returning();
    const result = nodeRecordOf(requireFound(row, "node"));
    return { result, audit: { action: "node.create", targetType: "node", targetId: id, after: result } };
  });
}

/**
 * Changes a node; its credential stays unless `apiKey` or `credential` is given, null removes it.
 * Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT.
 */
export async function updateNode(
  db: Session,
  actor: Actor,
  id: string,
  change: Partial<NodeEntry>,
  rules: NodeRules,
) {
  checkAddresses(change, rules);
  const { apiKey: _, credential: __, ...columns } = change;
  const credential = await checkedCredential(change, rules);
  await refuseUnknownKind(db, credential);
  return changeConfig(db, actor, async (tx) => {
    const before = await nodeById(tx, id);
    refuseManagedByFile(before);
    if (change.name !== undefined && change.name !== before.name)
      await refuseTakenName(tx, change.name, before.id);
    if (["provider", "protocol", "baseUrl"].some((field) => field in change))
      checkProvider({ ...before, ...change });
    const shown = credential === undefined ? factsOf(before) : credential;
    if (shown !== null) requireRegion(shown, change.baseUrl ?? before.baseUrl);
    const sealed = credential === undefined ? {} : credentialColumns(rules.ring, before.id, credential);
    const [row] = await tx
      .update(nodes)
      .set({ ...columns, ...sealed, updatedAt: new Date() })
      .where(eq(nodes.id, before.id))
      .returning();
    const result = nodeRecordOf(requireFound(row, "node"));
    return {
      result,
      audit: {
        action: credential === undefined ? "node.update" : "node.update-credential",
        targetType: "node",
        targetId: before.id,
        before: nodeRecordOf(before),
        after: result,
      },
    };
  });
}

/**
 * Refuses a name that another node has, regardless of case. The database does not enforce this, because an older
 * installation may have two such nodes, which keep their names.
 */
async function refuseTakenName(tx: Orm, name: string, ownId: string): Promise<void> {
  // No other transaction can take the name before the write.
  await tx.execute(sql`LOCK TABLE ${nodes} IN SHARE ROW EXCLUSIVE MODE`);
  const [taken] = await tx
    .select({ name: nodes.name })
    .from(nodes)
    .where(and(sql`lower(${nodes.name}) = lower(${name})`, ne(nodes.id, ownId)))
    .limit(1);
  if (taken !== undefined) throw takenName("name", "is the name of another node");
}

/** The fields that decide how a node is called. */
export type NodeDraft = Partial<Omit<NodeEntry, "name" | "enabled" | "maxConcurrency">>;

/** Refuses addresses and headers that a node may not have. Throws: INVALID_REQUEST. */
export function checkAddresses(fields: NodeDraft, { allowPrivate }: NodeRules): void {
  if (fields.baseUrl !== undefined) checkBaseUrl(fields.baseUrl, allowPrivate);
  checkProxy(fields.proxy, allowPrivate);
  checkHeaders(fields.headers ?? {});
  const unreadable = unreadableCertificate(fields.ca);
  if (unreadable !== null) throw badField("ca", unreadable);
}

/** Throws: INVALID_REQUEST, naming the field that does not fit the protocol or the provider. */
export function checkProvider(node: ProvidedNode): void {
  const problem = nodeProblem(node);
  if (problem !== null) throw badField(problem.field, problem.message);
}

/** Removes a node that no model uses. Throws: NOT_FOUND, CONFLICT. */
export async function deleteNode(db: Session, actor: Actor, id: string): Promise<void> {
  await changeConfig(db, actor, async (tx) => {
    const row = await nodeById(tx, id);
    refuseManagedByFile(row);
    const served = (await servedModels(tx)).get(row.id) ?? [];
    if (served.length > 0) {
      const aliases = [...new Set(served.map(({ alias }) => alias))].join(", ");
      throw new GatewayError(
        "CONFLICT",
        `Models still use this node: ${aliases}. Change their routes first.`,
      );
    }
    await tx.delete(nodes).where(eq(nodes.id, row.id));
    return {
      result: undefined,
      audit: { action: "node.delete", targetType: "node", targetId: row.id, before: nodeRecordOf(row) },
    };
  });
}

/** The row of a node. Throws: NOT_FOUND. */
export async function nodeById(orm: Orm, id: string): Promise<NodeRow> {
  const [row] = await orm
    .select()
    .from(nodes)
    .where(eq(nodes.id, uuidOf(id, "node")))
    .limit(1);
  return requireFound(row, "node");
}

/** What may be read of a stored credential. */
function factsOf({ credentialKind, credentialFacts }: NodeRow) {
  return { principal: null, ...credentialFacts, kind: credentialKind };
}

/**
 * A node with the field names of `tollgate.yaml`, and only the last four characters of its key.
 * Source: docs/contract.md#s5.
 */
function nodeRecordOf(row: NodeRow) {
  return {
    id: row.id,
    name: row.name,
    protocol: row.protocol,
    provider: row.provider,
    baseUrl: row.baseUrl,
    hasApiKey: row.credential !== null,
    apiKeyHint: row.apiKeyHint,
    credential: row.credential === null ? null : factsOf(row),
    headers: row.headers,
    enabled: row.enabled,
    proxy: row.proxy === null ? null : withoutPassword(row.proxy),
    ca: row.ca,
    maxConcurrency: row.maxConcurrency,
    timeouts: { ...DEFAULT_TIMEOUTS, ...row.timeouts },
    simulated: row.simulated,
    managedByFile: row.managedByFile,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The address of a proxy without its password. */
export function withoutPassword(proxy: string): string {
  const url = new URL(proxy);
  if (url.password !== "") url.password = "***";
  return url.toString();
}

async function servedModels(orm: Orm) {
  const rows = await orm
    .select({
      nodeId: routes.nodeId,
      alias: models.alias,
      upstreamModel: routes.upstreamModel,
      priority: routes.priority,
      weight: routes.weight,
    })
    .from(routes)
    .innerJoin(models, eq(models.id, routes.modelId))
    .orderBy(asc(models.alias), asc(routes.priority));
  const served = new Map<string, Omit<(typeof rows)[number], "nodeId">[]>();
  for (const { nodeId, ...model } of rows) served.set(nodeId, [...(served.get(nodeId) ?? []), model]);
  return served;
}

/** Names that resolve only in private networks, such as those of metadata services. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain)$/i;

/** Web servers use these or ports from 1024; lower ones belong to other services. */
const LOW_PORTS: ReadonlySet<number> = new Set([80, 443]);
const FIRST_FREE_PORT = 1024;

/**
 * Refuses an address to call, a base URL unless `field` says otherwise, that is private or not encrypted. Every
 * connection checks the resolved address again. Throws: INVALID_REQUEST. Source: docs/reliability.md#s3-9.
 */
export function checkBaseUrl(url: string, allowPrivate: boolean, field = "baseUrl"): void {
  if (allowPrivate) return;
  refuseInside(field, url);
  if (new URL(url).protocol !== "https:")
    throw badField(field, "must use https, or set ALLOW_PRIVATE_UPSTREAMS=1");
}

/**
 * Refuses a private address as a node's proxy; its connection may be unencrypted. Throws: INVALID_REQUEST.
 * Source: docs/reliability.md#s3-9.
 */
export function checkProxy(proxy: string | null | undefined, allowPrivate: boolean): void {
  if (!allowPrivate && typeof proxy === "string") refuseInside("proxy", proxy);
}

function refuseInside(field: string, address: string): void {
  const { port, hostname } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const inside = isIP(host) === 0 ? INSIDE.test(host) || !host.includes(".") : isPrivateAddress(host);
  if (inside)
    throw badField(field, "points at a private address; set ALLOW_PRIVATE_UPSTREAMS=1 to allow that");
  const isWeb = port === "" || LOW_PORTS.has(Number(port)) || Number(port) >= FIRST_FREE_PORT;
  if (!isWeb) throw badField(field, `must have port 80, 443 or one from ${FIRST_FREE_PORT}`);
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "x-auth-token",
  "cookie",
  "host",
  "connection",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "accept-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "keep-alive",
]);

/** Refuses custom headers that would store credentials unencrypted or break HTTP framing. Throws: INVALID_REQUEST. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase()))
      throw badField(`headers.${name}`, "cannot be set here; a credential belongs into apiKey");
    if (!/^[\t\x20-\x7e]{0,4096}$/.test(value)) throw badField(`headers.${name}`, "must be printable ASCII");
  }
}
