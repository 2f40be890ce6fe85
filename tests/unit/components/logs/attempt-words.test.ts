import { expect, test } from "vitest";
import { messages } from "@/components/i18n/zh-cn-messages";
import { nodeText, reasonText, resultOf, resultText } from "@/components/logs/attempt-text";

const text = messages.logs.detail;

test("results, reasons and ordinals of attempts are said in the reader's language", () => {
  expect(resultText("connect", text)).toBe("无法连接");
  expect(reasonText("priority 0, weight 100; trial of a half-open circuit", text)).toBe(
    "优先级 0，权重 100 · 熔断半开时的试探请求",
  );
  expect(nodeText("node 2", text)).toBe("节点 2");
});

test("what is not known stays as it is", () => {
  expect(resultText("melted", text)).toBe("melted");
  expect(reasonText("priority 1, weight 5; something new", text)).toBe("优先级 1，权重 5 · something new");
  expect(nodeText("openai-main", text)).toBe("openai-main");
});

test("an attempt that began well is shown as broken off when its request was interrupted", () => {
  expect(resultText(resultOf({ result: "ok" }, "interrupted"), text)).toBe("中途断开");
  expect(resultOf({ result: "ok" }, "success")).toBe("ok");
  expect(resultOf({ result: "server" }, "interrupted")).toBe("server");
});
