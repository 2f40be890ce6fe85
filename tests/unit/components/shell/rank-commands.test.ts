import { expect, test } from "vitest";
import { shell } from "@/components/i18n/en/shell";
import { shell as shellZh } from "@/components/i18n/zh-cn/shell";
import { isWeakMatch, type Ranked, rankCommands, withGuides } from "@/components/shell/rank-commands";
import { nameAfter, rowsNamed, verbOf } from "@/components/shell/use-admin-records";

const page = (label: string, more: Partial<Ranked> = {}): Ranked => ({ label, keywords: "", ...more });
const labels = (commands: Ranked[], records: Ranked[], typed: string) =>
  rankCommands(commands, records, typed).map(({ label }) => label);

test("what is typed exactly comes first, then what begins with it, then words, then the middle of words", () => {
  const commands = [page("Billing", { elsewhere: true }), page("Client lines"), page("Linear")];
  const records = [page("a-lin-b"), page("lin", { note: "User" })];
  expect(labels(commands, records, "LIN ")).toEqual(["lin", "Linear", "Client lines", "a-lin-b", "Billing"]);
  expect(labels(commands, records, "")).toEqual([...commands, ...records].map(({ label }) => label));
});

test("of equal matches those of the space where the reader is come first", () => {
  const commands = [page("Settings", { elsewhere: true }), page("Admin: Settings", { name: "Settings" })];
  expect(labels(commands, [], "set")).toEqual(["Admin: Settings", "Settings"]);
});

test("entries with one name that show nothing of what is typed are there once", () => {
  const commands = [
    page("Usage", { keywords: "cost", elsewhere: true }),
    page("Admin: Usage", { name: "Usage", keywords: "cost" }),
    page("Cost", { elsewhere: true }),
  ];
  expect(labels(commands, [], "cost")).toEqual(["Cost", "Admin: Usage"]);
  expect(labels(commands, [], "usage")).toEqual(["Admin: Usage", "Usage"]);
});

test("a page of the docs whose title begins with what is typed precedes what only hidden words name", () => {
  const commands = [page("Docs", { keywords: "streaming errors" }), page("Stream log")];
  const guides = [page("Embeddings", { note: "no stream" }), page("Streaming")];
  const found = withGuides(rankCommands(commands, [], "stream"), guides, "stream");
  expect(found.map(({ label }) => label)).toEqual(["Stream log", "Streaming", "Docs", "Embeddings"]);
  expect(withGuides(commands, [], ""), "nothing is typed").toEqual(commands);
});

test("a match in the middle of a word is weak: a record may be meant", () => {
  expect(isWeakMatch(page("Billing"), "lin")).toBe(true);
  expect(isWeakMatch(page("Add user"), "user")).toBe(false);
});

test("a text that begins with what an admin does asks for it, also before a name follows", () => {
  expect(verbOf("suspend alice", shell.verbs)).toEqual({ verb: "suspend", name: "alice" });
  expect(verbOf("grant quota to al b", shell.verbs)).toEqual({ verb: "grant", name: "al b" });
  expect(verbOf("disable node-1", shell.verbs)).toEqual({ verb: "drain", name: "node-1" });
  expect(verbOf("停用账户 alice", shellZh.verbs)).toEqual({ verb: "suspend", name: "alice" });
  expect(verbOf("停用用户 alice", shellZh.verbs)).toEqual({ verb: "suspend", name: "alice" });
  expect(verbOf("Suspend ", shell.verbs)).toEqual({ verb: "suspend", name: "" });
  for (const typed of ["suspend", "suspended", "alice"]) expect(verbOf(typed, shell.verbs), typed).toBeNull();
});

test("a text that begins with logs asks for those of the name that follows, and finds them first", () => {
  const after = (typed: string) => nameAfter(typed, shell.logsOf.words);
  expect(["logs gpt", "logs of my key", "logs", "logs ", "logsgpt"].map(after)).toEqual([
    "gpt",
    "my key",
    null,
    "",
    null,
  ]);
  expect(nameAfter("日志 gpt", shellZh.logsOf.words)).toBe("gpt");
  const records = [page("Logs of gpt-x"), page("日志 gpt-x")];
  for (const [index, typed] of ["logs gpt", "日志 gpt"].entries()) {
    const record = records[index] ?? page("");
    expect(isWeakMatch(record, typed), typed).toBe(false);
  }
});

test("a word with a typing error finds the entries that it almost names, while nothing is named exactly", () => {
  const commands = [
    page("Users"),
    page("Usage"),
    page("Playground"),
    page("Logs"),
    page("Add node"),
    page("Language"),
  ];
  expect(labels(commands, [], "usge")).toEqual(["Usage", "Users"]);
  expect(labels(commands, [], "playgrond")).toEqual(["Playground"]);
  expect(labels(commands, [], "add noed")).toEqual(["Add node"]);
  expect(labels(commands, [], "lgs"), "short words are taken as they are").toEqual([]);
  expect(labels(commands, [page("usge-key")], "usge"), "a record has that name").toEqual(["usge-key"]);
  expect(isWeakMatch(page("Usage"), "usge"), "a record that is still searched for may be meant").toBe(true);
});

test("a record with a typing error in its name is found where no other has the text, and hides no page", () => {
  const rows = ["platform", "plato", "maria"].map((username) => ({ username }));
  const found = (typed: string) =>
    rowsNamed(rows, typed, ({ username }) => [username]).map((row) => [row.username, row.guessed]);
  expect(found("plat")).toEqual([
    ["platform", false],
    ["plato", false],
  ]);
  expect(found("platfrom")).toEqual([["platform", true]]);
  expect(found("mariaa")).toEqual([["maria", true]]);
  expect(found("zzzz")).toEqual([]);
  expect(labels([page("Rehearsal")], [page("rehearser", { guessed: true })], "rehersal")).toEqual([
    "Rehearsal",
    "rehearser",
  ]);
});
