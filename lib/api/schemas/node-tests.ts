import { z } from "zod";
import { nodeEntry } from "@/lib/config/file-schema";
import { modelKinds } from "@/lib/protocols/protocol";
import { nodeHints } from "@/lib/shared/node-hints";
import { atMost, characters, must } from "./fields";

const upstreamModel = characters(1, 256).describe("The upstream model");

/** Why a node did not do what it was asked for, as far as it can be derived from its answer or a missing answer. */
const nodeProblems = [
  "address",
  "unreachable",
  "closed",
  "private",
  "certificate",
  "timeout",
  "credential",
  "forbidden",
  "credit",
  "limited",
  "missing",
  "page",
  "redirect",
  "server",
  "refused",
  "broken",
] as const;

/** The result of one exchange with a node. Units: milliseconds. */
const nodeExchange = z.object({
  problem: z.enum(nodeProblems).nullable().describe("Null: the node answered as it should"),
  status: z.int().nullable().describe("Null: no response"),
  headersMs: z.int().nullable(),
  totalMs: z.int(),
  error: z.string().nullable().describe("The error message, without secrets"),
  hint: z
    .object({
      code: z.enum(nodeHints),
      value: z.string().nullable().describe("What to try; null: the hint has none"),
    })
    .nullable()
    .describe("What may have to be changed; null: nothing tells it"),
});

/** POST /api/admin/nodes/{id}/test: the answer. */
export const nodeTestResult = nodeExchange.extend({
  ok: z.boolean(),
  upstreamModel: z.string(),
  kind: z.enum(modelKinds).describe("What the model was asked for"),
  streamed: z.boolean().describe("It answered with a stream: it gives no whole answer"),
  sample: z.string().nullable(),
  dimensions: z.int().nullable().describe("The numbers of the embedding; null for any other answer"),
});

/** GET /api/admin/nodes/{id}/models. */
export const nodeModels = nodeExchange.extend({
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      kind: z.enum(modelKinds).describe("As the entry says, else by its id"),
      contextWindow: z.int().nullable().describe("Null: the list does not tell"),
    }),
  ),
  truncated: z.boolean().describe("The node has more models than are listed here"),
});

/** POST /api/admin/nodes/test: the answer. */
export const draftTestResult = nodeModels.extend({
  reachable: z.boolean(),
  authenticated: z
    .boolean()
    .nullable()
    .describe("Whether the node takes the key; null: not known, because it answers without one too"),
  access: z
    .object({
      kind: z.string(),
      principal: z.string().nullable().describe("Who the credential is"),
      token: z.string().describe("`ok`, or the code of what failed when a token or keys were asked for"),
      accepted: z
        .boolean()
        .nullable()
        .describe("Whether the node accepted the token or the signature; null: not known"),
    })
    .nullable()
    .describe("How far a credential of a cloud came; null: a key, or none"),
  test: nodeTestResult.nullable().describe("Null: no model was named, or the node is out of reach"),
});

const testedKind = z
  .enum(modelKinds, must("must be generation or embedding"))
  .describe("What to ask the model for; without it the models that the node serves decide, else the name");

/** POST /api/admin/nodes/{id}/test. */
export const nodeTestRequest = z.strictObject({ model: upstreamModel, kind: testedKind.optional() });

/** POST /api/admin/nodes/test. */
export const draftTestRequest = nodeEntry.omit({ name: true, enabled: true, maxConcurrency: true }).extend({
  nodeId: atMost(100).describe("Whose stored fields and stored key stand in for those that are absent"),
  model: upstreamModel,
  kind: testedKind,
});
