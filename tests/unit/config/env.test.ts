import { describe, expect, test } from "vitest";
import { parseSettings, settingNames } from "@/lib/config/env";
import { isStartupError } from "@/lib/config/startup-error";
import { sharedSecrets } from "@/tests/support/shared-secrets";
import { sourceText } from "@/tests/support/source-files";

const nowhere = { cwd: "/srv/gateway", exists: () => false };

describe("settings", () => {
  test("have the documented defaults, blank variables included", () => {
    const settings = parseSettings({ DATABASE_URL: "", PORT: " " }, nowhere);
    expect(settings).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      databaseUrl: null,
      dataDir: "/srv/gateway/data",
      replicas: 1,
      demoProvider: true,
      allowRegistration: true,
      usdCnyMillionths: 7_200_000n,
      logRetentionDays: 180,
      signupQuotaCents: 1000,
      signupQuotaGiven: false,
      compatibility: "standard",
      quotaStrict: false,
      responsesEchoInstructions: false,
      maxBodyBytes: 10_485_760,
      drainSeconds: 120,
      passwordHashCost: 12,
      configFile: null,
      warnings: [],
    });
  });

  test.each([
    ["127.0.0.1", "127.0.0.1", "http://127.0.0.1:3000"],
    ["gateway.example.org", "gateway.example.org", "http://gateway.example.org:3000"],
    ["::1", "::1", "http://[::1]:3000"],
    ["[::1]", "::1", "http://[::1]:3000"],
    ["[::]", "::", "http://localhost:3000"],
    ["0.0.0.0", "0.0.0.0", "http://localhost:3000"],
  ])("with HOST=%s listen at %s and tell people %s", (HOST, host, publicUrl) => {
    expect(parseSettings({ HOST }, nowhere)).toMatchObject({ host, publicUrl });
    expect(new URL(publicUrl).href).toBe(`${publicUrl}/`);
  });

  test("take new calls no longer than the drain lasts", () => {
    expect(problemsOf({ DRAIN_SECONDS: "10", DRAIN_ACCEPT_SECONDS: "11" })).toEqual([
      expect.stringContaining("DRAIN_ACCEPT_SECONDS"),
    ]);
    expect(parseSettings({ DRAIN_SECONDS: "10", DRAIN_ACCEPT_SECONDS: "10" }, nowhere)).toMatchObject({
      drainAcceptSeconds: 10,
    });
  });

  test("warn of a password cost that is for tests only", () => {
    expect(parseSettings({ PASSWORD_HASH_COST: "4" }, nowhere)).toMatchObject({
      passwordHashCost: 4,
      warnings: [expect.stringContaining("for tests only")],
    });
    expect(parseSettings({ PASSWORD_HASH_COST: "10" }, nowhere).warnings).toEqual([]);
  });

  test("report every problem at once, and never the value of a secret", () => {
    const problems = problemsOf({
      PORT: "99999",
      QUOTA_STRICT: "true",
      DATABASE_URL: "mysql://root:hunter2@db/x",
      AUTH_SECRET: "changeme-changeme-changeme-changeme",
      ENCRYPTION_KEY: "hunter2",
      COMPATIBILITY: "loose",
      REPLICAS: "3",
      REPORT_TIMEZONE: "Mars/Olympus",
      CORS_ORIGINS: "https://a.example/path",
    });
    const named = problems.map((problem) => problem.split(" ")[0]).sort();
    expect(named).toEqual(
      [
        "AUTH_SECRET",
        "COMPATIBILITY",
        "CORS_ORIGINS",
        "DATABASE_URL",
        "ENCRYPTION_KEY",
        "PORT",
        "QUOTA_STRICT",
        "REPLICAS",
        "REPORT_TIMEZONE",
      ].sort(),
    );
    expect(problems.join()).not.toContain("hunter2");
  });

  /** Source: docs/contract.md#redis. */
  test.each([
    "redis+sentinel://h1",
    "redis+sentinel:///name",
    "redis+sentinel://h1:99999/name",
    "redis+sentinel://:p@ss@h1/name",
    "rediss+sentinel://h1/name?user=x",
    "sentinel://h1/name",
    "h1:6379",
  ])("refuse REDIS_URL=%s without telling it", (REDIS_URL) => {
    const problems = problemsOf({ REDIS_URL });
    expect(problems).toEqual([expect.stringMatching(/^REDIS_URL must be .*redis\+sentinel:/)]);
    expect(problems.join()).not.toContain("p@ss");
  });

  test.each([
    "redis://h",
    "rediss://u:p@h:1/2",
    "redis+sentinel://h1,h2:1,[::1]:2/name",
    "rediss+sentinel://u:p%40ss@h1/name/3?sentinelPassword=x",
  ])("take REDIS_URL=%s", (REDIS_URL) => {
    expect(parseSettings({ REDIS_URL }, nowhere).redisUrl).toBe(REDIS_URL);
  });

  /** Source: docs/contract.md#public-url. */
  test.each([
    "https://g.example/ai",
    "https://g.example/ai/",
    "https://g.example//x",
    "https://g.example/%61",
  ])("refuse the path of PUBLIC_URL=%s, and say what to do", (PUBLIC_URL) => {
    expect(problemsOf({ PUBLIC_URL })).toEqual([
      expect.stringMatching(/^PUBLIC_URL must have no path: .*host name of their own.*model API alone/),
    ]);
  });

  /** Source: docs/contract.md#public-url. */
  test.each([
    "https://root:hunter2@g.example",
    "https://g.example/?",
    "https://g.example#",
    "https://g.ex\nample",
  ])("refuse PUBLIC_URL=%j", (PUBLIC_URL) => {
    const problems = problemsOf({ PUBLIC_URL });
    expect(problems).toEqual([expect.stringMatching(/^PUBLIC_URL must have no /)]);
    expect(problems.join()).not.toContain("hunter2");
  });

  test.each(["https://g.example", "https://g.example/", "http://[::1]:3000//"])(
    "take PUBLIC_URL=%s without the slashes at its end",
    (PUBLIC_URL) => {
      expect(parseSettings({ PUBLIC_URL }, nowhere).publicUrl).toBe(PUBLIC_URL.replace(/\/+$/, ""));
    },
  );

  /** Source: docs/reliability.md#r-113. */
  test.each([
    ["AUTH_SECRET", "short"],
    ["AUTH_SECRET", "a".repeat(64)],
    ["AUTH_SECRET", "replace-me-with-32-random-bytes-please"],
    ["ENCRYPTION_KEY", Buffer.alloc(32).toString("base64")],
    ["ENCRYPTION_KEY", Buffer.alloc(31, "x7Qp").toString("base64")],
  ])("refuse a weak or malformed %s", (name, text) => {
    expect(problemsOf({ [name]: text })).toHaveLength(1);
  });

  test.each(["      ", "\u3000\u3000\u3000\u3000\u3000\u3000"])(
    "refuse %j as the password of the admin",
    (text) => {
      expect(problemsOf({ INIT_ADMIN_PASSWORD: text })).toEqual([
        expect.stringMatching(/^INIT_ADMIN_PASSWORD.*must have a character that is not blank/),
      ]);
    },
  );

  test("refuse several replicas on the embedded database, with limits in memory, or with keys that each would make", () => {
    const others = { DATABASE_URL: "postgres://db/x", REDIS_URL: "redis://r" };
    expect(problemsOf({ REPLICAS: "2", ...sharedSecrets() })).toHaveLength(2);
    expect(problemsOf({ REPLICAS: "2", ...sharedSecrets(), DATABASE_URL: "postgres://db/x" })).toHaveLength(
      1,
    );
    expect(problemsOf({ REPLICAS: "2", ...others })).toEqual([
      "REPLICAS above 1 needs AUTH_SECRET and ENCRYPTION_KEY, the same in every replica: each would make its own",
    ]);
    const { AUTH_SECRET } = sharedSecrets();
    expect(problemsOf({ REPLICAS: "2", ...others, AUTH_SECRET })).toEqual([
      expect.stringMatching(/needs ENCRYPTION_KEY, the same/),
    ]);
    expect(() => parseSettings({ REPLICAS: "2", ...others, ...sharedSecrets() }, nowhere)).not.toThrow();
  });

  test("switch the simulated provider on only while nothing else is configured", () => {
    const demo = (env: Record<string, string>, exists = false) =>
      parseSettings(env, { ...nowhere, exists: () => exists }).demoProvider;
    expect(demo({})).toBe(true);
    expect(demo({ OPENAI_API_KEY: "sk-1" })).toBe(false);
    expect(demo({ ANTHROPIC_API_KEY: "sk-1" })).toBe(false);
    expect(demo({ DATABASE_URL: "postgres://db/x" })).toBe(false);
    expect(demo({}, true)).toBe(false);
    expect(demo({ DEMO_PROVIDER: "1", DATABASE_URL: "postgres://db/x" })).toBe(true);
    expect(demo({ DEMO_PROVIDER: "0" })).toBe(false);
  });

  test("name a configuration file that does not exist", () => {
    expect(problemsOf({ CONFIG_FILE: "gone.yaml" })).toEqual([
      "CONFIG_FILE names gone.yaml, which does not exist",
    ]);
  });

  test("warn about misspelt names, and about nothing else", () => {
    const { warnings } = parseSettings(
      { DATABSE_URL: "x", HTTP_PROXY: "http://p", HOME: "/root", PATH: "/bin" },
      nowhere,
    );
    expect(warnings).toEqual(["DATABSE_URL is not a setting and has no effect; did you mean DATABASE_URL?"]);
  });

  test("are all described in .env.example and in docs/settings.md, and nothing else is", () => {
    const example = [...sourceText(".env.example").matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(
      (match) => match[1],
    );
    expect([...example].sort()).toEqual([...settingNames].sort());
    const page = sourceText("docs/settings.md");
    expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseSettings(env, nowhere);
  } catch (error) {
    if (isStartupError(error)) return error.problems;
    throw error;
  }
  return [];
}
