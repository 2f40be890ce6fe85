import { describe, expect, test } from "vitest";
import { protocolIds } from "@/lib/protocols/protocol";
import { importsOf, type SourceFile, sourceFiles, sourceText } from "./support/source-files";
import { nodesOf, type SyntaxNode } from "./support/syntax";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;
const MAX_TOY_LINES = 180;
const MAX_TOY_NODE_LINES = 120;

/** Folders from the top down; a file imports what stands below its own row, types included. */
type Layers = readonly (readonly string[])[];

const LIB_LAYERS: Layers = [
  ["process"],
  ["api"],
  ["gateway"],
  ["admission"],
  ["admin", "reports"],
  ["accounts"],
  ["router"],
  ["upstream"],
  ["billing"],
  ["config", "ops"],
  ["db"],
  ["shared"],
  ["protocols"],
  ["kernel"],
];

/** A folder within another one that stands on a row of its own is no part of the outer one. */
const COMPONENT_LAYERS: Layers = [
  ["kitchen"],
  ["admin/overview"],
  ["admin/models", "admin/users"],
  ["admin/audit", "admin/margin", "admin/nodes", "admin/plans", "admin/settings", "admin/statements"],
  ["admin/bulk", "admin/rehearsal"],
  ["admin"],
  ["projects"],
  ["auth", "billing", "connect", "docs", "keys", "models", "overview", "settings", "site"],
  ["limits", "playground", "reference", "usage"],
  ["budgets"],
  ["logs"],
  ["shell"],
  ["forms", "lists", "server", "snippets"],
  ["announcements", "changes"],
  ["api", "charts", "search"],
  ["ui"],
  ["i18n"],
];

/** What pages in a browser may import: values without anything of the server. */
const BROWSER_SAFE =
  /^lib\/(kernel\/(usage|money|errors|error-messages|json-object|parse-json|latency-histogram|durations|day-range)|shared\/.+|protocols\/(protocol|profiles\/providers?|(\w+\/)?kit\/[\w-]+))$/;

const code = sourceFiles(
  /^(lib|app|components)\/.*\.tsx?$|^server\.ts$|^(scripts|bench|tools)\/.*\.(ts|mjs)$/,
);
const lib = code.filter((file) => file.path.startsWith("lib/"));
const components = code.filter((file) => file.path.startsWith("components/"));
const trees = [
  { root: "lib", files: lib, layers: LIB_LAYERS, besides: /^package\.json$/ },
  {
    root: "components",
    files: components,
    layers: COMPONENT_LAYERS,
    besides: /^(lib\/|bench\/results\/[\w-]+\.json$)/,
  },
];

describe("modules", () => {
  test.each(trees)("of $root import only what stands below them", ({ root, files, layers, besides }) => {
    const forbidden = files.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) =>
          target.startsWith(`${root}/`) ? !isBelow(layers, file.path, target) : !besides.test(target),
        )
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test("of tools take nothing of lib but the kernel and the list of protocols", () => {
    const forbidden = code
      .filter((file) => file.path.startsWith("tools/"))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => !/^(tools|lib\/kernel)\/|^lib\/protocols\/protocol$/.test(target))
          .map(({ target }) => `${file.path} → ${target}`),
      );
    expect(forbidden).toEqual([]);
  });

  test.each(trees)("of $root do not import each other in a circle, types included", ({ files }) => {
    expect(importCycles(files)).toEqual([]);
  });

  test("of one protocol are known to the registries and to their own folder only", () => {
    // Embeddings have clients and nodes of their own for a protocol, in files named after it.
    const registries = /^lib\/protocols\/(registry|kit\/(kits|answer-readers)|embeddings\/gemini-\w+)\.ts$/;
    const forbidden = lib
      .filter((file) => file.path.startsWith("lib/protocols/") && !registries.test(file.path))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => isForeignProtocol(file.path, target))
          .map(({ target }) => `${file.path} → ${target}`),
      );
    expect(forbidden).toEqual([]);
  });

  test("of a protocol's client and node half know nothing of each other, nor of what joins them", () => {
    const others = { client: /^(node|direct)\//, node: /^(client|direct)\//, kit: /^(client|node|direct)\// };
    const forbidden = lib.flatMap((file) => {
      const [, folder = "", half] = /^(lib\/protocols\/\w+\/)(client|node|kit)\b/.exec(file.path) ?? [];
      if (half === undefined) return [];
      return importsOf(file)
        .filter(({ target }) => target.startsWith(folder))
        .filter(({ target }) => others[half as keyof typeof others].test(target.slice(folder.length)))
        .map(({ target }) => `${file.path} → ${target}`);
    });
    expect(forbidden).toEqual([]);
  });

  test("do not tell protocols apart by their names", () => {
    const names = protocolIds.join("|");
    const comparison = new RegExp(`[!=]==? *"(${names})"|"(${names})" *[!=]==?|case "(${names})":`);
    const files = code.filter((file) => /^(lib|app|components)\//.test(file.path));
    const found = files.filter((file) => comparison.test(file.text));
    expect(found.map((file) => file.path)).toEqual([]);
  });

  test("of the browser take only types and values without a server from lib", () => {
    const client = code.filter((file) => /^["']use client["']/.test(file.text));
    const forbidden = client.flatMap((file) =>
      importsOf(file)
        .filter(
          ({ target, typeOnly }) => target.startsWith("lib/") && !typeOnly && !BROWSER_SAFE.test(target),
        )
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test("of the API's schemas bring no server into the browser, where forms check with them", () => {
    const seen = new Set(["components/forms/request-errors"]);
    for (const path of seen) {
      const file = code.find((one) => one.path.replace(/\.tsx?$/, "") === path);
      const targets = file === undefined ? [] : importsOf(file).filter(({ typeOnly }) => !typeOnly);
      for (const { target } of targets) seen.add(target);
    }
    const known =
      /^(components\/forms|lib\/(api\/schemas|kernel|protocols|shared)\/|lib\/config\/(budget-entry|fields|file-schema|price-entry)$)/;
    expect([...seen].filter((path) => !known.test(path))).toEqual([]);
    const isSeen = ({ path }: SourceFile) => seen.has(path.replace(/\.tsx?$/, ""));
    const server = code.filter((file) => isSeen(file) && /from "node:/.test(file.text));
    expect(server.map((file) => file.path)).toEqual([]);
  });

  test("of the kits and readers of protocols bring no server into the browser", () => {
    const seen = new Set([
      "lib/protocols/kit/kits",
      "lib/protocols/kit/call-body",
      "lib/protocols/kit/answer-readers",
    ]);
    const files: SourceFile[] = [];
    for (const path of seen) {
      const file = code.find((one) => moduleOf(one.path) === path);
      const targets = file === undefined ? [] : importsOf(file).filter(({ typeOnly }) => !typeOnly);
      if (file !== undefined) files.push(file);
      for (const { target } of targets) seen.add(target);
    }
    expect([...seen].filter((path) => !/^lib\/(protocols|kernel)\//.test(path))).toEqual([]);
    const server = /^import\s[^;]*\bfrom "(?![@.])|\bBuffer\./m; // no package, no module of Node.js
    expect(files.filter((file) => server.test(file.text)).map((file) => file.path)).toEqual([]);
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

describe("spreads", () => {
  test("are of values, never of a literal that could be written where it stands", () => {
    const all = [...code, ...sourceFiles(/^tests\/.*\.tsx?$/)];
    const found = all.filter((file) => /\.\.\.[[{]/.test(file.text) && nodesOf(file).some(isSpreadOfLiteral));
    expect(found.map((file) => file.path)).toEqual([]);
  });
});

describe("a protocol", () => {
  test(`takes at most ${MAX_TOY_LINES} lines to stand beside the others in the conformance suite`, () => {
    expect(linesOf(sourceText("tests/unit/protocols/toy.ts"))).toBeLessThanOrEqual(MAX_TOY_LINES);
  });

  test(`that only nodes speak takes at most ${MAX_TOY_NODE_LINES} lines to serve all clients`, () => {
    expect(linesOf(sourceText("tests/unit/protocols/toy-node.ts"))).toBeLessThanOrEqual(MAX_TOY_NODE_LINES);
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
    const bare = routes.filter((file) => /^app\/v1\w*\//.test(file.path) && !/\bserveWeb\b/.test(file.text));
    expect(bare.map((file) => file.path)).toEqual([]);
  });

  test("under app/api are one: the list of operations, each of which names its caller", () => {
    const files = routes.filter((file) => file.path.startsWith("app/api/"));
    expect(files.map((file) => file.path)).toEqual(["app/api/[[...path]]/route.ts"]);
    expect(files.every((file) => /\banswerRoute as GET\b/.test(file.text))).toBe(true);
  });
});

/** A file of another protocol's folder. */
function isForeignProtocol(file: string, target: string): boolean {
  return protocolIds.some(
    (id) => target.startsWith(`lib/protocols/${id}/`) && !file.startsWith(`lib/protocols/${id}/`),
  );
}

/** Whether a file may import another one of its tree: it is of the same folder or stands on a lower row. */
function isBelow(layers: Layers, file: string, target: string): boolean {
  const area = areaOf(layers, file);
  const other = areaOf(layers, target);
  return area === other || layerOf(layers, area) < layerOf(layers, other);
}

/** The innermost folder with a row that a file is in. */
function areaOf(layers: Layers, file: string): string {
  const path = file.slice(file.indexOf("/") + 1);
  const areas = layers.flat().filter((area) => path.startsWith(`${area}/`));
  const innermost = areas.sort((a, b) => b.length - a.length)[0];
  if (innermost === undefined) throw new Error(`the folder of ${file} has no layer`);
  return innermost;
}

function layerOf(layers: Layers, area: string): number {
  return layers.findIndex((areas) => areas.includes(area));
}

/** One path for each circle of imports, by depth-first search. */
function importCycles(files: SourceFile[]): string[] {
  const imports = new Map(
    files.map((file) => [moduleOf(file.path), importsOf(file).map(({ target }) => target)]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (module: string, path: string[]): void => {
    const start = path.indexOf(module);
    if (start !== -1) cycles.push([...path.slice(start), module].join(" → "));
    if (start !== -1 || finished.has(module)) return;
    for (const target of imports.get(module) ?? []) visit(target, [...path, module]);
    finished.add(module);
  };
  for (const module of imports.keys()) visit(module, []);
  return cycles;
}

function moduleOf(file: string): string {
  return file.replace(/\.tsx?$/, "");
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

function longFunctions(file: SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!/Function/.test(node.type) || node.type.startsWith("TS")) return [];
    const text = file.text.slice(node.start, node.end);
    if (linesOf(text) <= MAX_FUNCTION_LINES) return [];
    return [`${file.path}: ${linesOf(text)} lines, ${text.slice(0, 60).split("\n")[0]}`];
  });
}

/** `...{ a, b }` in an object or an element, `...[a, b]` in a list. */
function isSpreadOfLiteral({ type, argument }: SyntaxNode): boolean {
  if (type !== "SpreadElement" && type !== "JSXSpreadAttribute") return false;
  return argument?.type === "ObjectExpression" || argument?.type === "ArrayExpression";
}
