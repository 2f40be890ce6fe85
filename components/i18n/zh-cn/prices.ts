import type { Messages } from "../messages";

export const prices: Messages["prices"] = {
  kinds: {
    input: "输入",
    cacheRead: "缓存读取",
    cacheWrite: "缓存写入",
    cacheWrite1h: "缓存写入（1 小时）",
    audioInput: "音频输入",
    imageInput: "图像输入",
    output: "输出",
    reasoning: "推理",
    audioOutput: "音频输出",
    imageOutput: "图像输出",
  },
  perRequest: "每次请求",
  services: { priority: "优先", flex: "弹性", batch: "批量" },
  above: "超过 {tokens} 个 Token",
  aboveOf: "{name}，超过 {tokens} 个 Token",
  window: "{days} {from}–{to}（{zone}）",
  everyDay: "每天",
  days: "{first}至{last}",
  dayGap: "、",
  factor: "{name} × {factor}",
  own: "{name}：{prices}",
};
