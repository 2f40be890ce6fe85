import { expect, test } from "vitest";
import type { LogEntry } from "@/components/api/types";
import { asCurl } from "@/components/logs/as-curl";

test("a copied call leaves room for the answer to another prompt", () => {
  const entry = (completionTokens: number) =>
    ({
      operation: "generate",
      protocol: "messages",
      model: "m",
      stream: false,
      completionTokens,
    }) as LogEntry;
  expect(asCurl(entry(1), "http://x")).toContain('"max_tokens":256');
  expect(asCurl(entry(900), "http://x")).toContain('"max_tokens":900');
});
