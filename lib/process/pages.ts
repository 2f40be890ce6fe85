import { fork } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { bundlePath } from "@/lib/kernel/worker-pool";
import type { Log } from "@/lib/ops/log";
import { type AnswerApi, serveApi } from "./api-adapter";
import { PagesProcess } from "./pages-process";
import { PagesProxy } from "./pages-proxy";
import { makePagesSockets, type PagesSockets, socketParents } from "./pages-sockets";

/** What the pages process gets of the environment: no settings, no secrets. `KITCHEN` opens a page for developers. */
const PASSED_ON = ["PATH", "HOME", "TMPDIR", "TZ", "LANG", "LC_ALL", "SystemRoot", "TEMP", "KITCHEN"];

const PROBE_EVERY_MS = 5_000;
const PROBE_ANSWERED_WITHIN_MS = 10_000;

/** The pages, rendered by a process of their own. */
export interface Pages {
  proxy: PagesProxy;
  /** Starts the process. Returns at once. */
  start(): void;
  /** Ends the process and removes the sockets. */
  stop(): Promise<void>;
}

/** What the pages need of the gateway process. */
export interface PagesOptions {
  dataDir: string;
  development: boolean;
  env: Readonly<NodeJS.ProcessEnv>;
  log: Log;
  /** Answers the reads of pages. */
  answer: AnswerApi;
}

/**
 * Opens the sockets between the two processes; `start` then starts the pages process.
 * Throws: Error when there is no place for the sockets. Source: docs/architecture.md#s1-1.
 */
export async function openPages(options: PagesOptions): Promise<Pages> {
  const { log } = options;
  const sockets = await makePagesSockets(socketParents(options.dataDir));
  process.once("exit", sockets.remove);
  const reads = await listenForReads(sockets.reads, options.answer, (error) =>
    log.error({ err: error }, "a page's read failed"),
  );
  const answers = () => answersOn(sockets.pages, PROBE_ANSWERED_WITHIN_MS);
  // While it compiles, a development server answers nothing.
  const probe = options.development ? null : { everyMs: PROBE_EVERY_MS, answers };
  const child = new PagesProcess(() => startPages(options, sockets), log, probe);
  const proxy = new PagesProxy({ socketPath: sockets.pages, process: child });
  return {
    proxy,
    start: () => child.start(),
    stop: async () => {
      await child.stop();
      proxy.close();
      await closed(reads);
      sockets.remove();
    },
  };
}

function startPages({ env, development }: PagesOptions, sockets: PagesSockets) {
  rmSync(sockets.pages, { force: true }); // a killed process leaves it
  const kept = PASSED_ON.filter((name) => env[name] !== undefined);
  return fork(bundlePath("pages"), development ? ["--dev"] : [], {
    execArgv: [],
    env: {
      ...Object.fromEntries(kept.map((name) => [name, env[name]])),
      NODE_ENV: env.NODE_ENV,
      TOLLGATE_PAGES_SOCKET: sockets.pages,
      TOLLGATE_READS_SOCKET: sockets.reads,
      NEXT_MANUAL_SIG_HANDLE: "1",
      NEXT_TELEMETRY_DISABLED: "1",
      // The framework would read the settings files.
      __NEXT_PROCESSED_ENV: "true",
    },
  });
}

/** Whether a server on this socket answers in time. Its answer to `OPTIONS *` says nothing else. See RFC 9110 9.3.7. */
function answersOn(socketPath: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: "OPTIONS", path: "*", agent: false }, (answer) => {
      answer.resume();
      resolve(true);
    });
    asked.setTimeout(withinMs, () => asked.destroy(new Error("no answer in time")));
    asked.on("error", () => resolve(false));
    asked.end();
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What a page may ask while it is rendered: reads only, as everybody or as the account of the passed cookie. */
const READS: ReadonlySet<string> = new Set([
  "/api/bootstrap",
  "/api/status",
  "/api/user/self",
  "/api/user/models",
  "/api/user/tokens",
  "/api/user/logs",
  "/api/user/logs/volume",
  "/api/user/stats",
  "/api/admin/nodes",
  "/api/admin/models",
  "/api/admin/plans",
  "/api/admin/users",
  "/api/admin/logs",
  "/api/admin/logs/volume",
  "/api/admin/stats",
  "/api/admin/reconcile",
  "/openapi.json",
]);

/**
 * Answers the pages process on a Unix socket that only this user can open. Only here the client's address is believed
 * from the header `x-tollgate-client-ip`; no throttle counts these reads. Source: docs/architecture.md#s1-1.
 */
export async function listenForReads(
  socketPath: string,
  answer: AnswerApi,
  failed: (error: unknown) => void,
): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.method !== "GET" || !isRead(request.url ?? "")) {
      response.writeHead(404).end();
      return;
    }
    const clientIp = String(request.headers["x-tollgate-client-ip"] ?? "");
    serveApi(request, response, answer, { origin: "http://localhost", clientIp, headers: [] }).catch(
      (error: unknown) => {
        failed(error);
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);
  return server;
}

function isRead(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  return READS.has(path);
}
