import { describe, expect, test } from "vitest";
import { codexCatalogue } from "@/lib/gateway/show-models";
import { buildSnapshot } from "@/lib/router/catalog";
import { makeModel, makeNode, makeRoute } from "../router/factories";

describe("Codex's catalogue", () => {
  const snapshot = buildSnapshot({
    version: "1",
    nodes: [makeNode("chat"), makeNode("messages", { protocol: "messages" })],
    models: [
      makeModel("claude", {
        contextWindow: 200_000,
        routes: [makeRoute("messages", { upstreamModel: "claude-opus-4-6" })],
      }),
      makeModel("llama", {
        displayName: "Llama",
        profile: { imagesIn: false },
        routes: [makeRoute("chat", { upstreamModel: "llama-3" })],
      }),
      makeModel("vectors", { kind: "embedding", routes: [makeRoute("chat")] }),
    ],
    plans: [],
    nextPriceAt: null,
  });
  const { models } = codexCatalogue(snapshot, [...snapshot.models.values()]);

  test("names every model that generates with what its node takes", () => {
    expect(models.map(({ slug, display_name }) => [slug, display_name])).toEqual([
      ["claude", "claude"],
      ["llama", "Llama"],
    ]);
    const [claude, llama] = models;
    expect(claude).toMatchObject({ context_window: 200_000, supports_reasoning_summaries: true });
    expect(claude?.supported_reasoning_levels.map(({ effort }) => effort)).toContain("medium");
    expect(llama).toMatchObject({ default_reasoning_level: null, input_modalities: ["text"] });
  });

  test("has no effort that Codex does not know: it would refuse the whole catalogue", () => {
    const words = models.flatMap((model) => model.supported_reasoning_levels.map(({ effort }) => effort));
    for (const word of words) expect(["minimal", "low", "medium", "high", "xhigh"]).toContain(word);
  });
});
