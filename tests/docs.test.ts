import path from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, citationsOf, documentAnchors, linksOf } from "./support/documents";
import { sourceFiles, sourcePaths } from "./support/source-files";

const CODE =
  /^(lib|app|components|scripts|tests|bench|tools|drizzle)\/.*\.(tsx?|mjs|sql)$|^[\w.-]+\.(ts|mjs)$/;

const anchors = documentAnchors();
const code = sourceFiles(CODE);
const documents = sourceFiles(/^docs\/.*\.md$|^(README|CONTRIBUTING)\.md$/);

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
});
