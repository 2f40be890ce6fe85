import { describe, expect, test } from "vitest";
import { environmentCatalog } from "@/lib/config/builtin";
import { parseSettings, settingNames } from "@/lib/config/env";
import { isStartupError } from "@/lib/config/startup-error";
import { sharedSecrets } from "@/tests/support/shared-secrets";

const nowhere = { cwd: "/srv/gateway", exists: () => false };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseSettings(env, nowhere);
    return [];
  } catch (error) {
    if (!isStartupError(error)) throw error;
    return error.problems;
  }
}

/** Values that are right, as they are meant. */
const MEANT: Record<string, string> = {
  PORT: "8080",
  HOST: "0.0.0.0",
  PUBLIC_URL: "https://gateway.example.org",
  DATABASE_URL: "postgres://user:p%40ss@db.example:5432/name",
  OPENAI_API_KEY: "sk-proj-0123456789_abc-DEF",
  ANTHROPIC_API_KEY: "sk-ant-api03-0123456789",
  METRICS_TOKEN: "token-0123456789",
  INIT_ADMIN_PASSWORD: "correct horse battery",
  QUOTA_STRICT: "1",
  LOG_LEVEL: "warn",
  USD_CNY: "7.1",
  REPORT_TIMEZONE: "Asia/Shanghai",
  COMPATIBILITY: "lenient",
  CORS_ORIGINS: "https://a.example,https://b.example",
};

describe("texts of settings", () => {
  const meant = parseSettings(MEANT, nowhere);

  test.each([
    ["a line feed after it", (text: string) => `${text}\n`],
    ["a Windows line end after it", (text: string) => `${text}\r\n`],
    ["blanks around it", (text: string) => ` \t${text} `],
    ["double quotes around it", (text: string) => `"${text}"`],
    ["single quotes and a line feed around it", (text: string) => `'${text}'\n`],
    ["a byte order mark before it", (text: string) => `\uFEFF${text}`],
  ])("count without %s", (_what, written) => {
    const env = Object.fromEntries(Object.entries(MEANT).map(([name, text]) => [name, written(text)]));
    expect(parseSettings(env, nowhere)).toEqual(meant);
    expect(environmentCatalog(parseSettings(env, nowhere)).nodes.map(({ apiKey }) => apiKey)).toEqual([
      MEANT.OPENAI_API_KEY,
      MEANT.ANTHROPIC_API_KEY,
    ]);
  });

  test.each(settingNames.map((name) => [name]))("of %s name it when they stand for no value", (name) => {
    for (const text of ["undefined", "null", "[object Object]", `$${"{NAME}"}`, "$(NAME)", "{{ name }}"]) {
      const named = problemsOf({ ...sharedSecrets(), [name]: text }).filter((problem) =>
        problem.startsWith(`${name} `),
      );
      expect(named).toHaveLength(1);
      expect(named[0]).toMatch(/when it has no value; give it a value|that nothing has replaced/);
    }
  });

  test.each(["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "METRICS_TOKEN"])(
    "of %s are one word, and a problem does not show them",
    (name) => {
      for (const text of [
        "sk-canary sk-other",
        "sk-canary\nsk-other",
        "sk-canary…",
        '"sk-canary',
        "“sk-canary”",
      ]) {
        const [problem, ...more] = problemsOf({ [name]: text });
        expect(problem).toMatch(new RegExp(`^${name} must be one word`));
        expect([more, problem?.includes("canary")]).toEqual([[], false]);
      }
    },
  );

  test("leave every byte of the secret that keys were derived from", () => {
    const { AUTH_SECRET } = sharedSecrets();
    for (const secret of [`${AUTH_SECRET}\n`, ` ${AUTH_SECRET}`, `"${AUTH_SECRET}"`]) {
      const given = { AUTH_SECRET: secret, AUTH_SECRET_PREVIOUS: `${secret}\n` };
      expect(parseSettings(given, nowhere)).toMatchObject({
        authSecret: secret,
        authSecretPrevious: `${secret}\n`,
      });
    }
  });

  test.each([
    ["postgres://user:canary/word@db.example/name", /in a user name or password, write/],
    ["postgres://user:12/canary@db.example/name", /in a user name or password, write/],
    ["postgres://user:12?canary@db.example/name", /in a user name or password, write/],
    ["postgres://user:12#canary@db.example/name", /in a user name or password, write/],
    ["postgres://user:canary%zz@db.example/name", /in a user name or password, write/],
    ["postgres://user:canary word@db.example/name", /no blanks/],
    ["postgres://user:canary@db.example/name?sslmode=on", /unknown sslmode; it must be one of disable/],
    ["mysql://user:canary@db.example/name", /beginning with postgres/],
  ])("refuse the database's address %s with what to do and without the password", (address, told) => {
    const [problem, ...more] = problemsOf({ DATABASE_URL: address });
    expect(problem).toMatch(/^DATABASE_URL /);
    expect(problem).toMatch(told);
    expect([more, problem?.includes("canary")]).toEqual([[], false]);
  });

  test.each(["http://0.0.0.0", "localhost:3000", "0.0.0.0/", "two words"])(
    "refuse HOST=%s by name",
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual([
        expect.stringMatching(/^HOST must be an address or a host name/),
      ]);
    },
  );
});
