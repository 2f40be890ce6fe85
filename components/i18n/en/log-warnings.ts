/** What was changed or left out of a request, in the details of the log. */
export const logWarnings = {
  warningKinds: {
    dropped: "Left out: {field}",
    clamped: "Brought into the allowed range: {field}",
    changed: "Changed: {field}",
    added: "Added: {field}",
    usage: "A token count of the provider made no sense and was corrected: {field}",
    unpriced_tier: "Service tier of the provider without a price, billed as standard: {field}",
    unbilled_calls: "Calls of tools that the provider counted and that are not billed: {field}",
    finish: "The provider gave a reason for the end that has no equal: {field}",
  },
  warningFields: {
    first_user_turn: "a first message of the user",
    last_user_turn: "a last message of the user",
    tool_result: "a missing result of a tool call",
    orphan_tool_result: "a tool result without its call",
    content_order: "the order of the contents",
    custom_tool_call: "a call of a custom tool",
  },
  warningCodes: {
    "clamped:max_tokens": "max_tokens was lowered to the most that the model can give",
    "clamped:temperature": "temperature was lowered to the most that the model takes",
    "clamped:thinking.budget_tokens": "thinking.budget_tokens was changed to fit below the token limit",
    "added:tools": "Added: definitions of the tools that were called",
    "changed:pause": "Changed: the provider paused, and the answer ends there",
    "version:unknown": "The protocol version is not known and was read as the newest",
    "finish:unknown": "The provider gave an unknown reason for the end of its answer",
    "finish:missing": "The provider gave no reason for the end of its answer",
    "finish:pause_turn": "The provider paused, and the answer ends there",
    "finish:context_window": "The answer ended because the model's context was full",
    "tools:guessed":
      "The provider did not say which tool call its arguments belong to; the last one was taken",
    usage_implausible:
      "The provider claimed more output tokens than it can have made; the rest is not billed",
  },
  implausible: "Output tokens that the provider claimed: {count}",
};
