import type { logWarnings as source } from "../en/log-warnings";

export const logWarnings: typeof source = {
  warningKinds: {
    dropped: "已省略：{field}",
    clamped: "已限制到允许的范围：{field}",
    changed: "已修改：{field}",
    added: "已添加：{field}",
    usage: "上游的 Token 数不合理，已更正：{field}",
    unpriced_tier: "上游的服务层级没有价格，按标准价计费：{field}",
    unbilled_calls: "上游计数但未计费的工具调用：{field}",
    finish: "上游的结束原因没有对应值：{field}",
  },
  warningFields: {
    first_user_turn: "开头的用户消息",
    last_user_turn: "结尾的用户消息",
    tool_result: "缺失的工具调用结果",
    orphan_tool_result: "没有对应调用的工具结果",
    content_order: "内容的顺序",
    custom_tool_call: "自定义工具的调用",
  },
  warningCodes: {
    "clamped:max_tokens": "max_tokens 已降低到模型的输出上限",
    "clamped:temperature": "temperature 已降低到模型接受的上限",
    "clamped:thinking.budget_tokens": "thinking.budget_tokens 已调整到 Token 上限以内",
    "added:tools": "已添加：所调用工具的定义",
    "changed:pause": "已修改：上游暂停，回答到此结束",
    "version:unknown": "协议版本未知，按最新版本处理",
    "finish:unknown": "上游给出了未知的结束原因",
    "finish:missing": "上游没有给出结束原因",
    "finish:pause_turn": "上游暂停，回答到此结束",
    "finish:context_window": "模型上下文已满，回答到此结束",
    "tools:guessed": "上游未说明参数属于哪个工具调用，已归入最后一个",
    usage_implausible: "上游报告的输出 Token 数超过可能的数量，超出部分不计费",
  },
  implausible: "上游报告的输出 Token 数：{count}",
};
