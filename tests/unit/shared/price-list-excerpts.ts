import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";

/** One entry of a list in its real form, and the prices that it makes at one yuan per dollar without a markup. */
export interface Excerpt {
  what: string;
  list: object;
  prices: DeclaredPrices;
}

/** A list with one model, `m`, as LiteLLM publishes it. */
const map = (model: object) => ({ m: { litellm_provider: "p", mode: "chat", ...model } });

/** A list with one model, `maker/m`, as OpenRouter answers. */
const data = (pricing: object) => ({ data: [{ id: "maker/m", name: "M", pricing }] });

const noCalls = { webSearch: null, fileSearch: null, codeInterpreter: null, imageGeneration: null };

/** Entries of the map of LiteLLM. */
export const mapExcerpts: Excerpt[] = [
  {
    what: "a cache for an hour, a size in which all kinds differ, and a batch tier that tells input and output alone",
    list: map({
      input_cost_per_token: 3e-6,
      output_cost_per_token: 1.5e-5,
      cache_read_input_token_cost: 3e-7,
      cache_creation_input_token_cost: 3.75e-6,
      cache_creation_input_token_cost_above_1hr: 6e-6,
      input_cost_per_token_above_200k_tokens: 6e-6,
      output_cost_per_token_above_200k_tokens: 2.25e-5,
      cache_read_input_token_cost_above_200k_tokens: 6e-7,
      cache_creation_input_token_cost_above_200k_tokens: 7.5e-6,
      cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
      input_cost_per_token_batches: 1.5e-6,
      output_cost_per_token_batches: 7.5e-6,
    }),
    prices: {
      input: 300,
      output: 1500,
      cacheRead: 30,
      cacheWrite: 375,
      cacheWrite1h: 600,
      tiers: [
        { above: 200_000, input: 600, output: 2250, cacheRead: 60, cacheWrite: 750, cacheWrite1h: 1200 },
      ],
      services: {
        batch: {
          input: 150,
          output: 750,
          cacheRead: 30,
          cacheWrite: 375,
          cacheWrite1h: 600,
          tiers: [
            { above: 200_000, input: 600, output: 2250, cacheRead: 60, cacheWrite: 750, cacheWrite1h: 1200 },
          ],
        },
      },
    },
  },
  {
    what: "a size that tells input alone: each other kind costs what it does in smaller prompts",
    list: map({
      input_cost_per_token: 1e-6,
      output_cost_per_token: 4e-6,
      cache_read_input_token_cost: 1e-7,
      input_cost_per_audio_token: 3e-6,
      input_cost_per_token_above_128k_tokens: 2e-6,
      output_cost_per_token_above_256k_tokens: 8e-6,
    }),
    prices: {
      input: 100,
      output: 400,
      cacheRead: 10,
      cacheWrite: 100,
      audioInput: 300,
      tiers: [
        { above: 128_000, input: 200, output: 400, cacheRead: 10, audioInput: 300 },
        { above: 256_000, input: 200, output: 800, cacheRead: 10, audioInput: 300 },
      ],
    },
  },
  {
    what: "all service tiers, with sizes of their own, and a search",
    list: map({
      input_cost_per_token: 2.5e-6,
      output_cost_per_token: 1.5e-5,
      cache_read_input_token_cost: 2.5e-7,
      input_cost_per_token_above_272k_tokens: 5e-6,
      output_cost_per_token_above_272k_tokens: 2.25e-5,
      cache_read_input_token_cost_above_272k_tokens: 5e-7,
      input_cost_per_token_priority: 5e-6,
      output_cost_per_token_priority: 3e-5,
      cache_read_input_token_cost_priority: 5e-7,
      input_cost_per_token_above_272k_tokens_priority: 1e-5,
      output_cost_per_token_above_272k_tokens_priority: 4.5e-5,
      cache_read_input_token_cost_above_272k_tokens_priority: 1e-6,
      input_cost_per_token_flex: 1.25e-6,
      output_cost_per_token_flex: 7.5e-6,
      cache_read_input_token_cost_flex: 1.3e-7,
      input_cost_per_token_batches: 1.25e-6,
      output_cost_per_token_batches: 7.5e-6,
      input_cost_per_token_ultrafast: 6e-5,
      search_context_cost_per_query: {
        search_context_size_high: 0.012,
        search_context_size_low: 0.008,
        search_context_size_medium: 0.01,
      },
    }),
    prices: {
      input: 250,
      output: 1500,
      cacheRead: 25,
      cacheWrite: 250,
      tiers: [{ above: 272_000, input: 500, output: 2250, cacheRead: 50 }],
      services: {
        priority: {
          input: 500,
          output: 3000,
          cacheRead: 50,
          tiers: [{ above: 272_000, input: 1000, output: 4500, cacheRead: 100 }],
        },
        flex: {
          input: 125,
          output: 750,
          cacheRead: 13,
          tiers: [{ above: 272_000, input: 500, output: 2250, cacheRead: 50 }],
        },
        batch: {
          input: 125,
          output: 750,
          cacheRead: 25,
          tiers: [{ above: 272_000, input: 500, output: 2250, cacheRead: 50 }],
        },
      },
      perCall: { ...noCalls, webSearch: 1_000_000 },
    },
  },
  {
    what: "a kind that costs what its parent does follows it into sizes and service tiers",
    list: map({
      input_cost_per_token: 1.25e-6,
      input_cost_per_image_token: 1.25e-6,
      output_cost_per_token: 1e-5,
      output_cost_per_reasoning_token: 1e-5,
      input_cost_per_token_above_200k_tokens: 2.5e-6,
      output_cost_per_token_above_200k_tokens: 1.5e-5,
      input_cost_per_token_priority: 2.25e-6,
      output_cost_per_token_priority: 1.8e-5,
      input_cost_per_token_above_200k_tokens_priority: 4.5e-6,
      output_cost_per_token_above_200k_tokens_priority: 2.7e-5,
    }),
    prices: {
      input: 125,
      output: 1000,
      cacheRead: 125,
      cacheWrite: 125,
      tiers: [{ above: 200_000, input: 250, output: 1500 }],
      services: {
        priority: { input: 225, output: 1800, tiers: [{ above: 200_000, input: 450, output: 2700 }] },
      },
    },
  },
  {
    what: "ranges of the prompt, in which what is absent has the price of its parent in the range",
    list: map({
      cache_read_input_token_cost: 1e-8,
      tiered_pricing: [
        {
          range: [256000.0, 1000000.0],
          input_cost_per_token: 1.2e-6,
          output_cost_per_token: 3.6e-6,
          output_cost_per_reasoning_token: 1.2e-5,
        },
        {
          range: [0, 256000.0],
          input_cost_per_token: "4e-07",
          output_cost_per_token: 1.2e-6,
          output_cost_per_reasoning_token: 4e-6,
        },
      ],
    }),
    prices: {
      input: 40,
      output: 120,
      cacheRead: 40,
      cacheWrite: 40,
      reasoning: 400,
      tiers: [{ above: 256_000, input: 120, output: 360, reasoning: 1200 }],
    },
  },
  {
    what: "tokens of audio and images, in and out",
    list: map({
      mode: "realtime",
      input_cost_per_token: 4e-6,
      output_cost_per_token: 1.6e-5,
      input_cost_per_audio_token: 3.2e-5,
      input_cost_per_image_token: 5e-6,
      output_cost_per_audio_token: 6.4e-5,
      output_cost_per_image_token: 4e-5,
      input_cost_per_image: 0.2,
    }),
    prices: {
      input: 400,
      output: 1600,
      cacheRead: 400,
      cacheWrite: 400,
      audioInput: 3200,
      imageInput: 500,
      audioOutput: 6400,
      imageOutput: 4000,
    },
  },
  {
    what: "a request that costs something beside its tokens, and sizes that change nothing",
    list: map({
      input_cost_per_token: 0,
      output_cost_per_token: 2.8e-6,
      input_cost_per_request: 0.005,
      output_cost_per_token_above_128k_tokens: 2.8e-6,
    }),
    prices: { input: 0, output: 280, cacheRead: 0, cacheWrite: 0, perRequest: 500_000 },
  },
];

/** Entries of the list of OpenRouter. */
export const dataExcerpts: Excerpt[] = [
  {
    what: "caches of both lives and a search",
    list: data({
      prompt: "0.000005",
      completion: "0.000025",
      web_search: "0.01",
      input_cache_read: "0.0000005",
      input_cache_write: "0.00000625",
      input_cache_write_1h: "0.00001",
    }),
    prices: {
      input: 500,
      output: 2500,
      cacheRead: 50,
      cacheWrite: 625,
      cacheWrite1h: 1000,
      perCall: { ...noCalls, webSearch: 1_000_000 },
    },
  },
  {
    what: "zeros for what has no price of its own, and images, which have prices of an image or of a token",
    list: data({
      prompt: "0.00000125",
      completion: "0.00001",
      request: "0",
      image: "0.00516",
      image_output: "0.00003",
      web_search: "0",
      internal_reasoning: "0",
    }),
    prices: { input: 125, output: 1000, cacheRead: 125, cacheWrite: 125 },
  },
  {
    what: "audio, reasoning and a request",
    list: data({
      prompt: "0.000002",
      completion: "0.000008",
      request: "0.005",
      audio: "0.00004",
      audio_output: "0.00008",
      internal_reasoning: "0.000003",
    }),
    prices: {
      input: 200,
      output: 800,
      cacheRead: 200,
      cacheWrite: 200,
      audioInput: 4000,
      audioOutput: 8000,
      reasoning: 300,
      perRequest: 500_000,
    },
  },
  {
    what: "overrides by size, the last of which wins, and none of the time of day",
    list: data({
      prompt: "0.00000125",
      completion: "0.00001",
      input_cache_read: "0.000000125",
      overrides: [
        { min_prompt_tokens: 400_000, prompt: "0.000005" },
        { min_prompt_tokens: 200_000, prompt: "0.0000025", completion: "0.000015" },
        { utc_start: 1630, utc_end: 30, prompt: "0.000000625" },
      ],
    }),
    prices: {
      input: 125,
      output: 1000,
      cacheRead: 12.5,
      cacheWrite: 125,
      tiers: [{ above: 200_000, input: 250, output: 1500, cacheRead: 12.5 }],
    },
  },
];
