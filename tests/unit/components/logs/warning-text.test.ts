import { expect, test } from "vitest";
import { messages as english } from "@/components/i18n/messages";
import { messages as chinese } from "@/components/i18n/zh-cn-messages";
import { warningText } from "@/components/logs/warning-text";

test("what was changed or left out of a request is told in plain words", () => {
  const told = (code: string) => warningText(code, english.logs.detail);
  expect(told("added:max_tokens:4096")).toBe("Added: max_tokens = 4096");
  expect(told("dropped:messages[2].name")).toBe("Left out: messages[2].name");
  expect(told("clamped:top_p")).toBe("Brought into the allowed range: top_p");
  expect(told("clamped:max_tokens")).toBe("max_tokens was lowered to the most that the model can give");
  expect(told("added:last_user_turn")).toBe("Added: a last message of the user");
  expect(told("usage_implausible:output=9000")).toBe("Output tokens that the provider claimed: 9000");
  expect(warningText("added:max_tokens:4096", chinese.logs.detail)).toBe("已添加：max_tokens = 4096");
});

test("a warning of an unknown kind keeps its code", () => {
  for (const code of ["melted:seed", "odd"]) expect(warningText(code, english.logs.detail)).toBe(code);
});
