import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { isPricedTool, pricedServices } from "@/lib/kernel/usage";
import {
  type ExtraField,
  extraFields,
  extraTools,
  type OtherPrice,
} from "@/lib/protocols/passes/extra-costs";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { allPrices, clientsOf, f, send } from "./extra-costs-support";
import { refusalOf } from "./support";

/** What a caller writes for a word of a field. */
function sampleOf(field: string, word: string): unknown {
  const [id = "", engine] = word.split(":");
  switch (field) {
    case "plugins":
      return [engine === undefined ? { id } : { id, pdf: { engine } }];
    case "modalities":
      return [word];
    case "audio":
      return { voice: "alloy", format: "wav" };
    case "web_search_options":
      return { search_context_size: "high" };
    case "search_parameters":
      return { mode: word };
    case "enable_search":
    case "enable_code_interpreter":
      return word !== "false";
    default:
      return word;
  }
}

const wordsThatCost: Readonly<Record<string, readonly string[]>> = {
  service_tier: ["priority", "flex", "batch", "fast", "ultrafast", "scale", "made_up"],
  serviceTier: ["priority", "flex", "batch", "made_up"],
  speed: ["fast", "made_up"],
  inference_geo: ["us", "eu"],
  plugins: ["web", "file-parser", "file-parser:mistral-ocr", "fusion", "made_up"],
  web_search_options: ["on"],
  search_parameters: ["on", "auto"],
  enable_search: ["true"],
  enable_code_interpreter: ["true"],
  modalities: ["audio", "image"],
  audio: ["on"],
};

const fieldCases = extraFields.flatMap((row) =>
  clientsOf(row).flatMap((client) =>
    (wordsThatCost[row.field] ?? []).map((word) => ({ client, word, field: row.field, row })),
  ),
);
const otherPrices = new Set<OtherPrice>([...pricedServices, "audioOutput", "imageOutput"]);
const priceOf = ({ words, otherWords }: ExtraField, word: string) => words[word] ?? otherWords;

describe("a field that costs extra", () => {
  test("has its sample here, so that no row goes untested", () => {
    for (const { field } of extraFields) expect(wordsThatCost[field], field).toBeDefined();
  });

  describe.each([false, true])("of a request with stream %s", (stream) => {
    test.each(fieldCases)("$client $field $word is left out with a warning", ({ client, word, field }) => {
      const { body, losses, offeredCalls } = send(client, { stream, [field]: sampleOf(field, word) });
      expect(body).not.toHaveProperty(field);
      expect(losses).toContain(`dropped:${field}`);
      expect(offeredCalls).toBeUndefined();
    });

    test.each(fieldCases)(
      "$client $field $word passes with a price, and only with one",
      ({ client, word, field, row }) => {
        const value = sampleOf(field, word);
        const { body, losses, offeredCalls } = send(
          client,
          { stream, [field]: value },
          { perCall: allPrices, extraPrices: otherPrices },
        );
        const price = priceOf(row, word);
        if (price === "never") {
          expect(body).not.toHaveProperty(field);
          expect(losses).toContain(`dropped:${field}`);
        } else {
          expect(body[field]).toEqual(value);
          const billed = isPricedTool(price) ? { tools: [price], maxCalls: 10 } : undefined;
          expect(offeredCalls).toEqual(billed);
        }
      },
    );
  });

  test.each(fieldCases)(
    "$client $field $word is a 400 under the strict setting",
    ({ client, word, field }) => {
      const fields = { [field]: sampleOf(field, word) };
      const error = refusalOf(() => send(client, fields, { compatibility: "strict" }));
      expect(error.details).toMatchObject({ param: field, alternative: "it is left out" });
    },
  );

  test.each(fieldCases)(
    "$client $field $word passes where the operator lets it",
    ({ client, word, field }) => {
      const value = sampleOf(field, word);
      const { body, losses } = send(client, { [field]: value }, { profile: { unpricedExtras: [field] } });
      expect(body[field]).toEqual(value);
      expect(losses).not.toContain(`dropped:${field}`);
    },
  );

  test.each(fieldCases)(
    "$client $field $word reaches no node of another protocol in any form, and nothing is silent",
    ({ client, word, field }) => {
      for (const node of protocolIds.filter((protocol) => protocol !== client)) {
        const fields = { [field]: sampleOf(field, word) };
        const profile = { serviceTier: true, webSearch: "web_search_20250305" };
        let losses: string[];
        try {
          const sent = send(client, fields, { node, profile });
          losses = sent.losses;
          expect(JSON.stringify(sent.body)).not.toMatch(/priority|fast|"us"|web_search|plugins|audio|image/);
        } catch {
          const error = refusalOf(() => send(client, fields, { node, profile }));
          expect(error.details.param).toBe(field);
          continue;
        }
        const isTier = field === "service_tier" || field === "serviceTier";
        const isChanged = node === "messages" && isTier && word === "priority";
        if (!isChanged) expect(losses.join()).toContain(field);
      }
    },
  );

  const free = extraFields.flatMap((row) =>
    Object.entries(row.words)
      .filter(([, price]) => price === "tokens")
      .flatMap(([word]) => clientsOf(row).map((client) => ({ client, word, field: row.field }))),
  );
  test.each(free)(
    "$client $field $word costs nothing extra and passes, strict too",
    ({ client, word, field }) => {
      const value = sampleOf(field, word);
      const { body, losses } = send(client, { [field]: value }, { compatibility: "strict" });
      expect(body[field]).toEqual(value);
      expect(losses).not.toContain(`dropped:${field}`);
    },
  );

  test("of a list only the entries go that cost extra, and a plugin finds no more than its price is for", () => {
    const plugins = [{ id: "response-healing" }, { id: "fusion" }, { id: "web", max_results: 50 }];
    const unpriced = send("chat", { plugins, modalities: ["text", "audio"], audio: { voice: "v" } });
    expect(unpriced.body).toMatchObject({ plugins: [plugins[0]], modalities: ["text"] });
    expect(unpriced.body).not.toHaveProperty("audio");
    expect(unpriced.losses).toEqual(["dropped:plugins", "dropped:modalities", "dropped:audio"]);
    const priced = send("chat", { plugins }, { perCall: { webSearch: 1n } });
    expect(priced.body.plugins).toEqual([plugins[0], { id: "web", max_results: 5 }]);
    expect(priced.losses).toEqual(["dropped:plugins", "clamped:plugins.max_results"]);
  });
});

const typesThatCost = [
  ...extraTools
    .filter(({ price }) => price !== "tokens")
    .flatMap((row) => clientsOf(row).map((client) => ({ client, type: row.type, price: row.price }))),
  ...protocolIds.flatMap((client) => [
    ...(client === "gemini" ? [] : [{ client, type: "web_search_20991231", price: "webSearch" }]),
    { client, type: "hologram_20270101", price: "never" },
  ]),
  { client: "messages" as const, type: "code_execution_20250825", price: "codeInterpreter" },
  { client: "messages" as const, type: "web_search_20260209", price: "webSearch" },
];

function toolOf(client: Protocol, type: string): JsonObject {
  if (type.startsWith("$")) return { type: "builtin_function", function: { name: type } };
  if (client === "gemini") return { [type]: {} };
  return client === "messages" ? { type, name: nameOf(type) } : { type };
}

function nameOf(type: string): string {
  return type.replace(/_\d{8}$/, "").replace(/\W/g, "_");
}

function choiceOf(client: Protocol, type: string): unknown {
  return client === "messages" ? { type: "tool", name: nameOf(type) } : toolOf(client, type);
}

describe("a tool that costs extra", () => {
  describe.each([false, true])("of a request with stream %s", (stream) => {
    test.each(typesThatCost)("$client $type is left out with a warning", ({ client, type }) => {
      const beside = send(client, { stream, tools: [f[client], toolOf(client, type)] });
      expect(beside.body.tools).toEqual([f[client]]);
      expect(beside.losses.join()).toContain(`dropped:${type.replace(/\$/, "_")}`);
      const alone = send(client, { stream, tools: [toolOf(client, type)] });
      expect(alone.body).not.toHaveProperty("tools");
      expect(alone.offeredCalls).toBeUndefined();
    });

    test.each(typesThatCost)(
      "$client $type passes with a price, and only with one",
      ({ client, type, price }) => {
        const tools = [f[client], toolOf(client, type)];
        const { body, offeredCalls } = send(client, { stream, tools }, { perCall: allPrices });
        if (price === "never") expect(body.tools).toEqual([f[client]]);
        else {
          expect(body.tools).toMatchObject(tools);
          expect(offeredCalls).toMatchObject({ tools: [price], maxCalls: 10 });
        }
      },
    );
  });

  test.each(typesThatCost)(
    "$client $type is a 400 when the model must call it, or under strict",
    ({ client, type }) => {
      const tools = [f[client], toolOf(client, type)];
      const param = client === "gemini" ? `tools[1].${type}` : "tools[1].type";
      const strict = refusalOf(() => send(client, { tools }, { compatibility: "strict" }));
      expect(strict.details).toMatchObject({ param, alternative: "such tools are left out" });
      if (client === "gemini") return; // its choice is one among functions
      const forced = refusalOf(() => send(client, { tools, tool_choice: choiceOf(client, type) }));
      expect(forced.details.param).toBe("tools[1].type");
      const required = client === "messages" ? { type: "any" } : "required";
      const only = refusalOf(() => send(client, { tools: [toolOf(client, type)], tool_choice: required }));
      expect(only.details.param).toBe("tools[0].type");
    },
  );

  test.each(typesThatCost)("$client $type passes where the operator lets it", ({ client, type }) => {
    const tools = [f[client], toolOf(client, type)];
    const { body, offeredCalls } = send(client, { tools }, { profile: { unpricedExtras: [type] } });
    expect(body.tools).toEqual(tools);
    expect(offeredCalls?.tools ?? []).toEqual([]);
  });

  const ownKinds = ["custom", "function", "namespace", "functionDeclarations"];
  const free = extraTools
    .filter(({ price, type }) => price === "tokens" && !ownKinds.includes(type))
    .flatMap((row) => clientsOf(row).map((client) => ({ client, type: row.type })));
  test.each(free)("$client $type costs tokens only and passes, strict too", ({ client, type }) => {
    const tools = [f[client], toolOf(client, type)];
    const { body, losses } = send(client, { tools }, { compatibility: "strict" });
    expect(body.tools).toEqual(tools);
    expect(losses.join()).not.toContain(type);
  });
});

describe("what is switched off costs nothing and passes, strict too", () => {
  test.each(protocolIds)("a plugin of %s, whatever it would find", (client) => {
    const plugins = [
      { id: "web", enabled: false, max_results: 50 },
      { id: "fusion", enabled: false },
    ];
    for (const perCall of [{}, allPrices]) {
      const sent = send(client, { plugins }, { compatibility: "strict", perCall });
      expect(sent.body.plugins).toEqual(plugins);
      expect(sent.losses.join()).not.toContain("plugins");
      expect(sent.offeredCalls).toBeUndefined();
    }
  });

  test.each([false, "False"])("a chat tool whose settings say enable %s", (enable) => {
    const tools = [{ type: "web_search", web_search: { enable, count: 5 } }];
    for (const perCall of [{}, allPrices]) {
      const sent = send("chat", { tools }, { compatibility: "strict", perCall });
      expect(sent.body.tools).toEqual(tools);
      expect(sent.losses).toEqual([]);
      expect(sent.offeredCalls).toBeUndefined();
    }
  });

  test("but not what is switched on beside it", () => {
    const plugins = [
      { id: "web", enabled: true },
      { id: "web", enabled: false },
    ];
    const tools = [
      { type: "web_search", web_search: { enable: true } },
      { type: "web_search", web_search: { enable: false } },
    ];
    const { body } = send("chat", { plugins, tools });
    expect(body).toMatchObject({ plugins: [plugins[1]], tools: [tools[1]] });
  });
});
