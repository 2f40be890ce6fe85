import { sharedSecrets } from "@/tests/support/shared-secrets";
import { type Arm, noLedger } from "./arms/arm";
import { type BudgetRules, ruleProblems, writeRules } from "./arms/budget-rules";
import { fillKeys, type ManyKeys } from "./arms/filled-keys";
import { convertedArm, keysArm, replicasArm, responsesArm, sameProtocolArm } from "./arms/gateway";
import { goModelArm, portkeyArm } from "./arms/peers";
import { bareProxyArm, directArm } from "./arms/proxies";
import { startCalibrator } from "./calibration/calibrator";
import { killAll } from "./child";
import { freePort } from "./free-port";
import type { CalibratedRig } from "./measure";
import { type MockUpstream, startMock } from "./mock-upstream";
import type { Payload } from "./payloads";
import { type PostgresOfRun, postgresOfRun } from "./postgres-server";
import { startRedis } from "./redis-server";
import { type TollgateOptions, TollgateServer } from "./tollgate-server";

/** Every arm that can be measured. */
export type ArmName =
  | "direct"
  | "base"
  | "base-converted"
  | "lean"
  | "raw"
  | "portkey"
  | "gomodel"
  | "tollgate"
  | "keys-1k"
  | "keys-50k"
  | "accounts"
  | "rules-own"
  | "rules-shared"
  | "accounts-x3"
  | "rules-shared-x3"
  | "converted"
  | "responses"
  | "embedded"
  | "passthrough"
  | "key"
  | "limits"
  | "redis"
  | "next";

/** The features of each variant of the product, for reports. */
export const FEATURES: Readonly<Record<ArmName, string>> = {
  direct: "no gateway",
  base: "as tollgate, of the checkout that --base names",
  "base-converted": "as converted, of the checkout that --base names",
  lean: "the smallest proxy: node:http + undici's dispatch; no promise for a request; no key, no limits, no billing",
  raw: "node:http + undici in 60 lines; no key, no limits, no billing",
  portkey: "Portkey's gateway 1.15.2; no key, no limits, no billing",
  gomodel: "GoModel; one master key, usage rows written later; no hold, no limits, no body logs",
  tollgate: "key, limits in memory, hold, settlement and log row in PostgreSQL",
  "keys-1k": "the same, a key drawn for each request from 1,000 of 20 accounts",
  "keys-50k": "the same, a key drawn for each request from 50,000 of 200 accounts",
  accounts: "the same, a key drawn for each request from 8 of 8 accounts",
  "rules-own": "as accounts, with five rules by period for each key, 40 counters",
  "rules-shared": "as accounts, with one rule by period that all keys share",
  "accounts-x3": "as accounts, by three processes on one database",
  "rules-shared-x3": "as accounts-x3, with one rule by period that all keys share",
  converted: "as tollgate, Chat Completions in, a Messages node out",
  responses: "as tollgate, Responses in, a Chat Completions node out",
  embedded: "as tollgate, in the embedded database",
  passthrough: "the product's listener and upstream pool alone (built for this comparison)",
  key: "and the look-up of the key (built for this comparison)",
  limits: "the whole request path but the ledger (built for this comparison)",
  redis: "as tollgate, limits in Redis",
  next: "as tollgate, behind Next's route handlers instead of the custom server",
};

/** These need what a machine may lack. */
const OPTIONAL: ReadonlySet<ArmName> = new Set(["portkey", "gomodel", "redis"]);

/** The names of arms on the command line. Throws: RangeError for an unknown one. */
export function armNames(names: readonly string[]): ArmName[] {
  return names.map((name) => {
    if (!isArmName(name))
      throw new RangeError(`there is no arm ${name}, only ${Object.keys(FEATURES).join(", ")}`);
    return name;
  });
}

function isArmName(name: string): name is ArmName {
  return Object.hasOwn(FEATURES, name);
}

/** Node's flags for a process whose profile can be recorded. */
export const recorderFlags: readonly string[] = ["--import", "./dist/bench/recorder.js"];

/** Node's flags for a process whose promises, timers and parses are counted. */
export const counterFlags: readonly string[] = ["--import", "./dist/bench/counter.js"];

const EIGHT: ManyKeys = { accounts: 8, keys: 8 };

/** The rules by period of the arms that have some. */
const RULES: Partial<Record<ArmName, BudgetRules>> = {
  "rules-own": "own",
  "rules-shared": "shared",
  "rules-shared-x3": "shared",
};

/** Processes of the arms that have several. */
const REPLICAS = 3;

/** The keys of the arms that have many. */
const MANY_KEYS = {
  "keys-1k": { accounts: 20, keys: 1_000 },
  "keys-50k": { accounts: 200, keys: 50_000 },
  accounts: EIGHT,
  "rules-own": EIGHT,
  "rules-shared": EIGHT,
} as const satisfies Partial<Record<ArmName, ManyKeys>>;

/** Ways in which the product is started; each has a process and a database of its own. */
type Variant =
  | "tollgate"
  | keyof typeof MANY_KEYS
  | "base"
  | "probed"
  | "recorded"
  | "counted"
  | "embedded"
  | "passthrough"
  | "key"
  | "limits"
  | "redis"
  | "next";

/** The processes of one suite, started when an arm first needs them. */
export class Fleet {
  readonly mock: MockUpstream;
  readonly postgres: PostgresOfRun;
  readonly directory: string;
  readonly payloads: readonly Payload[];
  readonly base: string | null;
  readonly #speed: () => Promise<number>;
  readonly #databases: string[] = [];
  readonly #servers = new Map<string, Promise<TollgateServer>>();

  private constructor(
    mock: MockUpstream,
    postgres: PostgresOfRun,
    directory: string,
    payloads: readonly Payload[],
    base: string | null,
    speed: () => Promise<number>,
  ) {
    this.#speed = speed;
    this.mock = mock;
    this.postgres = postgres;
    this.directory = directory;
    this.payloads = payloads;
    this.base = base;
  }

  /** Starts the mock upstream and PostgreSQL. */
  static async start(
    directory: string,
    payloads: readonly Payload[],
    base: string | null = null,
  ): Promise<Fleet> {
    const postgres = await postgresOfRun(directory);
    return new Fleet(await startMock(), postgres, directory, payloads, base, await startCalibrator());
  }

  /** The dependencies of measurements. */
  get rig(): CalibratedRig {
    return {
      mock: this.mock,
      directory: this.directory,
      databaseCpuMs: this.postgres.cpuMs,
      speed: this.#speed,
    };
  }

  /** The arms of these names; unavailable ones are skipped with a notice. */
  async arms(names: readonly ArmName[]): Promise<Arm[]> {
    const arms: Arm[] = [];
    for (const name of names) {
      try {
        arms.push(await this.#arm(name));
      } catch (error) {
        if (!OPTIONAL.has(name)) throw error;
        const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
        process.stdout.write(`  ${name} is left out: ${why}\n`);
      }
    }
    return arms;
  }

  /** The running product in one variant. */
  server(variant: Variant): Promise<TollgateServer> {
    const known = this.#servers.get(variant);
    if (known) return known;
    const starting = this.#start(variant);
    this.#servers.set(variant, starting);
    return starting;
  }

  /** Ends every process of the suite. */
  async stop(): Promise<void> {
    await killAll();
    for (const url of this.#databases) await this.postgres.drop(url);
  }

  async #arm(name: ArmName): Promise<Arm> {
    switch (name) {
      case "direct":
        return directArm(this.mock);
      case "lean":
      case "raw":
        return (await bareProxyArm(name, FEATURES[name], this.mock)).arm;
      case "portkey":
        return portkeyArm(FEATURES[name], this.mock);
      case "gomodel":
        return this.#goModel();
      case "keys-1k":
      case "keys-50k":
      case "accounts":
      case "rules-own":
      case "rules-shared":
        return this.#manyKeys(name);
      case "accounts-x3":
      case "rules-shared-x3":
        return this.#replicas(name);
      case "converted":
        return convertedArm(name, FEATURES[name], await this.server("tollgate"));
      case "responses":
        return responsesArm(name, FEATURES[name], await this.server("tollgate"));
      case "base-converted":
        return convertedArm(name, FEATURES[name], await this.server("base"));
      case "passthrough":
      case "key":
      case "limits":
        return { ...sameProtocolArm(name, FEATURES[name], await this.server(name)), verify: noLedger };
      case "tollgate":
      case "base":
      case "embedded":
      case "redis":
      case "next":
        return sameProtocolArm(name, FEATURES[name], await this.server(name));
    }
  }

  async #manyKeys(name: keyof typeof MANY_KEYS): Promise<Arm> {
    const server = await this.server(name);
    if (server.databaseUrl === null) throw new Error(`${name} needs PostgreSQL`);
    const keys = await fillKeys(server.databaseUrl, MANY_KEYS[name]);
    return withRules(keysArm(name, FEATURES[name], server, keys), server.databaseUrl);
  }

  /** Processes on one database, each with the same keys. */
  async #replicas(name: "accounts-x3" | "rules-shared-x3"): Promise<Arm> {
    const databaseUrl = await this.#database();
    const { directory, payloads, mock } = this;
    const options = { directory, mockUrl: mock.url, payloads, databaseUrl, env: sharedSecrets() };
    const first = await TollgateServer.start(options);
    const others: TollgateServer[] = [];
    while (others.length < REPLICAS - 1) others.push(await TollgateServer.start(options));
    const keys = await fillKeys(databaseUrl, EIGHT);
    return withRules(replicasArm(name, FEATURES[name], [first, ...others], keys), databaseUrl);
  }

  async #goModel(): Promise<Arm> {
    const { payloads, directory } = this;
    const binary = process.env.PEER_GOMODEL;
    const databaseUrl = binary === undefined ? "" : await this.#database();
    return goModelArm(FEATURES.gomodel, this.mock, { binary, databaseUrl, payloads, directory });
  }

  async #database(): Promise<string> {
    const url = await this.postgres.create();
    this.#databases.push(url);
    return url;
  }

  async #start(variant: Variant): Promise<TollgateServer> {
    const options: TollgateOptions = {
      directory: this.directory,
      mockUrl: this.mock.url,
      payloads: this.payloads,
      databaseUrl: variant === "embedded" ? null : await this.#database(),
    };
    if (variant === "base" && this.base !== null) options.checkout = this.base;
    if (variant === "redis") options.redisUrl = await startRedis(this.directory);
    if (variant === "next") Object.assign(options, await hostedByNext());
    if (variant === "probed") options.program = ["--import", "./dist/bench/probe.js", "dist/server.js"];
    if (variant === "recorded") options.program = [...recorderFlags, "dist/server.js"];
    if (variant === "counted") options.program = [...counterFlags, "dist/server.js"];
    if (["passthrough", "key", "limits"].includes(variant))
      options.program = ["dist/bench/ladder.js", variant];
    return TollgateServer.start(options);
  }
}

/** Writes the rules of an arm, and verifies what they have counted after each load. */
async function withRules(arm: Arm, databaseUrl: string): Promise<Arm> {
  const rules = RULES[arm.name as ArmName]; // arms of the product have their own name
  if (rules === undefined) return arm;
  await writeRules(databaseUrl, rules);
  return {
    ...arm,
    verify: async (counts) => [...(await arm.verify(counts)), ...(await ruleProblems(databaseUrl))],
  };
}

/** The same application on a host without the custom server. */
async function hostedByNext(): Promise<Partial<TollgateOptions>> {
  const port = await freePort();
  return {
    program: ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", "127.0.0.1"],
    launcher: true,
    ready: /Local:\s+(http:\/\/\S+)[\s\S]*Ready in/,
  };
}
