import { expect, test } from "vitest";
import { draftOf, lacksKey } from "@/components/admin/nodes/node-draft";
import type { NodeView } from "@/components/api/admin/types";

const remote = { ...draftOf(null), baseUrl: "https://api.example.com/v1" };
// The function reads only this of a stored node.
const stored = (hasApiKey: boolean) => ({ hasApiKey, credential: { kind: "key" } }) as NodeView;

test("a node of the internet without a key or a header is asked about, once its address is complete", () => {
  expect(lacksKey(remote, null)).toBe(true);
  expect(lacksKey({ ...remote, apiKey: "sk-1" }, null)).toBe(false);
  expect(lacksKey({ ...remote, headers: "x-key: 1" }, null)).toBe(false);
  expect(lacksKey({ ...remote, baseUrl: "http://127.0.0.1:11434/v1" }, null)).toBe(false);
  expect(lacksKey({ ...remote, baseUrl: "https://{resource}.example.com" }, null)).toBe(false);
});

test("a stored node is asked about only when its key is removed", () => {
  expect(lacksKey(remote, stored(true))).toBe(false);
  expect(lacksKey({ ...remote, clearKey: true }, stored(true))).toBe(true);
  expect(lacksKey(remote, stored(false))).toBe(false);
});
