import { spawn } from "node:child_process";
import type { Server } from "node:http";
import { type AddressInfo, createServer, type Server as NetServer } from "node:net";
import type { Drain } from "@/lib/admission/drain";
import { SOCKET_BUFFER_BYTES } from "@/lib/kernel/body-writer";
import type { Log } from "@/lib/ops/log";
import { codeOf } from "@/lib/ops/log-error";
import { closeConnections, endKeepAlive } from "@/lib/process/http-server";
import { listenProblem } from "./listen-problem";

/** How long a shutdown may take. Units: seconds. */
interface DrainSettings {
  drainSeconds: number;
  /** How long new calls are accepted after SIGTERM; null: a share of the drain. */
  drainAcceptSeconds: number | null;
}

/** The operations of a running process that signals use. */
export interface RunningServer {
  runtime: {
    settings: { host: string; port: number } & DrainSettings;
    drain: Drain;
    log: Log;
  };
  /** Called once the port is bound; when it rejects, the start has failed. */
  announce(port: number): Promise<void>;
  /** Reads the configuration file again. */
  reload(): Promise<void>;
  /** Flushes and closes everything but the listeners. */
  stop(): Promise<void>;
}

/** New calls are accepted for this long after SIGTERM, so that a load balancer sees the readiness check fail first. */
const MIN_ACCEPTING_MS = 2_000;
const MAX_ACCEPTING_MS = 5_000;
const ACCEPTING_SHARE = 1 / 24;
const LAST_FRAMES_MS = 2_000;
/**
 * Within this time a signal counts as the same one: a process group gets it twice when the parent process forwards it
 * too.
 */
const SAME_SIGNAL_MS = 500;
/** Connections that may wait to be accepted, for bursts; the operating system may lower it. */
const BACKLOG = 4_096;

/**
 * Listens until SIGTERM or SIGINT, then shuts down gracefully: readiness turns false, the listeners close (after
 * SIGTERM some seconds later, so that a load balancer can switch), running requests finish within the deadline, and the
 * process flushes its state and exits with 0. A later second signal ends it at once; SIGHUP reloads the configuration.
 * Source: docs/contract.md#s1, docs/reliability.md#s2-11.
 */
export async function runUntilSignal(server: Server, app: RunningServer): Promise<void> {
  const { settings, log } = app.runtime;
  await listen(server, settings);
  const address = server.address() as AddressInfo; // a TCP listener has an address object
  server.on("error", (error) => log.error({ err: error }, "a connection could not be accepted"));
  const listeners: NetServer[] = [server];
  void addListenerHandles(server, BACKLOG).then((more) => {
    if (server.listening) listeners.push(...more);
    else for (const listener of more) listener.close();
  });
  let stoppingSinceMs: number | null = null;
  const onStop = (signal: NodeJS.Signals) => {
    if (stoppingSinceMs !== null) {
      if (performance.now() - stoppingSinceMs < SAME_SIGNAL_MS) return;
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
    stoppingSinceMs = performance.now();
    void shutDown(server, listeners, app, signal);
  };
  process.on("SIGTERM", onStop);
  process.on("SIGINT", onStop);
  process.on("SIGHUP", () => {
    app.reload().catch((error: unknown) => log.error({ err: error }, "the configuration was not reloaded"));
  });
  await app.announce(address.port); // after this line the process may get signals
}

const NO_IPV6 = new Set(["EAFNOSUPPORT", "EADDRNOTAVAIL"]);

/** Listens; on `0.0.0.0` for `::` where the machine has no IPv6. Throws: StartupError that says what to do. */
async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, backlog: BACKLOG }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    if (host === "::" && NO_IPV6.has(codeOf(error) ?? "")) return listen(server, { host: "0.0.0.0", port });
    throw listenProblem(error, { host, port }) ?? error;
  }
}

/**
 * How long new calls are accepted after SIGTERM, until the listeners close; it is part of the drain time. The default
 * is at least two seconds, even when the drain is shorter. Units: seconds in, milliseconds out.
 * Source: docs/contract.md#s9, docs/reliability.md#s2-11.
 */
export function acceptingMs({ drainSeconds, drainAcceptSeconds }: DrainSettings): number {
  if (drainAcceptSeconds !== null) return drainAcceptSeconds * 1_000;
  const share = drainSeconds * 1_000 * ACCEPTING_SHARE;
  return Math.min(MAX_ACCEPTING_MS, Math.max(MIN_ACCEPTING_MS, share));
}

async function shutDown(
  server: Server,
  listeners: NetServer[],
  app: RunningServer,
  signal: NodeJS.Signals,
): Promise<void> {
  const { drain, log, settings } = app.runtime;
  log.info({ signal, inFlight: drain.inFlight }, "draining");
  drain.begin();
  endKeepAlive(server);
  const accepted = signal === "SIGTERM" ? acceptingMs(settings) : 0;
  if (accepted > 0) await wait(accepted);
  for (const listener of listeners) listener.close();
  closeConnections(server);
  const finished = await drain.idle(Math.max(0, settings.drainSeconds * 1_000 - accepted));
  if (!finished) {
    drain.abort();
    await drain.idle(LAST_FRAMES_MS);
  }
  await app.stop();
  server.closeAllConnections();
  log.info({ finished }, "stopped");
  process.exit(0);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Handles besides the first. Measured: each costs a new connection 8 µs in an idle process and nothing under load. */
const EXTRA_HANDLES = 7;
const COPIES_WITHIN_MS = 10_000;

/** The child's program: sends a handle back as many times as the message says. */
const CHILD_PROGRAM = `process.on("message", (times, handle) => {
  for (let sent = 0; sent < times; sent += 1) process.send("copy", handle);
})`;

/** The listening handle below a Node server; it can be sent to a child process and listened on again. */
type Handle = object;

/**
 * Lets a listening server accept more than one connection per tick of the event loop. Node accepts one per tick and
 * handle; under load ticks are long, and with one handle a thousand new clients wait for a thousand ticks. A process
 * cannot copy a handle itself, so a child process sends it back several times.
 * Resolves with the additional listeners, which the caller closes with the first; none when no child can be started.
 */
export async function addListenerHandles(server: NetServer, backlog: number): Promise<NetServer[]> {
  const { _handle: handle } = server as NetServer & { _handle?: Handle | null };
  if (!handle) return [];
  return (await copiesOf(handle)).map((copy) =>
    createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: SOCKET_BUFFER_BYTES }, (socket) =>
      server.emit("connection", socket),
    )
      .on("error", (error) => server.emit("error", error))
      .listen({ _handle: copy }, backlog),
  );
}

/** Copies a handle with the help of a child process. Never rejects; copies that arrive too late are left out. */
function copiesOf(handle: Handle): Promise<Handle[]> {
  return new Promise((resolve) => {
    const copies: Handle[] = [];
    const child = spawn(process.execPath, ["--eval", CHILD_PROGRAM], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const timer = setTimeout(() => child.kill(), COPIES_WITHIN_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve(copies);
    };
    child.once("error", finish);
    child.once("exit", finish);
    child.on("message", (_message, copy) => {
      if (copies.push(copy as Handle) === EXTRA_HANDLES) child.disconnect();
    });
    try {
      child.send(EXTRA_HANDLES, handle as NetServer, () => {});
    } catch {
      child.kill(); // the handle of a cluster worker cannot be sent
    }
  });
}
