import { expect, test } from "vitest";
import { messages } from "@/components/i18n/zh-cn-messages";
import { nodeWords, reasonWords, resultWords } from "@/components/logs/attempt-words";

const text = messages.logs.detail;

test("results, reasons and ordinals of attempts are said in the reader's language", () => {
  expect(resultWords("connect", text)).toBe("无法连接");
  expect(reasonWords("priority 0, weight 100; trial of a half-open circuit", text)).toBe(
    "优先级 0，权重 100 · 半开熔断的试探",
  );
  expect(nodeWords("node 2", text)).toBe("节点 2");
});

test("what is not known stays as it is", () => {
  expect(resultWords("melted", text)).toBe("melted");
  expect(reasonWords("priority 1, weight 5; something new", text)).toBe("优先级 1，权重 5 · something new");
  expect(nodeWords("openai-main", text)).toBe("openai-main");
});
