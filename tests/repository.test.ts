import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { sourceFiles, sourceText } from "./support/source-files";

interface Step {
  name?: string;
  uses?: string;
  run?: string;
}

interface Job {
  "timeout-minutes"?: number;
  steps: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

interface IssueForm {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
}

const manifest: { version: string; scripts: Record<string, string> } = JSON.parse(sourceText("package.json"));
const changelog = sourceText("CHANGELOG.md");
const workflows = new Map(
  sourceFiles(/^\.github\/workflows\/[\w-]+\.yml$/).map(({ path, text }) => [path, workflowOf(text)]),
);

/** Throws: for what is no YAML, or has a key twice. */
function yamlOf(text: string): unknown {
  const document = parseDocument(text);
  expect([...document.errors, ...document.warnings].map(({ message }) => message)).toEqual([]);
  return document.toJS();
}

function workflowOf(text: string): Workflow {
  return yamlOf(text) as Workflow; // what is wrong in it fails a test below
}

function jobsOf(file: string): Job[] {
  return Object.values(workflows.get(file)?.jobs ?? {});
}

function stepsOf(file: string): Step[] {
  return jobsOf(file).flatMap((job) => job.steps);
}

describe("workflows", () => {
  const files = [...workflows.keys()];

  test("are those of each change and of a release", () => {
    expect(files).toEqual([".github/workflows/ci.yml", ".github/workflows/release.yml"]);
  });

  test.each(files)("%s may read the repository and no more, unless a job says so", (file) => {
    expect(workflows.get(file)?.permissions).toEqual({ contents: "read" });
  });

  test.each(files)("%s ends in time, and has the major version of every action", (file) => {
    expect(jobsOf(file).filter((job) => !job["timeout-minutes"])).toEqual([]);
    const actions = stepsOf(file).flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  test.each(files)("%s runs scripts that package.json has", (file) => {
    const commands = stepsOf(file).flatMap(({ run = "" }) => [
      ...run.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g),
    ]);
    const names = commands.map(([, script, short]) => script ?? short ?? "");
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test("of each change installs what the lock file has and runs all tests", () => {
    const commands = stepsOf(".github/workflows/ci.yml").map(({ run }) => run);
    expect(commands).toEqual(expect.arrayContaining(["npm ci", "npm test"]));
  });
});

describe("the changelog", () => {
  test("has a dated section for the version of package.json, below what is not released", () => {
    const headings = changelog.match(/^## .*$/gm) ?? [];
    expect(headings[0]).toBe("## [Unreleased]");
    expect(headings[1]).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
    expect(headings[1]).toContain(`[${manifest.version}]`);
  });

  test("gives a release its notes: the section of its version, without the heading", () => {
    const { run = "" } =
      stepsOf(".github/workflows/release.yml").find(
        ({ name }) => name === "Take the notes from the changelog",
      ) ?? {};
    const notes = execFileSync("sh", ["-c", run.replace(/ > notes\.md\s*$/, "")], {
      encoding: "utf8",
      env: { ...process.env, VERSION: manifest.version },
    });
    const [, section = ""] = changelog.split(/^## \[\d.*$/m);
    expect(notes.trim().length).toBeGreaterThan(100);
    expect(notes.trim()).toBe(section.trim());
  });
});

test("the lock file has the version of package.json", () => {
  const lock: { version: string; packages: Record<string, { version?: string }> } = JSON.parse(
    sourceText("package-lock.json"),
  );
  expect([lock.version, lock.packages[""]?.version]).toEqual([manifest.version, manifest.version]);
});

test("the forms of issues are complete, and that of a bug warns against keys", () => {
  const forms = sourceFiles(/^\.github\/ISSUE_TEMPLATE\/(?!config)[\w-]+\.yml$/);
  expect(forms.map(({ path }) => path.split("/").at(-1))).toEqual(["bug.yml", "feature.yml"]);
  for (const { text } of forms) {
    const { name, description, body } = yamlOf(text) as IssueForm; // what it lacks fails below
    expect(name.length * description.length * body.length).toBeGreaterThan(0);
    const asked = body.filter(({ type }) => type !== "markdown");
    expect(asked.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
  }
  expect(sourceText(".github/ISSUE_TEMPLATE/bug.yml")).toContain("Paste no keys");
});
