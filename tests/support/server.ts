import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedDirectory } from "./database";
import { throughPooler } from "./pooler";
import { createTestDatabase, dropTestDatabase } from "./postgres";
import { runDirectory } from "./run-directory";

const READY_WITHIN_MS = 60_000;
/** The embedded database's code is compiled once and not optimised: a start then costs half the processor time. */
const QUICK_START = ["--liftoff-only"];
const ADMIN_PASSWORD = "correct-horse-battery";

/** How a server under test is started. */
export interface ServerOptions {
  /** A fresh database of this kind. Default: embedded. */
  database?: "embedded" | "postgres";
  /** Text of its configuration file; without one it serves the demo provider. */
  config?: string;
  env?: Record<string, string>;
  /** The bundle to run. Default: the real one. */
  script?: string;
  /** The speed of the server's clock relative to the test's. Default: 1. */
  clockSpeed?: number;
}

/** A user with one key, made through the API. */
export interface TestUser {
  username: string;
  token: string;
  keyId: string;
  key: string;
}

/** A response of the account API. The caller states the expected type and asserts on it. */
export interface ApiAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** The type of an unspecified response. */
export type Loose = Record<string, never>;

/** The real server in a process of its own. */
export class TestServer {
  url = "";
  readonly env: Record<string, string>;
  #child: ChildProcess | null = null;
  #output = "";
  #admin: string | null = null;

  readonly #script: string;

  constructor(env: Record<string, string>, script = "dist/server.js") {
    this.env = env;
    this.#script = script;
  }

  /** Everything it has printed. */
  get output(): string {
    return this.#output;
  }

  /** The process's number; 0 before its start. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the process and waits until it is ready. Throws: with its output when it ends before. */
  async start(): Promise<this> {
    const { DATABASE_URL } = this.env;
    const database = DATABASE_URL ? { DATABASE_URL: await throughPooler(DATABASE_URL) } : {};
    const child = spawn(process.execPath, [...QUICK_START, this.#script], {
      env: { ...cleanEnvironment(), ...this.env, ...database },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#output = "";
    child.stdout?.on("data", (chunk) => {
      this.#output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      this.#output += chunk;
    });
    const giveUpAt = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const found = /ready at (https?:\/\/\S+)/.exec(this.#output);
      if (found?.[1]) {
        this.url = found[1];
        return this;
      }
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > giveUpAt)
        throw new Error(`the server did not start:\n${this.#output}`);
      await sleep(20);
    }
  }

  /** Ends the process and waits for its end. Returns its exit code, null when a signal killed it. */
  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill(signal);
    return ended;
  }

  /** Resolves when the process has ended by itself, with the signal that ended it. */
  async ended(): Promise<NodeJS.Signals | null> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.signalCode ?? null;
    return new Promise((resolve) => child.once("close", (_code, signal) => resolve(signal)));
  }

  /** Calls the account API. */
  async api<T = Loose>(
    method: string,
    pathname: string,
    token?: string,
    body?: unknown,
  ): Promise<ApiAnswer<T>> {
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(this.url + pathname, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: T = text === "" ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** A bearer token of the first admin. */
  async adminToken(): Promise<string> {
    this.#admin ??= (
      await this.api<{ token: string }>("POST", "/api/user/login", undefined, {
        username: "admin",
        password: ADMIN_PASSWORD,
      })
    ).body.token;
    return this.#admin;
  }

  /** Registers a user and creates one key. `fields` go into the key's creation. */
  async user(fields: Record<string, unknown> = {}): Promise<TestUser> {
    const username = `u${randomBytes(6).toString("hex")}`;
    const registered = await this.api<{ token: string }>("POST", "/api/user/register", undefined, {
      username,
      password: "secret-password",
    });
    return this.key({ username, token: registered.body.token }, fields);
  }

  /** Creates a further key of an account; far faster than a further account. */
  async key(
    account: { username: string; token: string },
    fields: Record<string, unknown> = {},
  ): Promise<TestUser> {
    const { username, token } = account;
    const made = await this.api<{ apiKey: { id: string }; key: string }>("POST", "/api/user/tokens", token, {
      name: "test",
      ...fields,
    });
    if (made.status !== 201) throw new Error(`no key: ${JSON.stringify(made.body)}`);
    return { username, token, keyId: made.body.apiKey.id, key: made.body.key };
  }

  /** Calls the gateway with a key. */
  async gateway(
    pathname: string,
    key: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.url + pathname, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

/** Starts a server on a fresh database; the caller stops it with `discardServer`. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const url =
    options.env?.DATABASE_URL ?? (options.database === "postgres" ? await createTestDatabase() : null);
  const dataDir =
    url === null ? await embeddedDirectory() : mkdtempSync(path.join(runDirectory(), "server-"));
  const env: Record<string, string> = {
    PORT: "0",
    DATA_DIR: dataDir,
    INIT_ADMIN_PASSWORD: ADMIN_PASSWORD,
    LOGIN_PER_IP_PER_MINUTE: "100000",
    REGISTER_PER_IP_PER_MINUTE: "100000",
    PASSWORD_HASH_COST: "4",
    LOG_LEVEL: "warn",
  };
  if (url !== null) env.DATABASE_URL = url;
  if (options.config !== undefined) {
    env.CONFIG_FILE = path.join(dataDir, "tollgate.yaml");
    writeFileSync(env.CONFIG_FILE, options.config);
  }
  return new TestServer({ ...env, ...clock(options.clockSpeed), ...options.env }, options.script).start();
}

function clock(speed: number | undefined): Record<string, string> {
  if (speed === undefined) return {};
  const preload = path.resolve(import.meta.dirname, "fast-clock.mjs");
  return {
    NODE_OPTIONS: `--import ${preload}`,
    CLOCK_SPEED: String(speed),
    CLOCK_ANCHOR: String(Date.now()),
  };
}

/** Kills a server and removes its data. */
export async function discardServer(server: TestServer): Promise<void> {
  await server.stop("SIGKILL");
  if (server.env.DATABASE_URL) await dropTestDatabase(server.env.DATABASE_URL);
  if (server.env.DATA_DIR) rmSync(server.env.DATA_DIR, { recursive: true, force: true });
}

/** The environment without variables of the server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, TMPDIR: runDirectory(), NODE_ENV: "production" };
}
