import { expect, test } from "vitest";
import type { LogDetail } from "@/components/api/types";
import { makeFormat } from "@/components/i18n/format";
import { messages } from "@/components/i18n/zh-cn-messages";
import { nodeText, reasonText, resultOf, resultText } from "@/components/logs/attempt-text";
import { barsOf } from "@/components/logs/waterfall";

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

test("the timeline says what was waited for between its bars", () => {
  const attempt = (n: number, startedMs: number, result: string) => ({
    n,
    node: `node ${n}`,
    startedMs,
    totalMs: 100,
    result,
    upstreamStatus: 200,
    firstEventMs: null,
    headersMs: null,
    reason: "",
  });
  const entry = {
    stream: false,
    status: "success",
    timeline: [{ stage: "auth", startMs: 0, endMs: 5 }],
    attempts: [attempt(1, 620, "server"), attempt(2, 900, "ok")],
  };
  const bars = barsOf(entry as LogDetail, text, makeFormat("zh-CN", "UTC", "compact", Date.now));
  expect(bars.map(({ name }) => name)).toEqual([
    text.stages.auth,
    text.waits.gateway.name,
    "第 1 次尝试：节点 1",
    text.waits.pause.name,
    "第 2 次尝试：节点 2",
  ]);
});

test("no attempt is awaited after the last one has failed", () => {
  const failed = { n: 1, node: "node 1", startedMs: 4, totalMs: 12, result: "connect", reason: "" };
  const entry = {
    stream: false,
    status: "error",
    timeline: [{ stage: "settle", startMs: 340, endMs: 342 }],
    attempts: [{ ...failed, upstreamStatus: null, firstEventMs: null, headersMs: null }],
  };
  const bars = barsOf(entry as LogDetail, text, makeFormat("zh-CN", "UTC", "compact", Date.now));
  expect(bars.map(({ name }) => name).slice(1)).toEqual([text.waits.gateway.name, text.stages.settle]);
});
