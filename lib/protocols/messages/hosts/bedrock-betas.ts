/** The beta flags that Bedrock takes; any other one is a refusal of the whole request. Source: docs/clouds.md#forms. */
const taken: ReadonlySet<string> = new Set([
  "compact-2026-01-12",
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "dev-full-thinking-2025-05-14",
  "effort-2025-11-24",
  "fine-grained-tool-streaming-2025-05-14",
  "interleaved-thinking-2025-05-14",
  "output-128k-2025-02-19",
  "token-efficient-tools-2025-02-19",
  "tool-examples-2025-10-29",
  "tool-search-tool-2025-10-19",
  "web-search-2025-03-05",
]);

/** Flags that Bedrock knows by another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"],
]);

/** The flags of a header `anthropic-beta` that Bedrock takes, by its names, and the others, each once. */
export function bedrockBetas(header: string | undefined): { kept: string[]; dropped: string[] } {
  const kept = new Set<string>();
  const dropped = new Set<string>();
  for (const part of header?.split(",") ?? []) {
    const flag = part.trim();
    if (flag === "") continue;
    const known = renamed.get(flag) ?? flag;
    if (taken.has(known)) kept.add(known);
    else dropped.add(flag);
  }
  return { kept: [...kept], dropped: [...dropped] };
}
