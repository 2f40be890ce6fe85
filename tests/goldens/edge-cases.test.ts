import { describe, test } from "vitest";
import { goodStreams } from "../unit/protocols/fixtures";
import { Goldens } from "./golden-file";
import { answerEdges } from "./inputs/edge-answers";
import { chatEdges } from "./inputs/edge-requests-chat";
import { messagesEdges } from "./inputs/edge-requests-messages";
import { refusalBodies, secrets, shownTexts, statuses } from "./inputs/refusals";
import { models, overrides } from "./inputs/upstreams";
import { protocols, type Setting, type Upstream } from "./shapes";
import {
  cleanedGolden,
  profileGolden,
  refusalGolden,
  requestGolden,
  silenceGolden,
  versionGolden,
} from "./subject";
import { bytesOf, noteEveryWay, optionSets } from "./ways";

const settings: readonly Setting[] = ["standard", "lenient", "strict"];

/** Models that between them take each way of the conversions. */
const upstreams: readonly Upstream[] = [
  ...["some-model", "gpt-5.6", "deepseek-chat", "openai/gpt-5.2", "mistral-large-latest"].map((model) => ({
    protocol: "chat" as const,
    model,
  })),
  {
    protocol: "chat",
    model: "some-model",
    profile: { imageInToolMsg: true, cacheBreakpoint: true, structuredOutput: false },
  },
  { protocol: "messages", model: "some-model", profile: { serviceTier: false } },
  ...["some-model", "claude-sonnet-4-5", "claude-opus-4-8", "claude-sonnet-5-5"].map((model) => ({
    protocol: "messages" as const,
    model,
  })),
];

const versions = [
  undefined,
  "",
  " 2023-06-01 ",
  "2026-10-21",
  "2027-02-30",
  "2020-01-01",
  "new",
  "2023-13-01",
];

/** What stands in protocol 17. */
describe("the edge cases of the converters", () => {
  for (const [client, cases] of Object.entries({ chat: chatEdges, messages: messagesEdges })) {
    test(`that are requests of ${client} clients reach nodes as the same bytes, or are refused in the same words`, async () => {
      const goldens = new Goldens(`edge-${client}-requests`);
      for (const [name, input] of Object.entries(cases)) {
        await goldens.run(name, (note) => {
          // The largest body is refused before any node is looked at.
          for (const upstream of input.text.length > 100_000 ? upstreams.slice(0, 1) : upstreams) {
            for (const setting of settings) {
              const label = `${upstream.protocol} ${upstream.model} ${setting}`;
              note(label, requestGolden(input, upstream, setting));
            }
          }
        });
      }
      goldens.compare();
    });
  }

  test("that are answers give clients and bills the same", async () => {
    const goldens = new Goldens("edge-answers");
    for (const [name, { upstream, text, isBody, options = {} }] of Object.entries(answerEdges)) {
      const input = isBody ? { body: text } : bytesOf(text);
      await goldens.run(name, (note) => noteEveryWay(note, name, upstream, input, options));
    }
    for (const { name, upstream, sse } of goodStreams) {
      if (upstream === "gemini") continue; // its answers are compared with recordings
      await goldens.run(`${upstream} ${name}`, async (note) => {
        for (const [at, options] of optionSets.entries())
          await noteEveryWay(note, `${name}, options ${at}`, upstream, bytesOf(sse), options);
      });
    }
    goldens.compare();
  });

  test("that are refusals of nodes mean and show the same", async () => {
    const goldens = new Goldens("refusals");
    for (const [at, body] of refusalBodies.entries()) {
      await goldens.run(`refusal ${at}`, (note) => {
        for (const status of statuses) note(`${status}`, refusalGolden(status, body, secrets));
      });
    }
    for (const [at, text] of shownTexts.entries()) {
      await goldens.run(`text ${at}`, (note) => {
        for (const aboutRequest of [true, false])
          note(`${aboutRequest}`, cleanedGolden(text, secrets, aboutRequest));
      });
    }
    await goldens.run("silence", (note) => {
      for (const kind of ["connect", "timeout", "answer"] as const) note(kind, silenceGolden(kind));
    });
    goldens.compare();
  });
});

test("what sets models apart from their protocol's defaults, and how versions are read, is the same", () => {
  const goldens = new Goldens("profiles", "values");
  for (const protocol of protocols) {
    for (const model of [...models.chat, ...models.messages])
      goldens.keep(`${protocol} ${model}`, profileGolden({ protocol, model }));
    for (const [at, profile] of overrides.entries())
      goldens.keep(`${protocol} override ${at}`, profileGolden({ protocol, model: "some-model", profile }));
  }
  for (const version of versions) {
    const headers = ["anthropic-version", "provider-version"];
    goldens.keep(
      `version ${version}`,
      headers.map((header) => versionGolden({ [header]: version })),
    );
  }
  goldens.compare();
});
