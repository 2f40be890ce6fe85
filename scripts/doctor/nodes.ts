import { request } from "undici";
import { accessReport, askToken } from "@/lib/admin/access-report";
import { listNodeModels } from "@/lib/admin/node-models";
import type { Settings } from "@/lib/config/env";
import { storedCredential } from "@/lib/config/node-credential";
import type { KeyRing, Secrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { callableNode } from "@/lib/gateway/callable-node";
import { systemClock } from "@/lib/kernel/clock";
import { messageOfCause } from "@/lib/ops/log-error";
import { credentialHeaders } from "@/lib/protocols/adapters/credential-header";
import { nodeAdapterOf } from "@/lib/protocols/registry";
import type { CatalogNode } from "@/lib/router/catalog";
import { loadCatalog } from "@/lib/router/load-catalog";
import { type CallableNode, credentialHeaderOf, urlBelow } from "@/lib/upstream/call-node";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { startSystemTimer } from "@/lib/upstream/credentials/system-timer";
import { tokenSender } from "@/lib/upstream/credentials/token-sender";
import { TokenSources } from "@/lib/upstream/credentials/token-sources";
import { Pools } from "@/lib/upstream/pools";
import { type Finding, ill, well } from "./finding";

const WAIT_MS = 5_000;

/**
 * Asks every enabled node for its models over the same connections as calls, including proxies; nodes of clouds with a
 * token or a signature. Source: docs/clouds.md#failures.
 */
export async function everyNode(db: Database, secrets: Secrets, settings: Settings): Promise<Finding[]> {
  const pools = new Pools(settings.outboundProxies);
  const clocks: Finding[] = [];
  const tokenSources = new TokenSources({
    ...systemMachine,
    send: tokenSender(pools, startSystemTimer),
    clock: systemClock,
    startTimer: startSystemTimer,
    allowAmbient: settings.cloudCredentialsAmbient,
    onWarning: () => {}, // nothing is refreshed while a node is examined once
    onSkew: (host, skewMs) =>
      clocks.push(
        ill(
          "clock",
          `differs from that of ${host} by ${Math.round(skewMs / 1_000)} s; set this machine's clock`,
        ),
      ),
  });
  try {
    const nodes = [...(await loadCatalog(db)).nodes.values()].filter(({ enabled }) => enabled);
    const examined = nodes.map((node) =>
      node.credentialKind === "key" || node.simulated
        ? keyedNode(node, secrets.credentials, pools)
        : cloudNode(callableNode({ settings, secrets, tokenSources }, node), node.name, pools),
    );
    return [...(await Promise.all(examined)), ...clocks];
  } finally {
    await pools.destroy();
  }
}

/** A node of a cloud, stage by stage: its token, then what it says to it. */
async function cloudNode(node: CallableNode, name: string, pools: Pools): Promise<Finding> {
  const subject = `node ${name}`;
  if (node.accessProblem !== undefined)
    return ill(subject, `has a credential that cannot be read (${node.accessProblem}); enter it again`);
  const token = await askToken(node);
  const who = token?.principal ?? "its credential";
  if (token !== null && token.token !== "ok")
    return ill(subject, `gets no access as ${who} (${token.token}); docs/clouds.md says what that means`);
  const list = await listNodeModels(pools, node);
  if (list.status === null) return ill(subject, unreachable(list.error ?? "no answer", node.proxy));
  const said = `${list.status}${list.error === null ? "" : `: ${list.error}`}`;
  if (token !== null && accessReport(token, [list]).accepted === false)
    return ill(subject, `does not let ${who} in (${said})`);
  if (list.status >= 500) return ill(subject, failing(list.status));
  return well(subject, `answers ${list.status} to ${who}`);
}

async function keyedNode(row: CatalogNode, ring: KeyRing, pools: Pools): Promise<Finding> {
  const subject = `node ${row.name}`;
  if (row.simulated) return well(subject, "simulated; runs inside the server");
  try {
    const { api } = nodeAdapterOf(row);
    const url = urlBelow(row.baseUrl, api.models?.path ?? "");
    const { origin } = url;
    const { statusCode, body } = await request(url, {
      dispatcher: pools.get({
        id: row.id,
        origin,
        connectMs: WAIT_MS,
        proxy: row.proxy,
        ca: row.ca,
        guarded: false,
        direct: false,
      }),
      headers: { ...api.headers, ...row.headers, ...credentialOf(row, ring) },
      signal: AbortSignal.timeout(WAIT_MS),
    });
    await body.dump();
    if (statusCode === 401 || statusCode === 403)
      return ill(subject, `refuses its credential (${statusCode}); set a valid apiKey`);
    if (statusCode >= 300 && statusCode < 400)
      return ill(
        subject,
        `sends elsewhere (${statusCode}); set the baseUrl it sends to, no redirect is followed`,
      );
    return statusCode < 500 ? well(subject, `answers ${statusCode}`) : ill(subject, failing(statusCode));
  } catch (error) {
    return ill(subject, unreachable(messageOfCause(error), row.proxy));
  }
}

function failing(status: number): string {
  return `answers ${status}; look at what its provider says of its state`;
}

function unreachable(why: string, proxy: string | null): string {
  const what = proxy === null ? "its baseUrl" : "its baseUrl and its proxy";
  return `cannot be reached (${why}); check ${what} and this machine's network`;
}

function credentialOf(row: CatalogNode, ring: KeyRing): Record<string, string> {
  const credential = storedCredential(ring, row);
  return credential?.kind === "key" ? credentialHeaders(credentialHeaderOf(row), credential.key) : {};
}
