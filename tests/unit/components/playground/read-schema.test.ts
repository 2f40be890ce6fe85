import { expect, test } from "vitest";
import { readSchema } from "@/components/playground/read-schema";

test("a JSON schema is an object, and what is wrong with it has a place", () => {
  expect(readSchema(" ")).toEqual({ schema: null });
  expect(readSchema('{"type": "object"}')).toEqual({ schema: { type: "object" } });
  expect(readSchema("[]")).toEqual({ problem: { kind: "object" } });
  expect(readSchema('{"a": b}')).toMatchObject({ problem: { kind: "json", line: 1, column: 7 } });
  expect(readSchema("{")).toMatchObject({ problem: { kind: "jsonEnd" } });
});
