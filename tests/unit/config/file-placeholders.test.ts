import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseConfig, readConfigFile } from "@/lib/config/file";
import { isStartupError } from "@/lib/config/startup-error";

const yaml = (node: string, prices = "{ input: 1, output: 2 }") =>
  `nodes:\n  - ${node}\nmodels:\n  - { alias: m, prices: ${prices}, routes: [{ node: n, model: u }] }\n`;
const base = "name: n, protocol: chat, baseUrl: https://a.example/v1";
const parse = (text: string, env: Record<string, string> = {}) => parseConfig("t.yaml", text, env).document;
const nodeOf = (text: string, env: Record<string, string> = {}) => parse(text, env).nodes[0];
function problemsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (isStartupError(error)) return error.problems;
    throw error;
  }
  return [];
}

/** Source: docs/contract.md#s3. */
describe("placeholders of the file", () => {
  test("may stand inside of { }, for numbers and for booleans", () => {
    const text = yaml(
      `{ ${base}, apiKey: \${KEY}, enabled: \${ON}, maxConcurrency: \${MAX}, timeouts: { idleMs: \${IDLE} } }`,
      `{ input: \${P}, output: \${Q} }`,
    );
    const env = { KEY: "sk-1", ON: "false", MAX: "7", IDLE: "500", P: "1.5", Q: "3" };
    expect(nodeOf(text, env)).toMatchObject({
      apiKey: "sk-1",
      enabled: false,
      maxConcurrency: 7,
      timeouts: { idleMs: 500 },
    });
    expect(parse(text, env).models[0]?.prices).toMatchObject({ input: 1.5, output: 3 });
  });

  test("stay texts where texts belong, whatever they look like", () => {
    for (const KEY of ["12345678", "true", "1e5", "0x10"])
      expect(nodeOf(yaml(`{ ${base}, apiKey: \${KEY} }`), { KEY })).toMatchObject({ apiKey: KEY });
  });

  test("have defaults, for names that are not set or empty", () => {
    const text = yaml(
      `{ ${base}, apiKey: \${KEY:-sk-2}, maxConcurrency: \${MAX:-4}, proxy: \${PROXY:-}, enabled: \${ON:-false} }`,
    );
    expect(nodeOf(text, { KEY: "" })).toMatchObject({
      apiKey: "sk-2",
      maxConcurrency: 4,
      proxy: null,
      enabled: false,
    });
    expect(nodeOf(text, { KEY: "k", MAX: "9", PROXY: "http://p:1", ON: "true" })).toMatchObject({
      apiKey: "k",
      maxConcurrency: 9,
      proxy: "http://p:1",
      enabled: true,
    });
    expect(nodeOf(yaml(`{ ${base}, maxConcurrency: \${MAX:-null} }`))?.maxConcurrency).toBeNull();
  });

  test("are texts with a second $, in every style of YAML", () => {
    const styles = [`$\${KEY}`, `"$\${KEY}"`, `'$\${KEY}'`];
    for (const style of styles)
      expect(nodeOf(yaml(`{ ${base}, headers: { A: ${style} } }`))?.headers).toEqual({
        A: "$".concat("{KEY}"),
      });
    expect(nodeOf(yaml(`{ ${base}, headers: { A: "x$\${y" } }`))?.headers).toEqual({ A: "x$".concat("{y") });
    expect(nodeOf(yaml(`{ ${base}, headers: { A: $5, B: "a$" } }`))?.headers).toEqual({ A: "$5", B: "a$" });
  });

  test("in comments and keys mean nothing", () => {
    expect(problemsOf(() => parse(`# \${UNSET}\n${yaml(`{ ${base} }`)}`))).toEqual([]);
    expect(problemsOf(() => parse(yaml(`{ ${base}, \${UNSET}: 1 }`)))[0]).toMatch(
      /unknown key nodes\.0\.\$\{UNSET\}/,
    );
  });

  test("that are wrong are named with line, column and path", () => {
    const text = yaml(`{ ${base}, apiKey: \${KEY}, maxConcurrency: \${MAX} }`);
    expect(problemsOf(() => parse(text, { MAX: "7" }))).toEqual([
      expect.stringMatching(/^t\.yaml:2:\d+ \$\{KEY\} is not set in the environment \(nodes\.0\.apiKey\)$/),
    ]);
    const problem = problemsOf(() => parse(text, { KEY: "k", MAX: "many" }))[0];
    expect(problem).toMatch(/^t\.yaml:2:\d+ nodes\.0\.maxConcurrency: must be a whole number/);
    expect(problemsOf(() => parse(yaml(`{ ${base}, apiKey: \${a b} }`)))[0]).toMatch(
      /is no placeholder.*nodes\.0\.apiKey/,
    );
    const column = text.split("\n")[1]?.indexOf("$".concat("{MAX}")) ?? -1;
    expect(problem).toContain(`t.yaml:2:${column + 1} `);
  });
});

/** Source: docs/contract.md#s3. */
describe("the encoding of the file", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "tollgate-encoding-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "t.yaml");
  const text = "nodes: []\n# größe\n";
  async function problemOf(bytes: Uint8Array): Promise<string | undefined> {
    writeFileSync(file, bytes);
    const error: unknown = await readConfigFile(file, {}).catch((thrown: unknown) => thrown);
    return isStartupError(error) ? error.problems[0] : undefined;
  }
  const utf16 = Buffer.from(text, "utf16le");

  test("is told when it is UTF-16 or UTF-32, with a mark or without", async () => {
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]);
    for (const bytes of [marked, Buffer.from(marked).swap16(), utf16, Buffer.from(utf16).swap16()])
      expect(await problemOf(bytes)).toBe("t.yaml: is UTF-16 text; save it as UTF-8");
    expect(await problemOf(Buffer.from([0xff, 0xfe, 0, 0, 0x6e, 0, 0, 0]))).toMatch(/UTF-32/);
  });

  test("is told with its place when it is no UTF-8", async () => {
    expect(await problemOf(Buffer.from(text, "latin1"))).toBe(
      "t.yaml:2:5 is no UTF-8 text; save the file as UTF-8",
    );
  });

  test("may be UTF-8 with a byte order mark", async () => {
    expect(await problemOf(Buffer.from(`\uFEFF${text}`))).toBeUndefined();
    expect(await problemOf(Buffer.from(`${text}# \uFFFD\n`))).toBeUndefined();
  });
});
