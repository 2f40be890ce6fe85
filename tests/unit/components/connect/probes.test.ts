import { expect, test } from "vitest";
import { probesOf } from "@/components/connect/probes";

test("a client is checked by what its protocol has: it counts tokens, or reads what is left of the quota", () => {
  expect(probesOf("openai-node")).toEqual(["models", "whole", "stream", "tools", "usage"]);
  expect(probesOf("claude-code")).toEqual(["models", "count", "whole", "stream", "tools"]);
  expect(probesOf("codex")).toEqual(["models", "count", "whole", "stream", "tools", "usage"]);
});
