import type { Random } from "../random";
import type { JsonObject } from "../shapes";
import { base64, cacheMark, callId, image, text, toolName, url } from "./parts";
import { opaque, signature } from "./replay-tags";

/** The turns of a messages request: calls and results, thinking, server tools, system turns, gaps and leftovers. */
export function messagesHistory(random: Random): JsonObject[] {
  const rounds = random.chance(0.01) ? 15 : 1 + random.below(4);
  const turns: JsonObject[] = [];
  let open: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const user = userTurn(random, open);
    if (open.length > 0 && random.chance(0.04)) turns.push(systemTurn(random));
    if (!random.wrong(0.1)) turns.push(user);
    if (random.chance(0.08)) turns.push(systemTurn(random));
    if (open.length === 0 && random.chance(0.05)) turns.push(userTurn(random, []));
    open = [];
    if (round === rounds - 1 && random.chance(0.85)) break;
    const calls = random.chance(0.5) ? random.many(1, random.chance(0.1) ? 6 : 3, () => toolUse(random)) : [];
    turns.push(assistantTurn(random, calls));
    open = calls.map(({ id }) => String(id));
  }
  if (open.length > 0 && !random.wrong(0.2)) turns.push(userTurn(random, open));
  return turns.length > 0 ? turns : [userTurn(random, [])];
}

function userTurn(random: Random, open: readonly string[]): JsonObject {
  if (open.length === 0 && random.chance(0.5)) return { role: "user", content: text(random) };
  const answered = open.filter(() => !random.wrong(0.1)).map((id) => toolResult(random, id));
  const extra = random.wrong(0.1)
    ? [toolResult(random, open[0] ?? "orphan"), toolResult(random, "orphan")].slice(random.below(2))
    : [];
  const own = random.many(open.length > 0 ? 0 : 1, open.length > 0 ? 1 : 3, () => userBlock(random));
  const blocks = [...answered, ...extra, ...own];
  return { role: "user", content: random.chance(0.85) ? blocks : random.shuffled(blocks) };
}

function systemTurn(random: Random): JsonObject {
  const content = random.make<unknown>(
    () => text(random),
    () => [{ type: "text", text: text(random), ...cacheMark(random) }],
    () => [
      { type: "tool_removal", tool: { name: toolName(random) } },
      { type: "text", text: "gone" },
    ],
    () => [
      { type: "tool_removal", tool: { tool_name: "f" } },
      { type: "tool_addition", tool: { name: "f" } },
    ],
    () => [{ type: "tool_removal", tool: "odd" }],
    () => [{ type: "text", text: "x-anthropic-billing-header: a\nrest" }],
  );
  return { role: "system", content };
}

function userBlock(random: Random): JsonObject {
  const block = random.make<JsonObject>(
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "image", source: imageSource(random) }),
    () => document(random),
    () => ({
      type: "search_result",
      title: "T",
      source: "s",
      content: [{ type: "text", text: "found" }, { x: 1 }],
    }),
    () => rareBlock(random),
  );
  return { ...block, ...cacheMark(random) };
}

function imageSource(random: Random): unknown {
  const { type, data } = image(random);
  return random.pick<unknown>([
    { type: "base64", media_type: type, data },
    { type: "base64", media_type: type, data },
    { type: "base64", media_type: type, data },
    { type: "url", url: url(random) },
    { type: "url", url: "https://example.com/i.png" },
    random.usual<unknown>(
      [{ type: "base64", media_type: type, data }],
      [{ type: "file", file_id: "file_1" }, { type: "base64", data }, "odd"],
    ),
  ]);
}

function document(random: Random): JsonObject {
  const source = random.make<unknown>(
    () => ({ type: "base64", media_type: "application/pdf", data: base64(random, "application/pdf") }),
    () => ({ type: "text", media_type: "text/plain", data: text(random) }),
    () => ({
      type: "content",
      content: [
        { type: "text", text: "inner" },
        { type: "image", source: imageSource(random) },
      ],
    }),
    () => ({ type: "content", content: random.pick(["words", ""]) }),
    () =>
      random.usual<unknown>(
        [{ type: "text", data: "d" }],
        [{ type: "url", url: "https://example.com/a.pdf" }, { type: "file" }, null, { type: "base64" }],
      ),
  );
  return {
    type: "document",
    source,
    ...random.maybe(0.5, () => ({ title: random.pick<unknown>(["Title", "", null]) })),
    ...random.maybe(0.2, () => ({ context: "context" })),
    ...random.maybe(0.2, () => ({ citations: { enabled: random.chance(0.6) } })),
  };
}

function rareBlock(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { type: "container_upload", file_id: "f" },
    { type: "compaction", content: "earlier" },
    { type: "compaction", content: null },
    { type: "mcp_tool_listing" },
    { type: "text", text: "cited", citations: [{ type: "char_location" }] },
    { type: "text", text: "cited", citations: [] },
    { type: "search_result", source: "s" },
    random.usual<JsonObject>([{ type: "fallback" }], [{ type: "hologram" }, { type: "text" }]),
  ]);
}

function toolUse(random: Random): JsonObject {
  const made: JsonObject = {
    type: "tool_use",
    id: callId(random),
    name: toolName(random),
    input: random.pick<unknown>([{ a: 1 }, {}, { deep: { b: [true, null] } }, null]),
    ...cacheMark(random),
  };
  if (random.wrong(0.02)) delete made.id;
  if (random.wrong(0.02)) made.name = "";
  return made;
}

function toolResult(random: Random, id: string): JsonObject {
  const content = random.make<JsonObject>(
    () => ({ content: text(random) }),
    () => ({ content: text(random) }),
    () => ({ content: random.many(0, 3, () => resultBlock(random)) }),
    () => ({}),
  );
  return {
    type: "tool_result",
    tool_use_id: id,
    ...content,
    ...random.maybe(0.15, () => ({ is_error: random.chance(0.7) })),
    ...cacheMark(random),
  };
}

function resultBlock(random: Random): JsonObject {
  return random.make<JsonObject>(
    () => ({ type: "text", text: text(random), ...cacheMark(random) }),
    () => ({ type: "image", source: imageSource(random) }),
    () => document(random),
    () => ({ type: "search_result", title: "T", source: "s", content: [{ type: "text", text: "found" }] }),
    () =>
      random.pick<JsonObject>([
        { type: "tool_reference", tool_name: "f" },
        { type: "tool_reference", name: "g" },
      ]),
    () => ({ type: "browser_state", url: "https://example.com" }),
  );
}

function assistantTurn(random: Random, calls: readonly JsonObject[]): JsonObject {
  if (calls.length === 0 && random.chance(0.4)) return { role: "assistant", content: text(random) };
  const thinking = random.chance(0.35) ? random.many(1, 2, () => thought(random)) : [];
  const words = random.many(calls.length > 0 ? 0 : 1, 2, () =>
    random.chance(0.75) ? { type: "text", text: text(random), ...cacheMark(random) } : serverBlock(random),
  );
  const late = calls.length > 0 && random.chance(0.08) ? [{ type: "text", text: "and after" }] : [];
  return { role: "assistant", content: [...thinking, ...words, ...calls, ...late] };
}

function thought(random: Random): JsonObject {
  return random.pick<JsonObject>([
    { type: "thinking", thinking: "because", signature: "c2ln" },
    { type: "thinking", thinking: "because", signature },
    { type: "thinking", thinking: "", signature: "c2ln" },
    { type: "thinking", thinking: "unsigned" },
    { type: "thinking", signature: "c2ln" },
    { type: "redacted_thinking", data: "b64==" },
    { type: "redacted_thinking", data: opaque },
    { type: "redacted_thinking", data: "gw1.forged.b64==" },
    { type: "redacted_thinking", data: "gw1.short" },
    { type: "redacted_thinking" },
  ]);
}

function serverBlock(random: Random): JsonObject {
  const found = [{ type: "web_search_result", title: "T", url: "https://example.com" }, { x: 1 }, 7];
  const page = {
    type: "web_fetch_result",
    url: "u",
    content: { source: { type: "text", data: "page" }, title: "P" },
  };
  return random.pick<JsonObject>([
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } },
    { type: "mcp_tool_use", id: "m", name: "x" },
    { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: found },
    { type: "web_search_tool_result", content: { error_code: "unavailable" } },
    { type: "web_fetch_tool_result", content: page },
    { type: "tool_search_tool_result", content: { tool_references: [{ tool_name: "f" }, { name: "g" }] } },
    { type: "tool_search_tool_result", content: [] },
    { type: "code_execution_tool_result", content: { stdout: "out", stderr: "err", content: "" } },
    { type: "bash_code_execution_tool_result", content: { error_code: "timeout" } },
    { type: "text_editor_code_execution_tool_result", content: "odd" },
    { type: "mcp_tool_result", content: [{ type: "text", text: "t" }, "s", 7] },
    { type: "advisor_tool_result", content: { error_code: "e" } },
    { type: "compaction", content: "earlier" },
    { type: "container_upload" },
    { type: "fallback" },
    { type: "image", source: {} },
    { type: "document", source: { type: "text", data: "d" } },
    { type: "text", text: "cited", citations: [{}] },
    random.usual<JsonObject>([{ type: "fallback" }], [{ type: "hologram" }, { type: "text" }]),
  ]);
}
