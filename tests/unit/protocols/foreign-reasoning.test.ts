import { describe, expect, test } from "vitest";
import { isAboutReasoning } from "@/lib/protocols/failures/foreign-reasoning";
import { protocols } from "@/lib/protocols/registry";

const refusal = (message: string, status = 400, code: string | null = null) => ({
  status,
  type: "invalid_request_error",
  code,
  message,
  param: null,
});

/** Source: docs/responses.md#s3-3. */
describe("reasoning that another account or vendor has sealed", () => {
  test.each([
    "The encrypted content for item rs_0a1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    "Could not decrypt the provided encrypted_content. Ensure the value is the unmodified encrypted_content from a previous response.",
    "Could not decode the compaction blob. Ensure it is unmodified from the compact response.",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "messages.1.content.0: Invalid signature in thinking block (Service: BedrockRuntime, Status Code: 400)",
    "messages.3.content.1: Invalid `data` in `redacted_thinking` block",
    "The model returned the following errors: messages.369.content.0.thinking.signature: Field required",
    "messages.1.content.0.thinking.signature.str: Input should be a valid string",
    "Corrupted thought signature.",
    "Invalid thought signature.",
    "Unable to submit request because Thought signature is not valid.",
    "Function call is missing a thought_signature in functionCall parts.",
  ])("is known by the vendor's words: %s", (message) => {
    expect(isAboutReasoning(refusal(message))).toBe(true);
    expect(isAboutReasoning(refusal(message, 500))).toBe(false);
  });

  test.each([
    "messages.1.content.0: Invalid `type` in `text` block",
    "Invalid signature of the request",
    "max_tokens must be greater than thinking.budget_tokens",
  ])("is not what %s is about", (message) => {
    expect(isAboutReasoning(refusal(message))).toBe(false);
  });

  const user = (content: unknown) => ({ role: "user", content });
  const assistant = (...content: unknown[]) => ({ role: "assistant", content });
  const thinking = { type: "thinking", thinking: "t", signature: "S" };
  const call = { type: "tool_use", id: "toolu_1", name: "go", input: {} };

  test("is left out of a messages body; a loop that has lost it goes on without", () => {
    const without = protocols.messages.withoutReasoning;
    const loop = user([{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }]);
    const body = {
      thinking: { type: "enabled", budget_tokens: 1024 },
      messages: [user("a"), assistant(thinking), user("b"), assistant(thinking, call), loop],
    };
    expect(without?.(body)).toEqual({ messages: [user("a"), user("b"), assistant(call), loop] });
    const edits = [{ type: "clear_thinking_20251015" }, { type: "clear_tool_uses_20250919" }];
    expect(without?.({ ...body, context_management: { edits } })?.context_management).toEqual({
      edits: edits.slice(1),
    });
    expect(without?.({ ...body, context_management: { edits: edits.slice(0, 1) } })).toEqual(without?.(body));
    const done = { ...body, messages: [...body.messages.slice(0, 4), user("c")] };
    expect(without?.(done)).toMatchObject({ thinking: body.thinking });
    expect(without?.({ messages: [user("a"), assistant(call)] })).toBeNull();
  });

  test("is left out of a chat body; a signed call gets the stand-in", () => {
    const without = protocols.chat.withoutReasoning;
    const signed = (thought_signature: string) => ({
      id: "call_1",
      type: "function",
      function: { name: "go", arguments: "{}" },
      extra_content: { google: { thought_signature } },
    });
    const said = { role: "assistant", content: "a", reasoning_content: "r" };
    const sealed = {
      reasoning_details: [{ type: "reasoning.text", signature: "S" }],
      thinking_blocks: [thinking],
    };
    const body = { messages: [user("a"), { ...said, ...sealed, tool_calls: [signed("S")] }] };
    const kept = {
      messages: [user("a"), { ...said, tool_calls: [signed("skip_thought_signature_validator")] }],
    };
    expect(without?.(body)).toEqual(kept);
    expect(without?.(kept)).toBeNull();
  });
});
