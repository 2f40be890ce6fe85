import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseConfig } from "@/lib/config/file";
import { isStartupError } from "@/lib/config/startup-error";
import { isPrice, nanoCentsFromCents } from "@/lib/shared/prices/cents-per-million";

const good = `nodes:
  - name: main
    protocol: chat
    baseUrl: https://api.example.com/v1/
    apiKey: \${KEY}
models:
  - alias: gpt-main
    alsoKnownAs: [gpt-5, "claude-*"]
    prices: { input: 900, output: 7200.125 }
    routes:
      - { node: main, model: gpt-5.2 }
`;

describe("tollgate.yaml", () => {
  test("takes the environment, fills the defaults in and cuts the base URL's last slash", () => {
    const { document } = parseConfig("tollgate.yaml", good, { KEY: "sk-1" });
    expect(document.nodes[0]).toEqual({
      name: "main",
      protocol: "chat",
      provider: null,
      baseUrl: "https://api.example.com/v1",
      apiKey: "sk-1",
      credential: null,
      headers: {},
      enabled: true,
      proxy: null,
      ca: null,
      maxConcurrency: null,
      timeouts: {},
    });
    expect(document.models[0]?.routes[0]).toEqual({
      node: "main",
      model: "gpt-5.2",
      priority: 0,
      weight: 100,
      cost: null,
    });
    expect(document.models[0]?.defaultMaxTokens).toBeNull();
  });

  test("may be empty", () => {
    expect(parseConfig("t.yaml", "# nothing yet\n", {}).document).toEqual({
      nodes: [],
      models: [],
      plans: [],
      budgets: [],
    });
  });

  test.each([
    ["an unset variable", good, {}, /^t\.yaml:5:13 \$\{KEY\} is not set/],
    [
      "an unknown key",
      good.replace("protocol: chat", "protocol: chat\n    color: red"),
      { KEY: "k" },
      "t.yaml:4:5 unknown key nodes.0.color",
    ],
    ["an unknown top-level key", `${good}node: []\n`, { KEY: "k" }, "t.yaml:12:1 unknown key node"],
    [
      "a provider that nobody knows",
      good.replace("protocol: chat", "protocol: chat\n    provider: nobody"),
      { KEY: "k" },
      "t.yaml:4:15 nodes.0.provider:",
    ],
    [
      "an Azure deployment without its version",
      good.replace("https://api.example.com/v1/", "https://a.openai.azure.com/openai/deployments/gpt"),
      { KEY: "k" },
      /^t\.yaml:4:14 nodes\.0\.baseUrl: must end with \?api-version=, such as \?api-version=2024-10-21/,
    ],
    ["a wrong value", good.replace("chat", "grpc"), { KEY: "k" }, "t.yaml:3:15 nodes.0.protocol:"],
    ["text that is no YAML", "nodes: [\n", {}, "t.yaml:"],
    [
      "a key given twice",
      good.replace("protocol: chat", "protocol: chat\n    name: again"),
      { KEY: "k" },
      "t.yaml:4:5 Map keys must be unique",
    ],
    ["a price too fine", good.replace("900", "900.1234"), { KEY: "k" }, "t.yaml:9:22 models.0.prices.input:"],
    [
      "a star in the middle",
      good.replace("claude-*", "cl*ude"),
      { KEY: "k" },
      "t.yaml:8:26 models.0.alsoKnownAs.1:",
    ],
    [
      "a name claimed twice",
      good.replace("gpt-5,", "gpt-main,"),
      { KEY: "k" },
      't.yaml:8:19 "gpt-main" is declared twice',
    ],
    [
      "two plans of one name",
      `${good}plans:\n${["Free", "FREE"].map((name, at) => `  - { id: ${at}1, name: ${name}, qps: null, rpm: null, tpm: null }\n`).join("")}`,
      { KEY: "k" },
      '"FREE" is declared twice',
    ],
    [
      "a model without prices",
      good.replace(/ {4}prices.*\n/, ""),
      { KEY: "k" },
      'model "gpt-main" has no prices',
    ],
    [
      "a model without routes",
      good.replace(/ {4}routes:[\s\S]*/, ""),
      { KEY: "k" },
      'model "gpt-main" has no routes',
    ],
    [
      "a base URL with a line break",
      good.replace("https://api.example.com/v1/", '"https://api.example.com/v1\\r\\n"'),
      { KEY: "k" },
      "t.yaml:4:14 nodes.0.baseUrl: must have no blanks, tabs or line breaks",
    ],
    [
      "a proxy with a line break",
      good.replace("protocol: chat", 'protocol: chat\n    proxy: "http://proxy\\n.example:3128"'),
      { KEY: "k" },
      "t.yaml:4:12 nodes.0.proxy: must have no blanks, tabs or line breaks",
    ],
    [
      "a base URL with a password",
      good.replace("https://", "https://me:pw@"),
      { KEY: "k" },
      "t.yaml:4:14 nodes.0.baseUrl:",
    ],
  ])("is refused for %s, with its place", (_, text, env, expected) => {
    expect(problemsOf(text, env)[0]).toMatch(expected);
  });
});

test("a character that no text of the database may have is refused, with its place, wherever it stands", () => {
  const model =
    '{ alias: m, prices: { input: 1, output: 1 }, routes: [{ node: n, model: "u\\0" }], displayName: "\\0" }';
  const node = '{ name: n, protocol: chat, baseUrl: "http://x/v1", headers: { A: "\\0" } }';
  expect(problemsOf(`nodes: [${node}]\nmodels: [${model}]\n`, {})).toEqual([
    expect.stringMatching(/^t\.yaml:1:\d+ must not have the character U\+0000$/),
    expect.stringMatching(/^t\.yaml:2:\d+ must not/),
    expect.stringMatching(/^t\.yaml:2:\d+ must not/),
  ]);
});

describe("prices", () => {
  test("become nano-cents exactly, for every decimal of three places", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.integer({ min: 0, max: 999 }),
        (whole, thousandths) => {
          const written = `${whole}.${String(thousandths).padStart(3, "0")}`;
          expect(nanoCentsFromCents(Number(written))).toBe(BigInt(whole) * 1000n + BigInt(thousandths));
        },
      ),
    );
  });

  test("outside the range, or finer, are no prices", () => {
    for (const wrong of [-1, 0.0001, 1_000_000_000.001, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
      expect(isPrice(wrong)).toBe(false);
    expect(isPrice(1_000_000_000)).toBe(true);
  });
});

function problemsOf(text: string, env: Record<string, string>): readonly string[] {
  try {
    parseConfig("t.yaml", text, env);
  } catch (error) {
    if (isStartupError(error)) return error.problems;
    throw error;
  }
  return [];
}
