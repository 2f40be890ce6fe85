import { z } from "zod";
import { clientPaths } from "@/lib/protocols/protocol";
import { responsesAnswer } from "./answer-schemas";
import type { ApiOperation } from "./operation";

const item = z.looseObject({ id: z.string(), type: z.string() });

const itemList = z.object({
  object: z.literal("list"),
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

const itemQuery = z.object({
  limit: z
    .string()
    .regex(/^(0{0,2}[1-9]|0?[1-9]\d|100)$/)
    .optional()
    .describe("At most this many, 1 to 100; default 20"),
  order: z.enum(["asc", "desc"]).optional().describe("Default `desc`: the newest first"),
  after: z.string().optional().describe("Id of the item before the page"),
});

const compaction = z.looseObject({
  id: z.string(),
  object: z.literal("response.compaction"),
  created_at: z.int(),
  output: z.array(z.object({ type: z.literal("compaction"), id: z.string(), encrypted_content: z.string() })),
});

const deleted = z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) });
const counted = z.object({ object: z.literal("response.input_tokens"), input_tokens: z.int().min(0) });

const RESPONSE_ID = "resp_019aa3f2c1d87e4b9f0a6c5d4e3b2a10";
const ITEM_ID = "msg_019aa3f2c1d87e4b9f0a6c5d4e3b2a10";

const path = clientPaths.responses;
const own = { tag: "Model API", caller: "key" } as const;
const storedErrors = ["NOT_FOUND", "RATE_LIMITED"] as const;

/** What a Responses client calls besides the generation. Source: docs/responses.md#s5. */
export const responsesOperations: ApiOperation[] = [
  {
    ...own,
    method: "get",
    path: `${path}/{id}`,
    id: "getResponse",
    summary: "Show a stored response",
    description: "Responses are kept for `RESPONSES_STORE_HOURS`, sealed under the key that made them.",
    success: {
      status: 200,
      description: "The response",
      schema: responsesAnswer,
      example: {
        id: RESPONSE_ID,
        object: "response",
        created_at: 1763700000,
        status: "completed",
        model: "demo-chat",
        output: [
          {
            id: ITEM_ID,
            type: "message",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text: "Hello!", annotations: [] }],
          },
        ],
      },
    },
    errors: ["INVALID_REQUEST", ...storedErrors],
  },
  {
    ...own,
    method: "delete",
    path: `${path}/{id}`,
    id: "deleteResponse",
    summary: "Delete a stored response",
    success: {
      status: 200,
      description: "It is deleted",
      schema: deleted,
      example: { id: RESPONSE_ID, object: "response", deleted: true },
    },
    errors: [...storedErrors],
  },
  {
    ...own,
    method: "get",
    path: `${path}/{id}/input_items`,
    id: "listInputItems",
    summary: "List the input items of a stored response",
    query: itemQuery,
    success: {
      status: 200,
      description: "One page",
      schema: itemList,
      example: {
        object: "list",
        data: [
          {
            id: ITEM_ID,
            type: "message",
            role: "user",
            content: [{ type: "input_text", text: "Say hello." }],
          },
        ],
        first_id: ITEM_ID,
        last_id: ITEM_ID,
        has_more: false,
      },
    },
    errors: ["INVALID_REQUEST", ...storedErrors],
  },
  {
    ...own,
    method: "post",
    path: `${path}/{id}/cancel`,
    id: "cancelResponse",
    summary: "Cancel a response that runs in the background",
    description: "Always refused: nothing runs in the background.",
    success: { status: 200, description: "Never", schema: responsesAnswer },
    errors: ["INVALID_REQUEST", ...storedErrors],
  },
  {
    ...own,
    method: "post",
    path: `${path}/input_tokens`,
    id: "countInputTokens",
    summary: "Count the input tokens of a response",
    description: "The body is that of a generation. Not billed; 60 a minute per key.",
    success: {
      status: 200,
      description: "The count",
      schema: counted,
      example: { object: "response.input_tokens", input_tokens: 10 },
    },
    errors: ["INVALID_REQUEST", "FORBIDDEN", "MODEL_NOT_FOUND", "RATE_LIMITED", "NO_AVAILABLE_NODE"],
  },
  {
    ...own,
    method: "post",
    path: `${path}/compact`,
    id: "compactConversation",
    summary: "Compact a conversation into one sealed item",
    description:
      "`model`, `input`, `instructions` and `previous_response_id` as in a generation. The model itself writes the notes; billed as one request.",
    success: {
      status: 200,
      description: "The item",
      schema: compaction,
      example: {
        id: RESPONSE_ID,
        object: "response.compaction",
        created_at: 1763700000,
        output: [{ type: "compaction", id: ITEM_ID, encrypted_content: "…" }],
      },
    },
    errors: [
      "INVALID_REQUEST",
      "QUOTA_EXCEEDED",
      "FORBIDDEN",
      "MODEL_NOT_FOUND",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
      "RATE_LIMITED",
      "UPSTREAM_ERROR",
      "NO_AVAILABLE_NODE",
    ],
  },
];
