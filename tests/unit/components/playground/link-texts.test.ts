import { describe, expect, test } from "vitest";
import { fragmentOf, textsOf } from "@/components/playground/link-texts";

describe("the texts of a link", () => {
  test.each([
    {
      system: "Be brief: 50% of it, #1 & “简短”。",
      tools: '[{"name": "weather"}]',
      stop: "END\n\\n\\n",
      schema: "{}",
    },
    { system: "", tools: "[", stop: "", schema: "" },
    { system: "", tools: "", stop: "END", schema: "" },
  ])("come out as they went in, in what browsers keep to themselves: %j", (texts) => {
    const fragment = fragmentOf(texts);
    expect(fragment).toMatch(/^#[\w=%!'()*.~-]+$/);
    expect(textsOf(fragment ?? "")).toEqual(texts);
  });

  test("need no fragment while there are none, and are left out when a link would be too long", () => {
    expect(fragmentOf({ system: "", tools: "", stop: "", schema: "" })).toBe("");
    expect(fragmentOf({ system: "a".repeat(6_000), tools: "", stop: "", schema: "" })).toBeNull();
  });

  test("of a link without stop sequences are read", () => {
    expect(textsOf("#texts=%7B%22system%22%3A%22a%22%2C%22tools%22%3A%22%22%7D")).toEqual({
      system: "a",
      tools: "",
      stop: "",
      schema: "",
    });
  });

  test.each(["", "#main", "#texts=", "#texts=%", "#texts=%7B%22system%22", "#texts=%7B%22system%22%3A1%7D"])(
    "of %j are none",
    (fragment) => {
      expect(textsOf(fragment)).toBeNull();
    },
  );
});
