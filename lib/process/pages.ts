import { fork } from "node:child_process";
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { operations } from "@/lib/api/routes";
import { StartupError } from "@/lib/config/startup-error";
import { bundlePath } from "@/lib/kernel/worker-pool";
import type { Log } from "@/lib/ops/log";
import type { Refusals } from "@/lib/ops/refusals";
import { type AnswerApi, serveApi } from "./api-adapter";
import { PagesProcess } from "./pages-process";
import { PagesProxy } from "./pages-proxy";

/** The environment of the pages process: no settings, no secrets. `KITCHEN` enables a page for developers. */
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
  refusals: Pick<Refusals, "add">;
  /** Answers the reads of pages. */
  answer: AnswerApi;
}

/**
 * Opens the sockets between the two processes; `start` then starts the pages process.
 * Throws: StartupError when there is no place for the sockets. Source: docs/architecture.md#s1-1.
 */
export async function openPages(options: PagesOptions): Promise<Pages> {
  const { log, refusals } = options;
  const sockets = await makePagesSockets(socketParents(options.dataDir));
  process.once("exit", sockets.remove);
  const reads = await listenForReads(sockets.reads, options.answer, (error) =>
    log.error({ err: error }, "a page's read failed"),
  );
  const answers = () => answersOn(sockets.pages, PROBE_ANSWERED_WITHIN_MS);
  // A development server does not answer while it compiles.
  const probe = options.development ? null : { everyMs: PROBE_EVERY_MS, answers };
  const child = new PagesProcess(() => startPages(options, sockets), log, probe);
  const proxy = new PagesProxy({
    socketPath: sockets.pages,
    process: child,
    onUnavailable: () => refusals.add("pages"),
    onFailure: (failedPath, status) => {
      refusals.add("malfunction");
      log.error({ path: failedPath, status }, "a page failed");
    },
  });
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
      // Prevents the framework from reading the settings files.
      __NEXT_PROCESSED_ENV: "true",
    },
  });
}

/**
 * Whether a server on this socket answers in time. The answer to `OPTIONS *` has no other meaning. See RFC 9110 9.3.7.
 */
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

/**
 * What a page may read while it is rendered, as everybody or as the account of the passed cookie: operations that change
 * nothing, have no part of the path to fill in, and answer with JSON.
 */
const READS: ReadonlySet<string> = new Set([
  ...operations
    .filter(({ method, path, success }) => method === "get" && !path.includes("{") && "schema" in success)
    .map(({ path }) => path),
  "/openapi.json",
]);

/**
 * Answers the pages process on a Unix socket that only this user can open. Only this socket trusts the client's address
 * in the header `x-tollgate-client-ip`; no throttle counts these reads. Source: docs/architecture.md#s1-1.
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
  const [pathname = ""] = url.split("?", 1);
  return READS.has(pathname);
}

/** The Unix sockets between the gateway process and the pages process, in a directory of their own. */
interface PagesSockets {
  /** The pages process listens here, and the gateway process passes page requests on to it. */
  pages: string;
  /** The gateway process listens here, and answers the reads of pages while they are rendered. */
  reads: string;
  /** Removes the directory. Safe to call twice. */
  remove(): void;
}

/** The shortest limit of the systems in use, macOS: 104 bytes with the NUL at the end. */
const MAX_PATH_BYTES = 103;

const DIRECTORY_NAME = /^tollgate-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Creates the directory of the sockets, which only this user can enter, in the first of `parents` with short enough
 * paths; removes the directories that killed processes have left there.
 * Throws: StartupError when no parent is suitable.
 */
export async function makePagesSockets(parents: readonly string[]): Promise<PagesSockets> {
  const problems: string[] = [];
  for (const parent of parents) {
    await removeAbandoned(parent);
    try {
      return makeIn(parent);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new StartupError("The pages process cannot be started:", [
    `no directory can hold its sockets: ${problems.join("; ")}; let TMPDIR name one that this user may write, with a short path`,
  ]);
}

/** Where the directory of the sockets may be, in this order. */
function socketParents(dataDir: string): string[] {
  return [tmpdir(), path.resolve(dataDir)];
}

function makeIn(parent: string): PagesSockets {
  const directory = mkdtempSync(path.join(parent, `tollgate-${process.pid}-`));
  const sockets = {
    pages: path.join(directory, "pages.sock"),
    reads: path.join(directory, "reads.sock"),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  if (Buffer.byteLength(sockets.pages) <= MAX_PATH_BYTES) return sockets;
  sockets.remove();
  throw new Error(`${sockets.pages} is too long for a socket`);
}

/** Removes the directories of processes that have ended without removing them. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of namesIn(parent)) {
    const pid = DIRECTORY_NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const directory = path.join(parent, name);
    if (!isOwnDirectory(directory)) continue;
    // The process id of another container is not visible here, but its process answers.
    if (await listens(path.join(directory, "reads.sock"))) continue;
    rmSync(directory, { recursive: true, force: true });
  }
}

function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return []; // making a directory there fails next, with the reason
  }
}

/** True while another process has this id. In a container each start may have the same id. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isOwnDirectory(directory: string): boolean {
  try {
    const { uid } = lstatSync(directory);
    return lstatSync(directory).isDirectory() && uid === process.getuid?.();
  } catch {
    return false; // another process has removed it
  }
}

/** Whether a process listens on this socket. */
function listens(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const finish = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}
