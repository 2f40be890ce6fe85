import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { MAX_CENTS } from "@/lib/kernel/money";
import { isVisible } from "@/lib/kernel/text";
import { databaseAddress } from "./database-address";
import { listenHost, origins, publicAddress, redisUrl } from "./env-fields/addresses";
import { keyBytes, secretText } from "./env-fields/secrets";
import { timezone } from "./env-fields/timezone";
import { flag, millionths, wholeNumber, word } from "./env-fields/values";
import { settingTexts } from "./env-texts";
import { urlHost } from "./hosts";
import { type ReadProxies, readProxies } from "./outbound-proxies";
import { StartupError } from "./startup-error";
import { typoWarnings } from "./typo-warnings";

const DEFAULT_CONFIG_FILE = "tollgate.yaml";
const MIN_SAFE_HASH_COST = 10;
const DEFAULT_DRAIN_SECONDS = 120;
const DEFAULT_SIGNUP_QUOTA_CENTS = 1_000;

/** Every environment variable of the gateway. Source: docs/contract.md#s2. */
const environment = z.object({
  PORT: wholeNumber(0, 65_535).prefault("3000"),
  HOST: listenHost().prefault("127.0.0.1"),
  PUBLIC_URL: publicAddress().optional(),
  DATABASE_URL: databaseAddress().optional(),
  DATABASE_POOL: wholeNumber(2, 50).prefault("10"),
  DATA_DIR: z.string().prefault("./data"),
  REDIS_URL: redisUrl().optional(),
  REPLICAS: wholeNumber(1, 1000).prefault("1"),
  AUTH_SECRET: secretText().optional(),
  AUTH_SECRET_PREVIOUS: secretText().optional(),
  ENCRYPTION_KEY: keyBytes().optional(),
  ENCRYPTION_KEY_PREVIOUS: keyBytes().optional(),
  ACCEPT_NEW_KEYS: flag().prefault("0"),
  INIT_ADMIN_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9]{3,32}$/, "must be 3 to 32 letters and digits")
    .prefault("admin"),
  INIT_ADMIN_PASSWORD: z
    .string()
    .min(6, "must have at least 6 characters")
    .max(1024)
    .refine(isVisible, "must have a character that is not blank")
    .optional(),
  CONFIG_FILE: z.string().optional(),
  OPENAI_API_KEY: word().optional(),
  ANTHROPIC_API_KEY: word().optional(),
  DEMO_PROVIDER: flag().optional(),
  DEMO_SEED: flag().prefault("0"),
  ALLOW_REGISTRATION: flag().prefault("1"),
  USD_CNY: millionths().prefault("7.2"),
  CORS_ORIGINS: origins().optional(),
  LOG_RETENTION_DAYS: wholeNumber(1, 36_500).prefault("180"),
  RESPONSES_STORE_HOURS: wholeNumber(0, 8_760).prefault("72"),
  RESPONSES_STORE_ACCOUNT_MIB: wholeNumber(1, 1_048_576).prefault("256"),
  RESPONSES_STORE_MIB: wholeNumber(1, 1_048_576).prefault("4096"),
  HTTPS_PROXY: z.string().optional(),
  ALL_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  SIGNUP_QUOTA_CENTS: wholeNumber(0, MAX_CENTS).optional(),
  COMPATIBILITY: z
    .enum(["standard", "strict", "lenient"], "must be standard, strict or lenient")
    .prefault("standard"),
  QUOTA_STRICT: flag().prefault("0"),
  RESPONSES_ECHO_INSTRUCTIONS: flag().prefault("0"),
  WS_RESPONSES: flag().prefault("1"),
  ALLOW_PRIVATE_UPSTREAMS: flag().prefault("0"),
  CLOUD_CREDENTIALS_AMBIENT: flag().prefault("0"),
  TRUST_PROXY: wholeNumber(0, 16).prefault("0"),
  REPORT_TIMEZONE: timezone().prefault("UTC"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be trace, debug, info, warn, error, fatal or silent",
    })
    .prefault("info"),
  METRICS_TOKEN: word().optional(),
  MAX_BODY_BYTES: wholeNumber(1024, 1_073_741_824).prefault(String(10 * 1024 * 1024)),
  LOGIN_PER_IP_PER_MINUTE: wholeNumber(1, 1_000_000).prefault("60"),
  REGISTER_PER_IP_PER_MINUTE: wholeNumber(1, 1_000_000).prefault("30"),
  DRAIN_SECONDS: wholeNumber(0, 3600).prefault(String(DEFAULT_DRAIN_SECONDS)),
  DRAIN_ACCEPT_SECONDS: wholeNumber(0, 60).optional(),
  PASSWORD_HASH_COST: wholeNumber(4, 15).prefault("12"),
});

type Environment = z.infer<typeof environment>;

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** Settings, and the variables that name proxies for every program. */
const textNames: readonly string[] = [
  ...new Set([
    ...settingNames,
    "https_proxy",
    "HTTPS_PROXY",
    "http_proxy",
    "HTTP_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
  ]),
];

/** Names of settings whose values are secret. */
export const secretSettingNames: readonly string[] = [
  "DATABASE_URL",
  "REDIS_URL",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "ENCRYPTION_KEY",
  "ENCRYPTION_KEY_PREVIOUS",
  "INIT_ADMIN_PASSWORD",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "METRICS_TOKEN",
];

/** The settings of the environment. Units are in the names. Source: docs/contract.md#s2. */
export type Settings = Readonly<ReturnType<typeof toSettings>>;

/** The working directory and a check for existing files; tests inject their own. */
export interface FileContext {
  cwd: string;
  exists(file: string): boolean;
}

/**
 * Parses the settings of an environment; blank variables count as unset, except the password of the admin. Blanks and
 * quotes around a value are removed.
 * Throws: StartupError with every problem at once, without the values of secrets. Source: docs/contract.md#s2.
 */
export function parseSettings(
  env: Readonly<Record<string, string | undefined>>,
  files: FileContext = { cwd: process.cwd(), exists: existsSync },
): Settings {
  const { given, problems: noValues } = settingTexts(env, textNames);
  const parsed = environment.safeParse(given);
  const proxies = readProxies(given);
  const others = [
    ...(parsed.error?.issues ?? []).map(describe),
    ...contradictions(given, files),
    ...proxies.problems,
  ];
  // A setting whose value stands for no value fails its other rules as well; one problem is enough.
  const told = others.filter((other) => !noValues.some((problem) => nameIn(problem) === nameIn(other)));
  const problems = [...noValues, ...told];
  if (!parsed.success || problems.length > 0) throw new StartupError("The settings are not valid:", problems);
  const warnings = [...typoWarnings(givenNames(env), settingNames), ...insecureSettings(parsed.data)];
  return toSettings(parsed.data, files, proxies, warnings);
}

function insecureSettings({ PASSWORD_HASH_COST: cost }: Environment): string[] {
  if (cost >= MIN_SAFE_HASH_COST) return [];
  return [
    `PASSWORD_HASH_COST=${cost} is for tests only: the passwords of a stolen database can be guessed quickly`,
  ];
}

function givenNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter((name) => env[name]?.trim());
}

function nameIn(problem: string): string {
  return problem.split(" ", 1)[0] ?? "";
}

function describe(issue: z.core.$ZodIssue): string {
  return `${String(issue.path[0])} ${issue.message}`;
}

/** Checks rules across variables on the raw texts, so that they are reported together with malformed values. */
function contradictions(given: Record<string, string | undefined>, files: FileContext): string[] {
  const problems: string[] = [];
  const several = Number(given.REPLICAS ?? 1) > 1;
  if (Number(given.RESPONSES_STORE_ACCOUNT_MIB ?? 256) > Number(given.RESPONSES_STORE_MIB ?? 4096))
    problems.push(
      "RESPONSES_STORE_ACCOUNT_MIB must not be above RESPONSES_STORE_MIB: one account is a part of all",
    );
  if (several && !given.REDIS_URL)
    problems.push("REPLICAS above 1 needs REDIS_URL: limits in memory would be counted once per replica");
  if (several && !given.DATABASE_URL)
    problems.push("REPLICAS above 1 needs DATABASE_URL: the embedded database serves one process only");
  if (several && given.DEMO_PROVIDER === "1")
    problems.push("REPLICAS above 1 excludes DEMO_PROVIDER=1: every replica would simulate its own provider");
  const generated = ["AUTH_SECRET", "ENCRYPTION_KEY"].filter((name) => !given[name]);
  if (several && generated.length > 0)
    problems.push(
      `REPLICAS above 1 needs ${generated.join(" and ")}, the same in every replica: each would make its own`,
    );
  if (given.CONFIG_FILE && !files.exists(path.resolve(files.cwd, given.CONFIG_FILE)))
    problems.push(`CONFIG_FILE names ${given.CONFIG_FILE}, which does not exist`);
  if (Number(given.DRAIN_ACCEPT_SECONDS ?? 0) > Number(given.DRAIN_SECONDS ?? DEFAULT_DRAIN_SECONDS))
    problems.push("DRAIN_ACCEPT_SECONDS is part of DRAIN_SECONDS and cannot be longer");
  for (const name of ["AUTH_SECRET", "ENCRYPTION_KEY"])
    if (given[`${name}_PREVIOUS`] && !given[name])
      problems.push(`${name}_PREVIOUS is set without ${name}; set ${name} to the new value`);
  return problems;
}

function toSettings(values: Environment, files: FileContext, proxies: ReadProxies, warnings: string[]) {
  const configFile = findConfigFile(values, files);
  const providerConfigured = Boolean(configFile ?? values.OPENAI_API_KEY ?? values.ANTHROPIC_API_KEY);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: (values.PUBLIC_URL ?? defaultPublicUrl(values)).replace(/\/+$/, ""),
    /** Whether PUBLIC_URL was set; otherwise the URL follows the bound port. */
    publicUrlGiven: values.PUBLIC_URL !== undefined,
    databaseUrl: values.DATABASE_URL ?? null,
    /** Connections of the general pool; a process opens five more. */
    databasePool: values.DATABASE_POOL,
    dataDir: path.resolve(files.cwd, values.DATA_DIR),
    redisUrl: values.REDIS_URL ?? null,
    replicas: values.REPLICAS,
    authSecret: values.AUTH_SECRET ?? null,
    authSecretPrevious: values.AUTH_SECRET_PREVIOUS ?? null,
    encryptionKey: values.ENCRYPTION_KEY ?? null,
    encryptionKeyPrevious: values.ENCRYPTION_KEY_PREVIOUS ?? null,
    acceptNewKeys: values.ACCEPT_NEW_KEYS,
    initAdminUsername: values.INIT_ADMIN_USERNAME,
    initAdminPassword: values.INIT_ADMIN_PASSWORD ?? null,
    configFile,
    openaiApiKey: values.OPENAI_API_KEY ?? null,
    anthropicApiKey: values.ANTHROPIC_API_KEY ?? null,
    demoProvider: values.DEMO_PROVIDER ?? (!providerConfigured && values.DATABASE_URL === undefined),
    demoSeed: values.DEMO_SEED,
    allowRegistration: values.ALLOW_REGISTRATION,
    /** Millionths of CNY for one USD. */
    usdCnyMillionths: values.USD_CNY,
    corsOrigins: values.CORS_ORIGINS ?? [],
    logRetentionDays: values.LOG_RETENTION_DAYS,
    /** 0: responses are not stored. */
    responsesStoreHours: values.RESPONSES_STORE_HOURS,
    /** How much space the stored responses of one account, and of all, may take. Units: MiB. */
    responsesStoreAccountMib: values.RESPONSES_STORE_ACCOUNT_MIB,
    responsesStoreMib: values.RESPONSES_STORE_MIB,
    /** Proxy variables without effect, one sentence each to log at startup. */
    unusedProxies: proxies.warnings,
    outboundProxies: { https: proxies.https, http: proxies.http, noProxy: proxies.noProxy },
    signupQuotaCents: values.SIGNUP_QUOTA_CENTS ?? DEFAULT_SIGNUP_QUOTA_CENTS,
    /** Whether SIGNUP_QUOTA_CENTS was set; otherwise public registration may grant less than the default. */
    signupQuotaGiven: values.SIGNUP_QUOTA_CENTS !== undefined,
    compatibility: values.COMPATIBILITY,
    quotaStrict: values.QUOTA_STRICT,
    responsesEchoInstructions: values.RESPONSES_ECHO_INSTRUCTIONS,
    /** Whether clients may speak Responses over WebSocket. */
    webSocketResponses: values.WS_RESPONSES,
    allowPrivateUpstreams: values.ALLOW_PRIVATE_UPSTREAMS,
    /** Whether nodes may have credentials that take what this machine lends. */
    cloudCredentialsAmbient: values.CLOUD_CREDENTIALS_AMBIENT,
    trustProxy: values.TRUST_PROXY,
    reportTimezone: values.REPORT_TIMEZONE,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN ?? null,
    maxBodyBytes: values.MAX_BODY_BYTES,
    loginPerIpPerMinute: values.LOGIN_PER_IP_PER_MINUTE,
    registerPerIpPerMinute: values.REGISTER_PER_IP_PER_MINUTE,
    drainSeconds: values.DRAIN_SECONDS,
    /** How long new calls are accepted after SIGTERM; null: a share of `drainSeconds`. */
    drainAcceptSeconds: values.DRAIN_ACCEPT_SECONDS ?? null,
    /** The logarithm of bcrypt's rounds. */
    passwordHashCost: values.PASSWORD_HASH_COST,
    /** Warnings to log at startup, e.g. about misspelt variables. */
    warnings,
  };
}

function findConfigFile(values: Environment, files: FileContext): string | null {
  const file = path.resolve(files.cwd, values.CONFIG_FILE ?? DEFAULT_CONFIG_FILE);
  return values.CONFIG_FILE !== undefined || files.exists(file) ? file : null;
}

function defaultPublicUrl(values: Environment): string {
  const allInterfaces = ["0.0.0.0", "::"].includes(values.HOST);
  return `http://${allInterfaces ? "localhost" : urlHost(values.HOST)}:${values.PORT}`;
}
