import { expect, test } from "vitest";
import { messages } from "@/components/i18n/zh-cn-messages";
import { ownMessage } from "@/components/logs/own-message";

const text = messages.logs.detail;

test("a fixed message of the gateway is told in the reader's language", () => {
  const broken = "The upstream failed: The upstream's stream broke off. Nothing was billed.";
  for (const message of [broken, "The upstream ended the answer early."])
    expect(ownMessage("UPSTREAM_ERROR", message, text)).toBe("节点的回答中途断开。");
  const none = "No node for the model `a-model` is available; nothing was billed.";
  expect(ownMessage("NO_AVAILABLE_NODE", none, text)).toBe("该模型没有可用节点。");
});

test("a message with a node's own words stays as it is", () => {
  const message = "The upstream failed: The server had an error. Nothing was billed.";
  expect(ownMessage("UPSTREAM_ERROR", message, text)).toBeNull();
  expect(ownMessage(null, "Something", text)).toBeNull();
});
