import { expect, test } from "vitest";
import { isWeakMatch, type Ranked, rankCommands } from "@/components/shell/rank-commands";

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

test("a match in the middle of a word is weak: a record may be meant", () => {
  expect(isWeakMatch(page("Billing"), "lin")).toBe(true);
  expect(isWeakMatch(page("Add user"), "user")).toBe(false);
});
