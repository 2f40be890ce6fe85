import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "./child";
import type { MockCounts } from "./mock/counters";
import { startFlags } from "./node-flags";
import { expectedMicroCents, type LedgerSummary, ledgerProblems } from "./oracle";
import type { Payload } from "./payloads";
import { pinned, pinProcess } from "./pinning";
import { descendantsOf, launchedBy } from "./process-usage";
import { tollgateConfig, tollgateEnvironment } from "./tollgate-config";

/** How a gateway is started. */
export interface TollgateOptions {
  /** Temporary files of the run. */
  directory: string;
  mockUrl: string;
  payloads: readonly Payload[];
  /** Null: embedded. */
  databaseUrl: string | null;
  redisUrl?: string | null;
  /** The script that Node runs; by default the product's server. */
  program?: string[];
  /** The checkout whose build is started; this one unless it says otherwise. */
  checkout?: string;
  /** The program only starts the process that serves. */
  launcher?: boolean;
  /** Its output when it is ready. */
  ready?: RegExp;
  env?: Record<string, string>;
}

const PASSWORD = "correct-horse-battery";
const SETTLED_WITHIN_MS = 20_000;

/** The product in a separate process with all features, and its ledger. */
export class TollgateServer {
  readonly child: Child;
  readonly url: string;
  readonly dataDir: string;
  /** Null: embedded. */
  readonly databaseUrl: string | null;
  /** The process that serves, whose processor time and memory are measured. */
  readonly pid: number;
  /** A key of the admin. */
  key = "";
  #expected = 0n;
  #token: string | null = null;

  private constructor(
    child: Child,
    at: Pick<TollgateServer, "url" | "dataDir" | "databaseUrl">,
    pid: number,
  ) {
    this.child = child;
    this.url = at.url;
    this.dataDir = at.dataDir;
    this.databaseUrl = at.databaseUrl;
    this.pid = pid;
  }

  /** Starts it on an empty database. Throws: with its output. */
  static async start(options: TollgateOptions): Promise<TollgateServer> {
    const dataDir = mkdtempSync(path.join(options.directory, "tollgate-"));
    mkdirSync(dataDir, { recursive: true });
    const configFile = path.join(dataDir, "tollgate.yaml");
    writeFileSync(configFile, tollgateConfig(options.mockUrl, options.payloads));
    const { PATH, HOME, TMPDIR } = process.env;
    const env: NodeJS.ProcessEnv = {
      NODE_ENV: "production",
      PATH,
      HOME,
      TMPDIR,
      ...tollgateEnvironment(dataDir, configFile, PASSWORD),
      ...(options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }),
      ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
      ...options.env,
    };
    const program = [...startFlags(), ...(options.program ?? ["dist/server.js"])];
    const [command, args] = pinned("gateway", process.execPath, program);
    const ready = options.ready ?? /ready at (http:\/\/\S+)/;
    const { child, found } = await Child.start({ command, args, env, ready, cwd: options.checkout });
    const pid = options.launcher ? launchedBy(child.pid) : child.pid;
    for (const each of descendantsOf(pid)) pinProcess("others", each);
    const { databaseUrl } = options;
    const server = new TollgateServer(child, { url: found, dataDir, databaseUrl }, pid);
    server.key = await server.#createKey();
    return server;
  }

  /** Treats the current content of its ledger as expected, after a log was generated. */
  async expectExistingLedger(): Promise<void> {
    this.#expected = (await this.ledgerSummary()).ledgerMicroCents;
  }

  /** Adds the mock's counts since the last call to the expectation and compares every counter with it. */
  async verify(counts: MockCounts): Promise<string[]> {
    this.#expected += expectedMicroCents(counts);
    const giveUpAt = Date.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const problems = ledgerProblems(await this.ledgerSummary(), this.#expected);
      if (problems.length === 0 || Date.now() > giveUpAt) return problems;
      await sleep(200);
    }
  }

  /** Its reconciliation. */
  async ledgerSummary(): Promise<LedgerSummary> {
    const found = await this.admin<Record<string, string> & { ok: boolean; openHolds: number }>(
      "/api/admin/reconcile",
    );
    return {
      usedMicroCents: BigInt(found.usedMicroCents ?? -1),
      ledgerMicroCents: BigInt(found.ledgerMicroCents ?? -1),
      heldMicroCents: BigInt(found.heldMicroCents ?? -1),
      openHolds: found.openHolds,
      consistent: found.ok,
    };
  }

  /** Reads JSON from the account API as the admin. Throws: for any other status than 200. */
  async admin<T>(pathname: string): Promise<T> {
    return JSON.parse(await this.adminText(pathname));
  }

  /** The same as text. */
  async adminText(pathname: string): Promise<string> {
    this.#token ??= await this.login();
    const response = await fetch(this.url + pathname, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${pathname}: ${response.status} ${text}`);
    return text;
  }

  /** Registers an account and makes keys for it. */
  async keysOfNewAccount(username: string, count: number): Promise<string[]> {
    const token = await this.#tokenFrom("/api/user/register", username);
    const keys: string[] = [];
    for (let made = 0; made < count; made += 1) keys.push(await this.#keyFor(token));
    return keys;
  }

  async #createKey(): Promise<string> {
    this.#token ??= await this.login();
    return this.#keyFor(this.#token);
  }

  async #keyFor(token: string): Promise<string> {
    const response = await fetch(`${this.url}/api/user/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: "bench" }),
    });
    const { key } = await response.json();
    if (typeof key !== "string") throw new Error(`no key could be made: ${response.status}`);
    return key;
  }

  /** Logs the admin in and returns the token. */
  login(): Promise<string> {
    return this.#tokenFrom("/api/user/login", "admin");
  }

  async #tokenFrom(pathname: string, username: string): Promise<string> {
    const response = await fetch(this.url + pathname, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password: PASSWORD }),
    });
    const { token } = await response.json();
    if (typeof token !== "string") throw new Error(`${username} could not log in: ${response.status}`);
    return token;
  }
}
