import { parseAst } from "vite";
import { describe, expect, test } from "vitest";
import { importsOf, type SourceFile, sourceFiles } from "./support/source-files";

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 70;

/** What anything may import. */
const KERNEL = /^lib\/(kernel\/.*|protocols\/protocol)$/;

const JOINS_ALL = [
  "accounts",
  "admin",
  "api",
  "auth",
  "billing",
  "config",
  "convert",
  "db",
  "demo",
  "gateway",
  "limiter",
];
const EVERYTHING = [...JOINS_ALL, "boot", "first-start", "ops", "protocols", "router", "runtime", "upstream"];

/** Who may import whom, besides itself and the kernel. Source: docs/architecture.md#s3. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  convert: ["protocols"],
  kernel: [],
  protocols: [],
  db: [],
  router: ["config", "db"],
  limiter: ["config", "db"],
  billing: ["config", "db"],
  auth: ["config", "db"],
  accounts: ["auth", "config", "db"],
  config: ["convert", "db", "protocols", "router"],
  upstream: ["config", "convert", "db", "protocols", "router"],
  ops: ["db", "runtime"],
  demo: ["accounts", "auth", "billing", "config", "db", "router"],
  admin: [
    "accounts",
    "auth",
    "billing",
    "config",
    "convert",
    "db",
    "limiter",
    "protocols",
    "router",
    "upstream",
  ],
  gateway: EVERYTHING,
  api: EVERYTHING,
  boot: EVERYTHING,
  "first-start": ["accounts", "config", "db"],
  runtime: EVERYTHING,
};

const code = sourceFiles(/^(lib|app|components)\/.*\.tsx?$|^server\.ts$|^(scripts|bench)\/.*\.(ts|mjs)$/);
const lib = code.filter((file) => file.path.startsWith("lib/"));

describe("modules", () => {
  test("import only what the table of areas allows", () => {
    const forbidden = lib.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => !KERNEL.test(target) && !isAllowed(areaOf(file.path), target))
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test("of the browser take only types and the kernel from lib", () => {
    const client = code.filter((file) => /^["']use client["']/.test(file.text));
    const forbidden = client.flatMap((file) =>
      importsOf(file)
        .filter(({ target, typeOnly }) => target.startsWith("lib/") && !typeOnly && !KERNEL.test(target))
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test("are not barrels", () => {
    const barrels = code
      .filter((file) => /^export (\*|\{[^}]*\}) from/m.test(file.text))
      .map((file) => file.path);
    expect(barrels).toEqual(["lib/db/schema/tables.ts"]);
  });

  test("have kebab-case names", () => {
    const odd = code.filter((file) => !/(^|\/)[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.(tsx?|mjs)$/.test(file.path));
    expect(odd.map((file) => file.path)).toEqual([]);
  });
});

describe("sizes", () => {
  test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
    const long = code.filter((file) => linesOf(file.text) > MAX_FILE_LINES);
    expect(long.map((file) => `${file.path} ${linesOf(file.text)}`)).toEqual([]);
  });

  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(code.flatMap(longFunctions)).toEqual([]);
  });
});

describe("words", () => {
  test("every exported function and class of lib has a docstring", () => {
    expect(lib.filter((file) => file.path !== "lib/db/schema/tables.ts").flatMap(undocumented)).toEqual([]);
  });

  test("nothing switches the compiler off or is left for later", () => {
    const forbidden =
      /@ts-(ignore|expect-error|nocheck)|biome-ignore (lint\/)?(suspicious\/noExplicitAny|style\/noNonNullAssertion)|\bas any\b|\b(TODO|FIXME|XXX)\b/;
    expect(code.filter((file) => forbidden.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  test("no file names a path of somebody's machine", () => {
    const texts = sourceFiles(/\.(tsx?|mjs|md|json|ya?ml|css|sql)$|(^|\/)(Dockerfile|\.env\.example|run)$/);
    const machine = /(?<![\w.])\/(home|Users|root|work)\/[\w.]/;
    const own = "tests/architecture.test.ts";
    expect(
      texts.filter((file) => file.path !== own && machine.test(file.text)).map((file) => file.path),
    ).toEqual([]);
  });
});

describe("handlers", () => {
  const routes = sourceFiles(/^app\/.*\/?route\.ts$/);

  test("under app/v1 are the gateway's own lane, which authenticates", () => {
    const bare = routes.filter((file) => file.path.startsWith("app/v1/") && !/\bserveWeb\b/.test(file.text));
    expect(bare.map((file) => file.path)).toEqual([]);
  });

  test("under app/api each ask who is calling, or say that they are public", () => {
    const bare = routes.filter((file) => file.path.startsWith("app/api/") && !isGuarded(file));
    expect(bare.map((file) => file.path)).toEqual([]);
  });
});

function areaOf(file: string): string {
  return file.replace(/\.tsx?$/, "").split("/")[1] ?? "";
}

function isAllowed(area: string, target: string): boolean {
  if (!target.startsWith("lib/")) return target === "package.json";
  return area === areaOf(target) || (MAY_IMPORT[area] ?? []).includes(areaOf(target));
}

function linesOf(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function undocumented(file: SourceFile): string[] {
  const lines = file.text.split("\n");
  return lines.flatMap((line, index) => {
    const exported = /^export (?:abstract )?(?:async )?(?:function\*?|class) (\w+)/.exec(line);
    if (!exported) return [];
    const above = lines[index - 1]?.trim() ?? "";
    const overload = lines
      .slice(0, index)
      .some((earlier) => earlier.startsWith(line.slice(0, line.indexOf("(") + 1)));
    return above.endsWith("*/") || overload ? [] : [`${file.path}: ${exported[1]}`];
  });
}

/** Every operation begins with a guard; those of admins with the stricter one. */
function isGuarded(file: SourceFile): boolean {
  if (/^\/\*\* Public\b/m.test(file.text)) return true;
  const operations = file.text.match(/^ {2}(GET|POST|PUT|PATCH|DELETE):/gm)?.length ?? 0;
  const guard = file.path.startsWith("app/api/admin/") ? /\brequireAdmin\(/g : /\brequire(User|Admin)\(/g;
  return operations > 0 && (file.text.match(guard)?.length ?? 0) >= operations;
}

function longFunctions(file: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    if ("type" in node && "start" in node && "end" in node && /Function/.test(String(node.type))) {
      const text = file.text.slice(Number(node.start), Number(node.end));
      if (!String(node.type).startsWith("TS") && linesOf(text) > MAX_FUNCTION_LINES)
        found.push(`${file.path}: ${linesOf(text)} lines, ${text.slice(0, 60).split("\n")[0]}`);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(file.text, { lang: file.path.endsWith("x") ? "tsx" : "ts" }));
  return found;
}
