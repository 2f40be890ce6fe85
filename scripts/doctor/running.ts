import { connect, createServer } from "node:net";
import type { Settings } from "@/lib/config/env";
import { urlHost } from "@/lib/config/hosts";
import { messageOfCause } from "@/lib/ops/log-error";
import { listenProblem } from "@/lib/process/listen-problem";
import { type Finding, ill, well } from "./finding";

const WAIT_MS = 5_000;
/** One batch of the ledger. */
const MAX_WAITING = 500;

/** What to do about each problem that makes a running server unready. */
const remedies: Record<string, string> = {
  "the database does not answer":
    "start the database or correct DATABASE_URL; meanwhile new calls get 500, running answers end well and are billed later",
  "the database has not been migrated": "stop the older version, or restart this one",
  "the spool cannot be written": "make room and writable what is under DATA_DIR/spool, then restart",
  "the spool is full":
    "bring the database back: what waits goes in by itself, and there is room again; until then calls are refused",
  "the process is going down": "nothing; it ends when its running answers have ended",
};

/** The address to query a server that listens on all interfaces. */
const OWN_ADDRESS: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "127.0.0.1" };

/** The state that the server on the port reports: readiness, degraded parts, waiting settlements, unavailable nodes. */
export async function runningServer(settings: Settings): Promise<Finding[]> {
  const host = OWN_ADDRESS[settings.host] ?? settings.host;
  if (!(await isListening(host, settings.port))) return [await freePort(settings)];
  const base = `http://${urlHost(host)}:${settings.port}`;
  const state = await readState(`${base}/api/health/ready`);
  if (state === "silent")
    return [
      ill(
        "server",
        `port ${settings.port} accepts and does not answer within ${WAIT_MS / 1_000} s: overloaded or stopped; see its log and its processor time, then restart it`,
      ),
    ];
  if (state === null)
    return [
      ill("server", `port ${settings.port} is taken by something that is not Tollgate; stop it or set PORT`),
    ];
  const { problems, degraded } = state;
  const findings = problems.map((problem) =>
    ill("server", `${problem}: ${remedies[problem] ?? "see its log"}`),
  );
  if (problems.length === 0) findings.push(well("server", `running and ready at ${settings.publicUrl}`));
  if (degraded.includes("redis"))
    findings.push(
      ill("server", "works without Redis: each process enforces its share of the limits; start Redis"),
    );
  return [...findings, ...(await fromMetrics(`${base}/metrics`, settings.metricsToken))];
}

/** Whether a start could listen where nobody does. */
function freePort({ host, port }: Settings): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => {
      const { problems } = listenProblem(error, { host, port }) ?? { problems: [messageOfCause(error)] };
      resolve(ill("server", problems.join(" ")));
    });
    server.listen({ host, port }, () =>
      server.close(() => resolve(well("server", `not running on port ${port}`))),
    );
  });
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.setTimeout(WAIT_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

/** Null when another program answers; "silent" when nothing does. */
async function readState(url: string): Promise<{ problems: string[]; degraded: string[] } | "silent" | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    const { problems, degraded } = (await response.json()) as Record<string, unknown>; // looked at before use
    return Array.isArray(problems) && Array.isArray(degraded) ? { problems, degraded } : null;
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "silent" : null;
  }
}

async function fromMetrics(url: string, token: string | null): Promise<Finding[]> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) return [];
    const text = await response.text();
    return [...readLoad(text), ...readSpool(text), ...readNodes(text)];
  } catch {
    return []; // readiness is reported already; the metrics are optional
  }
}

function readLoad(metrics: string): Finding[] {
  const read = (name: string) => Number(new RegExp(`^tollgate_${name} (\\d+)`, "m").exec(metrics)?.[1] ?? 0);
  const findings: Finding[] = [];
  if (read("overloaded") > 0)
    findings.push(
      ill(
        "server",
        "sheds calls with 503: it has as many running as it takes, or its event loop or its database does not keep up; add a replica, or give it or the database a core",
      ),
    );
  if (read("ledger_waiting") > MAX_WAITING)
    findings.push(
      ill(
        "ledger",
        `${read("ledger_waiting")} holds and settlements wait for the database: it is slow or locked`,
      ),
    );
  return findings;
}

function readSpool(metrics: string): Finding[] {
  const depth = Number(/^tollgate_spool_depth (\d+)/m.exec(metrics)?.[1] ?? 0);
  if (depth === 0) return [];
  return [
    ill("spool", `${depth} settlements wait on the local disk; they go in when the database takes them`),
  ];
}

function readNodes(metrics: string): Finding[] {
  const states = [...metrics.matchAll(/^tollgate_node_available\{node="([^"]*)",state="([^"]*)"\} (\d)/gm)];
  const out = states.filter(([, , state, available]) => available === "0" && state !== "disabled");
  const findings = out.map(([, node, state]) =>
    ill(
      `node ${node}`,
      `is ${state} after failures; it is tried again by itself, and its page says what it answered`,
    ),
  );
  const usable = states.filter(([, , , available]) => available === "1").length;
  if (out.length > 0 && usable === 0)
    findings.push(
      ill("nodes", "none may be called now: calls get 503 until one answers its probe, once a second"),
    );
  return findings;
}
