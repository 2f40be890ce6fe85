import { z } from "zod";

const whole = z.int().min(0);

/** The usage of an answer in Chat Completions. */
const chatUsage = z.looseObject({
  prompt_tokens: whole,
  completion_tokens: whole,
  total_tokens: whole,
});

/** POST /v1/chat/completions without a stream. Source: docs/protocols.md#s4. */
export const chatAnswer = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: whole,
      message: z.looseObject({ role: z.literal("assistant"), content: z.string().nullish() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: chatUsage.optional(),
});

/** POST /v1/messages without a stream. Source: docs/protocols.md#s5. */
export const messagesAnswer = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  usage: z.looseObject({ input_tokens: whole, output_tokens: whole }),
});

/** POST /v1/responses without a stream. Source: docs/responses.md#s2-6. */
export const responsesAnswer = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number(),
  status: z.string(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z
    .looseObject({
      input_tokens: whole,
      input_tokens_details: z.looseObject({ cached_tokens: whole }),
      output_tokens: whole,
      output_tokens_details: z.looseObject({ reasoning_tokens: whole }),
      total_tokens: whole,
    })
    .nullish(),
});

/** POST /v1/messages/count_tokens. */
export const countAnswer = z.object({ input_tokens: whole });
