import path from "node:path";
import { describe, expect, test } from "vitest";
import { clientProtocols } from "@/lib/protocols/protocol";
import { anchorsOf, citationsOf, documentAnchors, linksOf, proseLinesOf, wordsOf } from "./support/documents";
import { incompleteLists } from "./support/protocol-lists";
import { sourceFiles, sourcePaths } from "./support/source-files";

const MAX_LINE_CHARACTERS = 200;
/** Of all documents together, but for the READMEs of rooms and the base document. */
const MAX_WORDS = 70_000;
/** The base that the project was given: its words stay as they are. */
const BASE = "docs/spec.md";

const CODE =
  /^(lib|app|components|scripts|tests|bench|tools|drizzle)\/.*\.(tsx?|mjs|sql)$|^[\w.-]+\.(ts|mjs)$/;

const anchors = documentAnchors();
const code = sourceFiles(CODE);
const documents = sourceFiles(
  /^docs\/.*\.md$|^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^(lib\/[\w-]+|components)\/README\.md$/,
);

describe("comments", () => {
  test("name their sources as links into docs", () => {
    const others = code.flatMap((file) =>
      citationsOf(file.text)
        .filter((citation) => !/^docs\/[a-z0-9/-]+\.md#[a-z0-9-]/.test(citation))
        .map((citation) => `${file.path}: ${citation}`),
    );
    expect(others).toEqual([]);
    expect(code.flatMap((file) => citationsOf(file.text)).length).toBeGreaterThan(700);
  });

  test("link to anchors that exist", () => {
    const dead = code.flatMap((file) =>
      linksOf(file.text)
        .filter(({ document, anchor }) => !anchors.get(document)?.has(anchor))
        .map(({ document, anchor }) => `${file.path}: ${document}#${anchor}`),
    );
    expect(dead).toEqual([]);
  });
});

describe("documents", () => {
  test("have each anchor once", () => {
    const twice = documents.flatMap((file) => {
      const all = anchorsOf(file.text);
      return all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${file.path}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  test("link to files and anchors that exist", () => {
    const present = new Set(sourcePaths());
    const dead = documents.flatMap((file) =>
      [...file.text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, target = "", anchor]) => {
          const name = target === "" ? file.path : path.posix.join(path.posix.dirname(file.path), target);
          const isFolder = [...present].some((one) => one.startsWith(`${name}/`));
          if (!present.has(name) && !isFolder) return true;
          return anchor !== undefined && !anchors.get(name)?.has(anchor);
        })
        .map(([link]) => `${file.path}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test("say of every room of lib what it owns", () => {
    const rooms = new Set(sourcePaths().flatMap((file) => /^lib\/[^/]+(?=\/)/.exec(file) ?? []));
    const described = documents.map((file) => file.path);
    expect([...rooms].filter((room) => !described.includes(`${room}/README.md`))).toEqual([]);
    expect(rooms.size).toBeGreaterThan(10);
  });

  test("name no fewer protocols than the registry has", () => {
    const ofToday = documents.filter(
      (file) => file.path !== BASE && !/^docs\/adr\/|^CHANGELOG/.test(file.path),
    );
    const found = ofToday.flatMap((file) =>
      incompleteLists(file.text).map((words) => `${file.path}: ${words}`),
    );
    expect(found, "name every protocol, or those that are left out").toEqual([]);
  });

  const [first, second, ...others] = clientProtocols.map((id) => `\`${id}\``);
  const all = [first, second, ...others];

  test.each([
    "a protocol is `chat` or `messages`",
    "protocol: chat   # chat | messages",
    "| `protocol` | `chat` \\| `messages` |",
    "The protocol can be `chat` or `responses`.",
    "Clients speak Chat Completions and\nMessages, and get HTTP responses.",
    "Both protocols have it.",
    "It converts between the two protocols.",
    "It takes calls in two protocol styles.",
  ])("name too few protocols where they say %j", (text) => {
    expect(incompleteLists(text)).toHaveLength(1);
  });

  test.each([
    `a protocol is ${all.join(" or ")}`,
    `protocol: chat   # ${clientProtocols.join(" | ")}`,
    `Clients of ${first} and ${second} get it; those of ${others.join(", ")} do not.`,
    "| chat | messages |\n|---|---|\n| a tool | chat, messages |",
    "Nodes of protocol `chat` and `responses` serve embeddings.",
    "`chat` and `responses` are alike: both protocols have items.",
    "No table knows two protocols.",
    "A chat has messages, and messages have parts.",
  ])("name the protocols that they mean where they say %j", (text) => {
    expect(incompleteLists(text)).toEqual([]);
  });

  test(`have no line of more than ${MAX_LINE_CHARACTERS} characters outside of tables and code`, () => {
    const long = documents.flatMap((file) =>
      proseLinesOf(file.text)
        .filter(({ line }) => line.length > MAX_LINE_CHARACTERS)
        .map(({ line, number }) => `${file.path}:${number}: ${line.length}`),
    );
    expect(long).toEqual([]);
  });

  test(`have at most ${MAX_WORDS.toLocaleString("en")} words`, () => {
    const counted = documents.filter(
      ({ path }) => path !== BASE && /^docs\/|^(README|CHANGELOG|CONTRIBUTING)\.md$/.test(path),
    );
    const words = counted.reduce((sum, file) => sum + wordsOf(file.text), 0);
    expect(words).toBeLessThanOrEqual(MAX_WORDS);
  });
});
