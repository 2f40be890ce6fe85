import { expect, test } from "vitest";
import { messages as english } from "@/components/i18n/messages";
import { messages as chinese } from "@/components/i18n/zh-cn-messages";
import { ownMessage } from "@/components/logs/error-message";
import { callMessages, upstreamFailed } from "@/lib/kernel/error-messages";

const text = chinese.logs.detail;

/** Every message of the gateway, as the log has it. */
const logged = Object.entries(callMessages).map(([name, message]): [string, string] => {
  if (typeof message === "function") return [name, message("a-model")];
  const isWhole = name === "ourSide" || name === "notServing";
  return [name, isWhole ? message : upstreamFailed(message)];
});

test.each(logged)("%s is told in the reader's language", (_, message) => {
  const told = ownMessage(message, text);
  expect(told).toMatch(/\p{Script=Han}/u);
  expect(Object.values(english.logs.detail.ownMessages)).toContain(ownMessage(message, english.logs.detail));
});

test("a stream that broke off and a model without a node are told as that", () => {
  expect(ownMessage(upstreamFailed(callMessages.streamBroke), text)).toBe("节点的回答中途断开。");
  expect(ownMessage(callMessages.noNode("a-model"), text)).toBe("该模型没有可用节点。");
});

test("a message with a node's own words stays as it is", () => {
  expect(ownMessage(upstreamFailed("The server had an error."), text)).toBeNull();
  expect(ownMessage("Something `a-model`", text)).toBeNull();
  expect(ownMessage("", text)).toBeNull();
});
