import type { JsonObject } from "@/lib/kernel/json-object";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";

/** A published price of a vendor, a request, and what the vendor bills for it. */
export interface VendorExample {
  vendor: string;
  /** What it shows; unique. */
  title: string;
  /** The vendor's document. */
  source: string;
  /** The protocol of the node. */
  protocol: "chat" | "messages" | "responses";
  /** US cents per million tokens, micro-cents per call and request. */
  prices: DeclaredPrices;
  /** Members of the caller's request beside model and messages, e.g. service_tier. Absent: none. */
  request?: JsonObject;
  /** Members of the node's answer beside its content, e.g. usage and service_tier. */
  answer: JsonObject;
  /** When it is held; absent: any time. */
  at?: string;
  /** Units: micro-cents. */
  amountMicroCents: bigint;
}

const openai = "https://developers.openai.com/api/docs/pricing";
/** Prices as they were in 2025. */
const openai2025 = "https://platform.openai.com/docs/pricing";
const openaiPriority = "https://developers.openai.com/api/docs/guides/priority-processing";

const gpt5: DeclaredPrices = {
  input: 125,
  cacheRead: 12.5,
  output: 1_000,
  services: { priority: { factor: 2 }, flex: { factor: 0.5 } },
};
const gpt5Mini: DeclaredPrices = {
  input: 25,
  cacheRead: 2.5,
  output: 200,
  services: { priority: { factor: 1.8 } },
};
const gpt4o: DeclaredPrices = {
  input: 250,
  cacheRead: 125,
  output: 1_000,
  services: { priority: { factor: 1.7 } },
};
const gpt41: DeclaredPrices = {
  input: 200,
  cacheRead: 50,
  output: 800,
  services: { priority: { factor: 1.75 } },
};
const o4Mini: DeclaredPrices = {
  input: 110,
  cacheRead: 27.5,
  output: 440,
  services: { flex: { input: 55, cacheRead: 13.8, output: 220 } },
};
const gpt54: DeclaredPrices = {
  input: 250,
  cacheRead: 25,
  output: 1_500,
  tiers: [{ above: 272_000, input: 500, cacheRead: 50, output: 2_250 }],
  services: {
    priority: { input: 500, cacheRead: 50, output: 3_000 },
    flex: {
      input: 125,
      cacheRead: 13,
      output: 750,
      tiers: [{ above: 272_000, input: 250, cacheRead: 25, output: 1_125 }],
    },
  },
};
const gpt55: DeclaredPrices = {
  input: 500,
  cacheRead: 50,
  output: 3_000,
  tiers: [{ above: 272_000, input: 1_000, cacheRead: 100, output: 4_500 }],
  services: {
    priority: { input: 1_250, cacheRead: 125, output: 7_500 },
    flex: {
      input: 250,
      cacheRead: 25,
      output: 1_500,
      tiers: [{ above: 272_000, input: 500, cacheRead: 50, output: 2_250 }],
    },
  },
};
const gpt56Sol: DeclaredPrices = {
  input: 400,
  cacheRead: 40,
  cacheWrite: 500,
  output: 2_000,
  tiers: [{ above: 272_000, input: 800, cacheRead: 80, cacheWrite: 1_000, output: 3_000 }],
  services: { priority: { factor: 2 }, flex: { factor: 0.5 } },
};
const gpt6Astra: DeclaredPrices = {
  input: 1_000,
  cacheRead: 100,
  cacheWrite: 1_250,
  output: 5_000,
  tiers: [{ above: 272_000, input: 2_000, cacheRead: 200, cacheWrite: 2_500, output: 7_500 }],
};
const gptAudio: DeclaredPrices = { input: 250, audioInput: 3_200, output: 1_000, audioOutput: 6_400 };
const gptAudioMini: DeclaredPrices = { input: 60, audioInput: 1_000, output: 240, audioOutput: 2_000 };
const gpt4oAudio: DeclaredPrices = { input: 250, audioInput: 4_000, output: 1_000, audioOutput: 8_000 };

const anthropic = "https://platform.claude.com/docs/en/about-claude/pricing";
/** Prices as they were in 2025, with those of prompts above 200K tokens. */
const anthropic2025 = "https://docs.claude.com/en/docs/about-claude/pricing";
const anthropicHaiku = "https://platform.claude.com/docs/en/models/haiku-5-5/overview";

const opus5: DeclaredPrices = {
  input: 500,
  cacheRead: 50,
  cacheWrite: 625,
  cacheWrite1h: 1_000,
  output: 2_500,
  services: { batch: { factor: 0.5 } },
};
const fable51: DeclaredPrices = {
  input: 1_000,
  cacheRead: 25,
  cacheWrite: 1_250,
  cacheWrite1h: 2_000,
  output: 5_000,
};
const haiku45: DeclaredPrices = {
  input: 100,
  cacheRead: 10,
  cacheWrite: 125,
  cacheWrite1h: 200,
  output: 500,
  perCall: { webSearch: 1_000_000, fileSearch: null, codeInterpreter: null, imageGeneration: null },
};
const sonnet45: DeclaredPrices = {
  input: 300,
  cacheRead: 30,
  cacheWrite: 375,
  cacheWrite1h: 600,
  output: 1_500,
  tiers: [{ above: 200_000, input: 600, cacheRead: 60, cacheWrite: 750, cacheWrite1h: 1_200, output: 2_250 }],
  services: { batch: { factor: 0.5 } },
  perCall: { webSearch: 1_000_000, fileSearch: null, codeInterpreter: null, imageGeneration: null },
};
const haiku55: DeclaredPrices = {
  input: 10,
  cacheRead: 1,
  cacheWrite: 12.5,
  cacheWrite1h: 20,
  output: 50,
  tiers: [{ above: 100_000, input: 50, cacheRead: 5, cacheWrite: 62.5, cacheWrite1h: 100, output: 250 }],
  services: { batch: { factor: 0.5 } },
};

const google = "https://ai.google.dev/gemini-api/docs/pricing";

const gemini15Flash: DeclaredPrices = {
  input: 7.5,
  cacheRead: 1.875,
  output: 30,
  tiers: [{ above: 128_000, input: 15, cacheRead: 3.75, output: 60 }],
};
const gemini25Pro: DeclaredPrices = {
  input: 125,
  cacheRead: 12.5,
  output: 1_000,
  tiers: [{ above: 200_000, input: 250, cacheRead: 25, output: 1_500 }],
};
const gemini31Pro: DeclaredPrices = {
  input: 200,
  cacheRead: 20,
  output: 1_200,
  tiers: [{ above: 200_000, input: 400, cacheRead: 40, output: 1_800 }],
};
const gemini25Flash: DeclaredPrices = { input: 30, cacheRead: 3, audioInput: 100, output: 250 };
const gemini25FlashLite: DeclaredPrices = { input: 10, cacheRead: 1, audioInput: 30, output: 40 };

const deepseek = "https://api-docs.deepseek.com/quick_start/pricing";

// In 2025 from 16:30 to 00:30 UTC: half price, for the reasoner a quarter, rounded by the vendor.
const deepseekChat: DeclaredPrices = {
  input: 27,
  cacheRead: 7,
  output: 110,
  windows: [{ from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.5 }],
};
const deepseekReasoner: DeclaredPrices = {
  input: 55,
  cacheRead: 14,
  output: 219,
  windows: [{ from: "16:30", to: "00:30", timeZone: "UTC", input: 13.5, cacheRead: 3.5, output: 55 }],
};
// In autumn 2026: twice the price in peak hours, Monday to Friday.
const deepseekFlash: DeclaredPrices = {
  input: 15,
  cacheRead: 0.3,
  output: 60,
  windows: [
    { from: "01:00", to: "04:00", timeZone: "UTC", days: [1, 2, 3, 4, 5], factor: 2 },
    { from: "06:00", to: "10:00", timeZone: "UTC", days: [1, 2, 3, 4, 5], factor: 2 },
  ],
};
// The same hours by the clock of Beijing.
const v4ProPeak = { days: [1, 2, 3, 4, 5], input: 132, cacheRead: 4.4, output: 396 };
const deepseekV4Pro: DeclaredPrices = {
  input: 66,
  cacheRead: 2.2,
  output: 198,
  windows: [
    { from: "09:00", to: "12:00", timeZone: "Asia/Shanghai", ...v4ProPeak },
    { from: "14:00", to: "18:00", timeZone: "Asia/Shanghai", ...v4ProPeak },
  ],
};
const deepseekAnswer = {
  usage: {
    prompt_tokens: 10_001,
    prompt_cache_hit_tokens: 6_400,
    prompt_cache_miss_tokens: 3_601,
    prompt_tokens_details: { cached_tokens: 6_400 },
    completion_tokens: 1_235,
    total_tokens: 11_236,
  },
};

const xai = "https://docs.x.ai/developers/pricing";

// The tier begins with a prompt of 200k tokens, not above it.
const grok45: DeclaredPrices = {
  input: 200,
  cacheRead: 30,
  output: 600,
  tiers: [{ above: 199_999, input: 400, cacheRead: 60, output: 1_200 }],
};
const grok43: DeclaredPrices = {
  input: 125,
  cacheRead: 20,
  output: 250,
  tiers: [{ above: 199_999, input: 250, cacheRead: 40, output: 500 }],
};

const alibaba = "https://www.alibabacloud.com/help/en/model-studio/models";
const alibabaPrices = "https://www.alibabacloud.com/help/en/model-studio/model-pricing";
const alibabaCache = "https://www.alibabacloud.com/help/en/model-studio/context-cache";

// K is 1,024: the tiers of qwen3-max end at 252K, and its longest input has 258,048 tokens.
// An implicit cache hit costs a fifth of the input.
const qwen3Max: DeclaredPrices = {
  input: 120,
  cacheRead: 24,
  output: 600,
  tiers: [
    { above: 32_768, input: 240, cacheRead: 48, output: 1_200 },
    { above: 131_072, input: 300, cacheRead: 60, output: 1_500 },
  ],
};
const qwen3CoderPlus: DeclaredPrices = {
  input: 100,
  cacheRead: 20,
  output: 500,
  tiers: [
    { above: 32_768, input: 180, cacheRead: 36, output: 900 },
    { above: 131_072, input: 300, cacheRead: 60, output: 1_500 },
    { above: 262_144, input: 600, cacheRead: 120, output: 6_000 },
  ],
};
const qwen35Plus: DeclaredPrices = {
  input: 40,
  output: 240,
  tiers: [{ above: 262_144, input: 50, output: 300 }],
};

/** Prices in US dollars of the named documents, 2025 and 2026. */
export const vendorExamples: readonly VendorExample[] = [
  {
    vendor: "OpenAI",
    title: "GPT-5: input and output",
    source: openai,
    protocol: "chat",
    prices: gpt5,
    answer: { usage: { prompt_tokens: 12_345, completion_tokens: 2_345, total_tokens: 14_690 } },
    amountMicroCents: 3_888_125n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5 mini: cached input at a tenth",
    source: openai,
    protocol: "chat",
    prices: gpt5Mini,
    answer: {
      usage: {
        prompt_tokens: 12_288,
        prompt_tokens_details: { cached_tokens: 9_984 },
        completion_tokens: 813,
        total_tokens: 13_101,
      },
    },
    amountMicroCents: 245_160n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-4o: cached input at half price",
    source: openai,
    protocol: "responses",
    prices: gpt4o,
    answer: {
      usage: {
        input_tokens: 8_200,
        input_tokens_details: { cached_tokens: 6_144 },
        output_tokens: 1_111,
        total_tokens: 9_311,
      },
    },
    amountMicroCents: 2_393_000n,
  },
  {
    vendor: "OpenAI",
    title: "o4-mini: reasoning at the price of output",
    source: openai,
    protocol: "chat",
    prices: o4Mini,
    answer: {
      usage: {
        prompt_tokens: 2_049,
        completion_tokens: 5_120,
        completion_tokens_details: { reasoning_tokens: 4_608 },
        total_tokens: 7_169,
      },
    },
    amountMicroCents: 2_478_190n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: prompt of 272,000 tokens",
    source: openai,
    protocol: "chat",
    prices: gpt54,
    answer: { usage: { prompt_tokens: 272_000, completion_tokens: 1_500, total_tokens: 273_500 } },
    amountMicroCents: 70_250_000n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: prompt of 272,001 tokens",
    source: openai,
    protocol: "chat",
    prices: gpt54,
    answer: { usage: { prompt_tokens: 272_001, completion_tokens: 1_500, total_tokens: 273_501 } },
    amountMicroCents: 139_375_500n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: cached tokens count to the size",
    source: openai,
    protocol: "chat",
    prices: gpt54,
    answer: {
      usage: {
        prompt_tokens: 300_000,
        prompt_tokens_details: { cached_tokens: 280_064 },
        completion_tokens: 2_000,
        total_tokens: 302_000,
      },
    },
    amountMicroCents: 28_471_200n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.5: prompt of 400,000 tokens, partly cached",
    source: openai,
    protocol: "responses",
    prices: gpt55,
    answer: {
      usage: {
        input_tokens: 400_000,
        input_tokens_details: { cached_tokens: 128_000 },
        output_tokens: 3_333,
        output_tokens_details: { reasoning_tokens: 2_048 },
        total_tokens: 403_333,
      },
    },
    amountMicroCents: 299_798_500n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.6 Sol: cache writes",
    source: openai,
    protocol: "chat",
    prices: gpt56Sol,
    answer: {
      usage: {
        prompt_tokens: 20_000,
        prompt_tokens_details: { cached_tokens: 4_096, cache_write_tokens: 12_000 },
        completion_tokens: 750,
        total_tokens: 20_750,
      },
    },
    amountMicroCents: 9_225_440n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-6 Astra: cache writes of a long prompt",
    source: openai,
    protocol: "responses",
    prices: gpt6Astra,
    answer: {
      usage: {
        input_tokens: 300_000,
        input_tokens_details: { cached_tokens: 100_000, cache_write_tokens: 150_000 },
        output_tokens: 2_000,
        total_tokens: 302_000,
      },
    },
    amountMicroCents: 510_000_000n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: priority",
    source: openai,
    protocol: "chat",
    prices: gpt54,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "priority",
      usage: {
        prompt_tokens: 9_000,
        prompt_tokens_details: { cached_tokens: 2_048 },
        completion_tokens: 700,
        total_tokens: 9_700,
      },
    },
    amountMicroCents: 5_678_400n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5 mini: priority at 1.8 times the price",
    source: openai,
    protocol: "chat",
    prices: gpt5Mini,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "priority",
      usage: { prompt_tokens: 4_001, completion_tokens: 999, total_tokens: 5_000 },
    },
    amountMicroCents: 539_685n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-4.1: priority at 1.75 times the price",
    source: openai,
    protocol: "responses",
    prices: gpt41,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "priority",
      usage: {
        input_tokens: 5_003,
        input_tokens_details: { cached_tokens: 1_025 },
        output_tokens: 641,
        total_tokens: 5_644,
      },
    },
    amountMicroCents: 2_379_388n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-4o: priority at 1.7 times the price",
    source: openai,
    protocol: "chat",
    prices: gpt4o,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "priority",
      usage: {
        prompt_tokens: 1_501,
        prompt_tokens_details: { cached_tokens: 1_024 },
        completion_tokens: 333,
        total_tokens: 1_834,
      },
    },
    amountMicroCents: 986_425n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: priority asked for, default served",
    source: openaiPriority,
    protocol: "chat",
    prices: gpt54,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "default",
      usage: { prompt_tokens: 9_000, completion_tokens: 700, total_tokens: 9_700 },
    },
    amountMicroCents: 3_300_000n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5: auto asked for, priority served",
    source: openaiPriority,
    protocol: "responses",
    prices: gpt5,
    request: { service_tier: "auto" },
    answer: {
      service_tier: "priority",
      usage: {
        input_tokens: 6_400,
        output_tokens: 1_280,
        output_tokens_details: { reasoning_tokens: 1_024 },
        total_tokens: 7_680,
      },
    },
    amountMicroCents: 4_160_000n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.6 Sol: priority of a long prompt",
    source: openai,
    protocol: "responses",
    prices: gpt56Sol,
    request: { service_tier: "priority" },
    answer: {
      service_tier: "priority",
      usage: {
        input_tokens: 350_000,
        input_tokens_details: { cached_tokens: 50_048, cache_write_tokens: 200_000 },
        output_tokens: 4_100,
        total_tokens: 354_100,
      },
    },
    amountMicroCents: 592_530_880n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5: flex at half price",
    source: openai,
    protocol: "chat",
    prices: gpt5,
    request: { service_tier: "flex" },
    answer: {
      service_tier: "flex",
      usage: {
        prompt_tokens: 7_777,
        prompt_tokens_details: { cached_tokens: 2_176 },
        completion_tokens: 1_357,
        total_tokens: 9_134,
      },
    },
    amountMicroCents: 1_042_163n,
  },
  {
    vendor: "OpenAI",
    // Published at $0.138, not at half of $0.275.
    title: "o4-mini: flex, cached input rounded by the vendor",
    source: openai,
    protocol: "responses",
    prices: o4Mini,
    request: { service_tier: "flex" },
    answer: {
      service_tier: "flex",
      usage: {
        input_tokens: 5_632,
        input_tokens_details: { cached_tokens: 4_224 },
        output_tokens: 2_048,
        output_tokens_details: { reasoning_tokens: 1_536 },
        total_tokens: 7_680,
      },
    },
    amountMicroCents: 586_292n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.4: flex of a prompt of 272,000 tokens",
    source: openai,
    protocol: "chat",
    prices: gpt54,
    request: { service_tier: "flex" },
    answer: {
      service_tier: "flex",
      usage: {
        prompt_tokens: 272_000,
        prompt_tokens_details: { cached_tokens: 200_064 },
        completion_tokens: 1_024,
        total_tokens: 273_024,
      },
    },
    amountMicroCents: 12_360_832n,
  },
  {
    vendor: "OpenAI",
    title: "GPT-5.5: flex of a prompt of 272,001 tokens",
    source: openai,
    protocol: "responses",
    prices: gpt55,
    request: { service_tier: "flex" },
    answer: {
      service_tier: "flex",
      usage: { input_tokens: 272_001, output_tokens: 888, total_tokens: 272_889 },
    },
    amountMicroCents: 137_998_500n,
  },
  {
    vendor: "OpenAI",
    title: "gpt-audio: sound in and out",
    source: openai,
    protocol: "chat",
    prices: gptAudio,
    answer: {
      usage: {
        prompt_tokens: 1_250,
        prompt_tokens_details: { audio_tokens: 1_000, text_tokens: 250 },
        completion_tokens: 900,
        completion_tokens_details: { audio_tokens: 720, text_tokens: 180 },
        total_tokens: 2_150,
      },
    },
    amountMicroCents: 8_050_500n,
  },
  {
    vendor: "OpenAI",
    title: "gpt-audio-mini: text in, sound out",
    source: openai,
    protocol: "chat",
    prices: gptAudioMini,
    answer: {
      usage: {
        prompt_tokens: 333,
        completion_tokens: 611,
        completion_tokens_details: { audio_tokens: 500 },
        total_tokens: 944,
      },
    },
    amountMicroCents: 1_046_620n,
  },
  {
    vendor: "OpenAI",
    title: "gpt-4o-audio-preview: sound in, text out",
    source: openai2025,
    protocol: "chat",
    prices: gpt4oAudio,
    answer: {
      usage: {
        prompt_tokens: 2_600,
        prompt_tokens_details: { audio_tokens: 2_400 },
        completion_tokens: 310,
        total_tokens: 2_910,
      },
    },
    amountMicroCents: 9_960_000n,
  },
  {
    vendor: "Anthropic",
    // The vendor's example of $0.705, without its $0.08 for an hour of a session.
    title: "Opus 5: input and output of the worked example",
    source: anthropic,
    protocol: "messages",
    prices: opus5,
    answer: { usage: { input_tokens: 50_000, output_tokens: 15_000, service_tier: "standard" } },
    amountMicroCents: 62_500_000n,
  },
  {
    vendor: "Anthropic",
    // The vendor's example of $0.525, without its $0.08 for an hour of a session.
    title: "Opus 5: cache reads of the worked example",
    source: anthropic,
    protocol: "messages",
    prices: opus5,
    answer: {
      usage: {
        input_tokens: 10_000,
        cache_read_input_tokens: 40_000,
        output_tokens: 15_000,
        service_tier: "standard",
      },
    },
    amountMicroCents: 44_500_000n,
  },
  {
    vendor: "Anthropic",
    title: "Opus 5: thinking at the price of output",
    source: anthropic,
    protocol: "messages",
    prices: opus5,
    answer: {
      usage: { input_tokens: 1_201, output_tokens: 4_321, output_tokens_details: { thinking_tokens: 3_000 } },
    },
    amountMicroCents: 11_403_000n,
  },
  {
    vendor: "Anthropic",
    title: "Fable 5.1: cache reads at a fortieth",
    source: anthropic,
    protocol: "messages",
    prices: fable51,
    answer: {
      usage: {
        input_tokens: 777,
        cache_read_input_tokens: 123_457,
        cache_creation_input_tokens: 4_000,
        output_tokens: 2_222,
      },
    },
    amountMicroCents: 19_973_425n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: cache writes of 5 minutes",
    source: anthropic,
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 50,
        cache_creation_input_tokens: 18_001,
        cache_creation: { ephemeral_5m_input_tokens: 18_001, ephemeral_1h_input_tokens: 0 },
        output_tokens: 612,
      },
    },
    amountMicroCents: 7_683_375n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: cache writes of 1 hour",
    source: anthropic,
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 50,
        cache_creation_input_tokens: 18_001,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 18_001 },
        output_tokens: 612,
      },
    },
    amountMicroCents: 11_733_600n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: cache writes of both lifetimes, and reads",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 2_048,
        cache_read_input_tokens: 1_800,
        cache_creation_input_tokens: 248,
        cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
        output_tokens: 503,
      },
    },
    amountMicroCents: 1_538_400n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: prompt of 200,000 tokens",
    source: anthropic2025,
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 20_000,
        cache_read_input_tokens: 150_000,
        cache_creation_input_tokens: 30_000,
        output_tokens: 1_000,
      },
    },
    amountMicroCents: 23_250_000n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: prompt of 200,001 tokens",
    source: anthropic2025,
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 20_001,
        cache_read_input_tokens: 150_000,
        cache_creation_input_tokens: 30_000,
        cache_creation: { ephemeral_5m_input_tokens: 10_000, ephemeral_1h_input_tokens: 20_000 },
        output_tokens: 1_000,
      },
    },
    amountMicroCents: 54_750_600n,
  },
  {
    vendor: "Anthropic",
    title: "Haiku 4.5: input and output",
    source: anthropic,
    protocol: "messages",
    prices: haiku45,
    answer: { usage: { input_tokens: 3_100, output_tokens: 603 } },
    amountMicroCents: 611_500n,
  },
  {
    vendor: "Anthropic",
    title: "Haiku 5.5: prompt of 100,000 tokens",
    source: anthropicHaiku,
    protocol: "messages",
    prices: haiku55,
    answer: {
      usage: {
        input_tokens: 9_999,
        cache_read_input_tokens: 80_000,
        cache_creation_input_tokens: 10_001,
        output_tokens: 777,
      },
    },
    amountMicroCents: 343_853n,
  },
  {
    vendor: "Anthropic",
    title: "Haiku 5.5: prompt of 100,001 tokens",
    source: anthropicHaiku,
    protocol: "messages",
    prices: haiku55,
    answer: {
      usage: {
        input_tokens: 10_000,
        cache_read_input_tokens: 80_000,
        cache_creation_input_tokens: 10_001,
        cache_creation: { ephemeral_5m_input_tokens: 6_001, ephemeral_1h_input_tokens: 4_000 },
        output_tokens: 777,
      },
    },
    amountMicroCents: 1_869_313n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: batch",
    source: anthropic,
    protocol: "messages",
    prices: sonnet45,
    answer: { usage: { input_tokens: 12_001, output_tokens: 3_001, service_tier: "batch" } },
    amountMicroCents: 4_050_900n,
  },
  {
    vendor: "Anthropic",
    title: "Opus 5: batch with the cache",
    source: anthropic,
    protocol: "messages",
    prices: opus5,
    answer: {
      usage: {
        input_tokens: 333,
        cache_read_input_tokens: 30_001,
        cache_creation_input_tokens: 12_001,
        cache_creation: { ephemeral_5m_input_tokens: 2_001, ephemeral_1h_input_tokens: 10_000 },
        output_tokens: 901,
        service_tier: "batch",
      },
    },
    amountMicroCents: 7_584_838n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: batch of a prompt above 200K tokens",
    source: anthropic2025,
    protocol: "messages",
    prices: sonnet45,
    answer: {
      usage: {
        input_tokens: 210_001,
        cache_read_input_tokens: 40_000,
        output_tokens: 5_001,
        service_tier: "batch",
      },
    },
    amountMicroCents: 69_826_425n,
  },
  {
    vendor: "Anthropic",
    title: "Haiku 5.5: batch of a prompt above 100,000 tokens",
    source: anthropic,
    protocol: "messages",
    prices: haiku55,
    answer: { usage: { input_tokens: 150_001, output_tokens: 1_003, service_tier: "batch" } },
    amountMicroCents: 3_875_400n,
  },
  {
    vendor: "Anthropic",
    title: "Sonnet 4.5: one web search",
    source: anthropic,
    protocol: "messages",
    prices: sonnet45,
    request: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    answer: {
      usage: {
        input_tokens: 105,
        output_tokens: 6_039,
        cache_read_input_tokens: 7_123,
        cache_creation_input_tokens: 7_345,
        server_tool_use: { web_search_requests: 1 },
      },
    },
    amountMicroCents: 13_058_065n,
  },
  {
    vendor: "Anthropic",
    title: "Haiku 4.5: three web searches",
    source: anthropic,
    protocol: "messages",
    prices: haiku45,
    request: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    answer: {
      usage: { input_tokens: 22_345, output_tokens: 1_102, server_tool_use: { web_search_requests: 3 } },
    },
    amountMicroCents: 5_785_500n,
  },
  {
    vendor: "Google",
    title: "Gemini 1.5 Flash: cached prompt of 128,000 tokens",
    source: google,
    protocol: "chat",
    prices: gemini15Flash,
    answer: {
      usage: {
        prompt_tokens: 128_000,
        prompt_tokens_details: { cached_tokens: 100_001 },
        completion_tokens: 500,
        total_tokens: 128_500,
      },
    },
    amountMicroCents: 412_495n,
  },
  {
    vendor: "Google",
    title: "Gemini 2.5 Pro: prompt of 200,000 tokens",
    source: google,
    protocol: "chat",
    prices: gemini25Pro,
    answer: { usage: { prompt_tokens: 200_000, completion_tokens: 1_001, total_tokens: 201_001 } },
    amountMicroCents: 26_001_000n,
  },
  {
    vendor: "Google",
    title: "Gemini 2.5 Pro: prompt of 200,001 tokens",
    source: google,
    protocol: "chat",
    prices: gemini25Pro,
    answer: { usage: { prompt_tokens: 200_001, completion_tokens: 1_001, total_tokens: 201_002 } },
    amountMicroCents: 51_501_750n,
  },
  {
    vendor: "Google",
    title: "Gemini 2.5 Pro: cached prompt above 200k tokens",
    source: google,
    protocol: "chat",
    prices: gemini25Pro,
    answer: {
      usage: {
        prompt_tokens: 640_000,
        prompt_tokens_details: { cached_tokens: 600_000 },
        completion_tokens: 3_000,
        total_tokens: 643_000,
      },
    },
    amountMicroCents: 29_500_000n,
  },
  {
    vendor: "Google",
    // Thoughts are in the total only; they are billed as output.
    title: "Gemini 2.5 Pro: thinking",
    source: google,
    protocol: "chat",
    prices: gemini25Pro,
    answer: { usage: { prompt_tokens: 1_200, completion_tokens: 350, total_tokens: 3_050 } },
    amountMicroCents: 2_000_000n,
  },
  {
    vendor: "Google",
    title: "Gemini 3.1 Pro: cached prompt of 200,000 tokens",
    source: google,
    protocol: "chat",
    prices: gemini31Pro,
    answer: {
      usage: {
        prompt_tokens: 200_000,
        prompt_tokens_details: { cached_tokens: 32_768 },
        completion_tokens: 2_500,
        total_tokens: 202_500,
      },
    },
    amountMicroCents: 37_101_760n,
  },
  {
    vendor: "Google",
    title: "Gemini 3.1 Pro: cached prompt of 200,001 tokens",
    source: google,
    protocol: "chat",
    prices: gemini31Pro,
    answer: {
      usage: {
        prompt_tokens: 200_001,
        prompt_tokens_details: { cached_tokens: 32_768 },
        completion_tokens: 2_500,
        total_tokens: 202_501,
      },
    },
    amountMicroCents: 72_703_920n,
  },
  {
    vendor: "Google",
    title: "Gemini 2.5 Flash: sound in the prompt",
    source: google,
    protocol: "chat",
    prices: gemini25Flash,
    answer: {
      usage: {
        prompt_tokens: 2_220,
        prompt_tokens_details: { audio_tokens: 1_920 },
        completion_tokens: 412,
        total_tokens: 2_632,
      },
    },
    amountMicroCents: 304_000n,
  },
  {
    vendor: "Google",
    title: "Gemini 2.5 Flash-Lite: sound and cached text in the prompt",
    source: google,
    protocol: "chat",
    prices: gemini25FlashLite,
    answer: {
      usage: {
        prompt_tokens: 9_000,
        prompt_tokens_details: { cached_tokens: 5_000, audio_tokens: 3_200 },
        completion_tokens: 101,
        total_tokens: 9_101,
      },
    },
    amountMicroCents: 113_040n,
  },
  {
    vendor: "Google",
    // "$0.039 per image": 1,290 tokens at $30.
    title: "Gemini 2.5 Flash Image: one image",
    source: google,
    protocol: "chat",
    prices: { input: 30, output: 3_000 },
    answer: {
      usage: {
        prompt_tokens: 40,
        completion_tokens: 1_290,
        completion_tokens_details: { image_tokens: 1_290 },
        total_tokens: 1_330,
      },
    },
    amountMicroCents: 3_871_200n,
  },
  {
    vendor: "Google",
    // "$0.067 per 1K image": 1,120 tokens at $60.
    title: "Gemini 3.1 Flash Image: text and two images",
    source: google,
    protocol: "chat",
    prices: { input: 50, output: 300, imageOutput: 6_000 },
    answer: {
      usage: {
        prompt_tokens: 95,
        completion_tokens: 2_365,
        completion_tokens_details: { image_tokens: 2_240 },
        total_tokens: 2_460,
      },
    },
    amountMicroCents: 13_482_250n,
  },
  {
    vendor: "Google",
    // "$0.134 per 1K/2K image": 1,120 tokens at $120; an image of the prompt has 560 tokens.
    title: "Gemini 3 Pro Image: image to image, with thinking",
    source: google,
    protocol: "chat",
    prices: { input: 200, output: 1_200, imageOutput: 12_000 },
    answer: {
      usage: {
        prompt_tokens: 620,
        prompt_tokens_details: { image_tokens: 560 },
        completion_tokens: 1_420,
        completion_tokens_details: { reasoning_tokens: 280, image_tokens: 1_120 },
        total_tokens: 2_040,
      },
    },
    amountMicroCents: 13_924_000n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-chat: cache hits at noon",
    source: deepseek,
    protocol: "chat",
    prices: deepseekChat,
    answer: deepseekAnswer,
    at: "2025-03-05T12:00:00Z",
    amountMicroCents: 277_877n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-chat: just before the discount",
    source: deepseek,
    protocol: "chat",
    prices: deepseekChat,
    answer: deepseekAnswer,
    at: "2025-03-05T16:29:59Z",
    amountMicroCents: 277_877n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-chat: as the discount begins",
    source: deepseek,
    protocol: "chat",
    prices: deepseekChat,
    answer: deepseekAnswer,
    at: "2025-03-05T16:30:00Z",
    amountMicroCents: 138_939n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-chat: before the discount ends",
    source: deepseek,
    protocol: "chat",
    prices: deepseekChat,
    answer: deepseekAnswer,
    at: "2025-03-06T00:29:59Z",
    amountMicroCents: 138_939n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-chat: as the discount ends",
    source: deepseek,
    protocol: "chat",
    prices: deepseekChat,
    answer: deepseekAnswer,
    at: "2025-03-06T00:30:00Z",
    amountMicroCents: 277_877n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-reasoner: outside of the discount",
    source: deepseek,
    protocol: "chat",
    prices: deepseekReasoner,
    answer: deepseekAnswer,
    at: "2025-03-05T09:15:00Z",
    amountMicroCents: 558_120n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-reasoner: discount of 75 %",
    source: deepseek,
    protocol: "chat",
    prices: deepseekReasoner,
    answer: deepseekAnswer,
    at: "2025-03-05T20:00:00Z",
    amountMicroCents: 138_939n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: Monday before the peak",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-02T00:59:59Z",
    amountMicroCents: 130_035n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: Monday as the peak begins",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-02T01:00:00Z",
    amountMicroCents: 260_070n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: between the peaks",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-02T04:00:00Z",
    amountMicroCents: 130_035n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: Friday before the second peak ends",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-06T09:59:59Z",
    amountMicroCents: 260_070n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: Friday as the second peak ends",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-06T10:00:00Z",
    amountMicroCents: 130_035n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-flash: Saturday in the hours of the peak",
    source: deepseek,
    protocol: "chat",
    prices: deepseekFlash,
    answer: deepseekAnswer,
    at: "2026-11-07T02:30:00Z",
    amountMicroCents: 130_035n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-v4-pro: peak by the clock of Beijing",
    source: deepseek,
    protocol: "chat",
    prices: deepseekV4Pro,
    answer: deepseekAnswer,
    at: "2026-11-03T06:00:00Z",
    amountMicroCents: 992_552n,
  },
  {
    vendor: "DeepSeek",
    title: "deepseek-v4-pro: lunch time in Beijing",
    source: deepseek,
    protocol: "chat",
    prices: deepseekV4Pro,
    answer: deepseekAnswer,
    at: "2026-11-03T05:59:59Z",
    amountMicroCents: 496_276n,
  },
  {
    vendor: "xAI",
    // The usage object of the vendor's reference: reasoning is beside `completion_tokens`.
    title: "Grok 4.5: reasoning apart from the completion",
    source: xai,
    protocol: "chat",
    prices: grok45,
    answer: {
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        prompt_tokens_details: { text_tokens: 32, audio_tokens: 0, image_tokens: 0, cached_tokens: 6 },
        completion_tokens_details: { reasoning_tokens: 94, audio_tokens: 0 },
      },
    },
    amountMicroCents: 67_180n,
  },
  {
    vendor: "xAI",
    title: "Grok 4.3: cached input",
    source: xai,
    protocol: "chat",
    prices: grok43,
    answer: {
      usage: {
        prompt_tokens: 15_000,
        prompt_tokens_details: { cached_tokens: 11_008 },
        completion_tokens: 640,
        total_tokens: 15_640,
      },
    },
    amountMicroCents: 879_160n,
  },
  {
    vendor: "xAI",
    title: "Grok 4.5: prompt of 199,999 tokens",
    source: xai,
    protocol: "responses",
    prices: grok45,
    answer: {
      usage: {
        input_tokens: 199_999,
        input_tokens_details: { cached_tokens: 50_000 },
        output_tokens: 1_200,
        output_tokens_details: { reasoning_tokens: 800 },
        total_tokens: 201_199,
      },
    },
    amountMicroCents: 32_219_800n,
  },
  {
    vendor: "xAI",
    title: "Grok 4.5: prompt of 200,000 tokens",
    source: xai,
    protocol: "responses",
    prices: grok45,
    answer: {
      usage: {
        input_tokens: 200_000,
        input_tokens_details: { cached_tokens: 50_000 },
        output_tokens: 1_200,
        output_tokens_details: { reasoning_tokens: 800 },
        total_tokens: 201_200,
      },
    },
    amountMicroCents: 64_440_000n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-max: prompt of 32K tokens",
    source: alibaba,
    protocol: "chat",
    prices: qwen3Max,
    answer: { usage: { prompt_tokens: 32_768, completion_tokens: 1_234, total_tokens: 34_002 } },
    amountMicroCents: 4_672_560n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-max: prompt of one token more than 32K",
    source: alibaba,
    protocol: "chat",
    prices: qwen3Max,
    answer: { usage: { prompt_tokens: 32_769, completion_tokens: 1_234, total_tokens: 34_003 } },
    amountMicroCents: 9_345_360n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-max: prompt of one token more than 128K, implicit cache",
    source: alibabaCache,
    protocol: "chat",
    prices: qwen3Max,
    answer: {
      usage: {
        prompt_tokens: 131_073,
        prompt_tokens_details: { cached_tokens: 65_536 },
        completion_tokens: 2_000,
        total_tokens: 133_073,
      },
    },
    amountMicroCents: 26_593_260n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-coder-plus: prompt of 128K tokens",
    source: alibabaPrices,
    protocol: "chat",
    prices: qwen3CoderPlus,
    answer: { usage: { prompt_tokens: 131_072, completion_tokens: 4_000, total_tokens: 135_072 } },
    amountMicroCents: 27_192_960n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-coder-plus: prompt of 256K tokens",
    source: alibabaPrices,
    protocol: "chat",
    prices: qwen3CoderPlus,
    answer: { usage: { prompt_tokens: 262_144, completion_tokens: 4_000, total_tokens: 266_144 } },
    amountMicroCents: 84_643_200n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3-coder-plus: prompt of 900,000 tokens",
    source: alibabaPrices,
    protocol: "chat",
    prices: qwen3CoderPlus,
    answer: { usage: { prompt_tokens: 900_000, completion_tokens: 4_000, total_tokens: 904_000 } },
    amountMicroCents: 564_000_000n,
  },
  {
    vendor: "Alibaba",
    title: "qwen3.5-plus: prompt of one token more than 256K",
    source: alibaba,
    protocol: "chat",
    prices: qwen35Plus,
    answer: {
      usage: {
        prompt_tokens: 262_145,
        completion_tokens: 3_000,
        completion_tokens_details: { reasoning_tokens: 2_400 },
        total_tokens: 265_145,
      },
    },
    amountMicroCents: 14_007_250n,
  },
  {
    vendor: "Moonshot",
    title: "Kimi K2.6: cache hits",
    source: "https://platform.kimi.ai/docs/pricing/chat-k26",
    protocol: "chat",
    prices: { input: 95, cacheRead: 16, output: 400 },
    answer: {
      usage: { prompt_tokens: 24_000, cached_tokens: 20_480, completion_tokens: 1_777, total_tokens: 25_777 },
    },
    amountMicroCents: 1_372_880n,
  },
  {
    vendor: "Moonshot",
    title: "Kimi K3: cache hits",
    source: "https://platform.kimi.ai/docs/pricing/chat-k3",
    protocol: "chat",
    prices: { input: 300, cacheRead: 30, output: 1_500 },
    answer: {
      usage: {
        prompt_tokens: 1_000_001,
        prompt_tokens_details: { cached_tokens: 999_424 },
        completion_tokens: 2_001,
        completion_tokens_details: { reasoning_tokens: 1_500 },
        total_tokens: 1_002_002,
      },
    },
    amountMicroCents: 33_157_320n,
  },
  {
    vendor: "Mistral",
    title: "Mistral Large 3: input and output",
    source: "https://mistral.ai/pricing/api",
    protocol: "chat",
    prices: { input: 50, output: 150 },
    answer: { usage: { prompt_tokens: 6_543, completion_tokens: 2_109, total_tokens: 8_652 } },
    amountMicroCents: 643_500n,
  },
  {
    vendor: "Mistral",
    title: "Mistral Medium 3.5: input and output",
    source: "https://mistral.ai/pricing/api",
    protocol: "chat",
    prices: { input: 150, output: 750 },
    answer: { usage: { prompt_tokens: 8_191, completion_tokens: 513, total_tokens: 8_704 } },
    amountMicroCents: 1_613_400n,
  },
  {
    vendor: "Perplexity",
    title: "Sonar: fee of a request, low search context",
    source: "https://docs.perplexity.ai/getting-started/pricing",
    protocol: "chat",
    prices: { input: 100, output: 100, perRequest: 500_000 },
    answer: {
      usage: { prompt_tokens: 501, completion_tokens: 203, total_tokens: 704, search_context_size: "low" },
    },
    amountMicroCents: 570_400n,
  },
  {
    vendor: "Perplexity",
    // The vendor's example: $0.04629, rounded by the vendor.
    title: "Sonar Pro: fee of the worked example",
    source: "https://docs.perplexity.ai/getting-started/quickstart",
    protocol: "chat",
    prices: { input: 300, output: 1_500, perRequest: 600_000 },
    answer: {
      usage: { prompt_tokens: 24, completion_tokens: 2_681, total_tokens: 2_705, search_context_size: "low" },
    },
    amountMicroCents: 4_628_700n,
  },
  {
    vendor: "OpenRouter",
    title: "Sonar Pro Search: fee of a request",
    source: "https://openrouter.ai/perplexity/sonar-pro-search",
    protocol: "chat",
    prices: { input: 300, output: 1_500, perRequest: 1_800_000 },
    answer: { usage: { prompt_tokens: 61, completion_tokens: 1_948, total_tokens: 2_009 } },
    amountMicroCents: 4_740_300n,
  },
  {
    vendor: "OpenRouter",
    // Searches aside.
    title: "Sonar Deep Research: reasoning at a price of its own",
    source: "https://openrouter.ai/perplexity/sonar-deep-research",
    protocol: "chat",
    prices: { input: 200, output: 800, reasoning: 300 },
    answer: {
      usage: {
        prompt_tokens: 20_049,
        completion_tokens: 81_160,
        completion_tokens_details: { reasoning_tokens: 73_997 },
        total_tokens: 101_209,
      },
    },
    amountMicroCents: 31_939_300n,
  },
];
