/** Excerpts of exports in the forms that providers make, with made-up figures. */

const november = (day: number) => Date.UTC(2026, 10, day) / 1_000;

const page = (data: unknown) => JSON.stringify({ object: "page", data, has_more: false, next_page: null });

/** A page of OpenAI's Usage API, grouped by model. */
export const openaiUsagePage = page([
  {
    object: "bucket",
    start_time: november(20),
    end_time: november(21),
    results: [
      {
        object: "organization.usage.completions.result",
        input_tokens: 1_200_000,
        output_tokens: 340_000,
        input_cached_tokens: 800_000,
        input_audio_tokens: 0,
        output_audio_tokens: 0,
        num_model_requests: 412,
        project_id: null,
        user_id: null,
        api_key_id: null,
        model: "gpt-5.2-2025-12-11",
        batch: null,
        service_tier: null,
      },
    ],
  },
  { object: "bucket", start_time: november(21), end_time: november(22), results: [] },
]);

/** A page of OpenAI's Costs API, grouped by line item. */
export const openaiCostsPage = page([
  {
    object: "bucket",
    start_time: november(20),
    end_time: november(21),
    results: [
      cost("gpt-5.2-2025-12-11, input", "0.70000000000000000000000000000"),
      cost("gpt-5.2-2025-12-11, cached input", 0.14),
      cost("priority | gpt-5.2-2025-12-11, output, long context", 4.76),
      cost("gpt-5.2-2025-12-11, cache writes", "0E-6176"),
      cost("web search tool calls", 0.06),
    ],
  },
]);

function cost(line_item: string, value: number | string) {
  return {
    object: "organization.costs.result",
    amount: { value, currency: "usd" },
    line_item,
    project_id: null,
  };
}

/** The completions file of OpenAI's usage dashboard; days without usage have no more than times. */
export const openaiUsageFile = [
  "start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch," +
    "service_tier,input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens",
  `${november(20)},${november(21)},2026-11-20T00:00:00+00:00,2026-11-21T00:00:00+00:00,proj_a,12.0,,key_a,` +
    "gpt-5.2-2025-12-11,False,default,59200.0,10646.0,5760.0,53440.0",
  `${november(20)},${november(21)},2026-11-20T00:00:00+00:00,2026-11-21T00:00:00+00:00,proj_b,1.0,,key_b,` +
    "gpt-5.2-2025-12-11,False,default,800.0,54.0,0.0,800.0",
  `${november(21)},${november(22)},2026-11-21T00:00:00+00:00,2026-11-22T00:00:00+00:00,,,,,,,,,,,`,
].join("\n");

/** The cost file of the same. */
export const openaiCostFile = [
  "start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_id",
  `${november(20)},${november(21)},2026-11-20T00:00:00+00:00,2026-11-21T00:00:00+00:00,` +
    '0.8958740000000000,usd,"gpt-5.2-2025-12-11, input",proj_a,org-a',
  `${november(20)},${november(21)},2026-11-20T00:00:00+00:00,2026-11-21T00:00:00+00:00,` +
    '1.5E-3,usd,"gpt-5.2-2025-12-11, output",proj_a,org-a',
  `${november(21)},${november(22)},2026-11-21T00:00:00+00:00,2026-11-22T00:00:00+00:00,,,,,`,
].join("\r\n");

/** A page of Anthropic's usage report, grouped by model. */
export const anthropicUsagePage = JSON.stringify({
  data: [
    {
      starting_at: "2026-11-20T00:00:00Z",
      ending_at: "2026-11-21T00:00:00Z",
      results: [
        {
          uncached_input_tokens: 1_500,
          cache_creation: { ephemeral_1h_input_tokens: 1_000, ephemeral_5m_input_tokens: 500 },
          cache_read_input_tokens: 200_000,
          output_tokens: 5_000,
          server_tool_use: { web_search_requests: 10 },
          api_key_id: null,
          workspace_id: null,
          model: "claude-opus-4-6",
          service_tier: null,
          context_window: null,
        },
      ],
    },
  ],
  has_more: false,
  next_page: null,
});

/** A page of Anthropic's cost report, grouped by description; amounts are in cents. */
export const anthropicCostPage = JSON.stringify({
  data: [
    {
      starting_at: "2026-11-20T00:00:00Z",
      ending_at: "2026-11-21T00:00:00Z",
      results: [
        {
          currency: "USD",
          amount: "123.78912",
          workspace_id: null,
          description: "Claude Opus 4.6 Usage - Input Tokens",
          cost_type: "tokens",
          context_window: "0-200k",
          model: "claude-opus-4-6",
          service_tier: "standard",
          token_type: "uncached_input_tokens",
        },
        {
          currency: "USD",
          amount: "10",
          description: "Web Search Usage",
          cost_type: "web_search",
          model: null,
          token_type: null,
        },
      ],
    },
  ],
  has_more: false,
  next_page: null,
});

/** The token file of Anthropic's console. */
export const anthropicUsageFile = [
  "usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache," +
    "usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read," +
    "usage_output_tokens,web_search_count,inference_geo,speed",
  "2026-11-20,claude-haiku-4-5-20251001,gateway,Default,standard,≤ 200k,1000,2000,500,3000,400,0,not_available,",
  "2026-11-20,claude-haiku-4-5-20251001,gateway,Default,batch,≤ 200k,10,0,0,0,4,0,not_available,",
].join("\n");

/** The cost file of the same, which names models in words. */
export const anthropicCostFile = [
  "usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type",
  "2026-11-20,Claude Haiku 4.5,Default,gateway,message,≤ 200k,input_no_cache,0.19,0.19,token",
  "2026-11-20,Claude Haiku 4.5,Default,gateway,message,≤ 200k,output,0.03,0.03,token",
  "2026-11-20,,Default,gateway,message,,,0.02,0.02,web_search",
].join("\n");

/** What OpenRouter answers under /api/v1/activity. */
export const openrouterActivity = JSON.stringify({
  data: [
    {
      date: "2026-11-20 00:00:00",
      model: "openai/gpt-4.1",
      model_permaslug: "openai/gpt-4.1-2025-04-14",
      endpoint_id: "550e8400-e29b-41d4-a716-446655440000",
      provider_name: "OpenAI",
      usage: 0.015,
      byok_usage_inference: 0,
      requests: 5,
      prompt_tokens: 50,
      completion_tokens: 125,
      reasoning_tokens: 25,
    },
    {
      date: "2026-11-20 00:00:00",
      model: "openai/gpt-4.1",
      model_permaslug: "openai/gpt-4.1-2025-04-14",
      endpoint_id: "550e8400-e29b-41d4-a716-446655440001",
      provider_name: "Azure",
      usage: 1e-7,
      byok_usage_inference: 0,
      requests: 1,
      prompt_tokens: 1,
      completion_tokens: 1,
      reasoning_tokens: 0,
    },
  ],
});

/** The file of OpenRouter's activity page, a row for each call. */
export const openrouterFile = [
  "generation_id,created_at,cost_total,cost_web_search,cost_cache,cost_file_processing,byok_usage_inference," +
    "tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,variant,cancelled",
  "gen-1,2026-11-20 03:46:57.713,0.0123,0,0,0,0,10389,137,0,9000,anthropic/claude-sonnet-4.5,Anthropic,standard,false",
  "gen-2,2026-11-20 23:59:59.999,0.0007,0,0,0,0,40,20,0,0,anthropic/claude-sonnet-4.5,Anthropic,standard,false",
  "gen-3,2026-11-21 00:00:00.000,0,0,0,0,0,40,20,0,0,openai/gpt-oss-120b,Groq,free,false",
].join("\n");

/** Cost and usage details of Azure, with other services. */
export const azureFile = [
  "InvoiceSectionName,SubscriptionId,Date,MeterCategory,MeterSubCategory,MeterName,UnitOfMeasure,Quantity," +
    "EffectivePrice,CostInBillingCurrency,BillingCurrencyCode",
  "A,s,11/20/2026,Foundry Models,Azure OpenAI,gpt 4.1 0414 Inp glbl Tokens,1K,1200.5,0.002,2.401,USD",
  "A,s,11/20/2026,Foundry Models,Azure OpenAI,gpt 4.1 0414 cached Inp glbl Tokens,1K,800,0.0005,0.4,USD",
  "A,s,11/20/2026,Foundry Models,Azure OpenAI,gpt 4.1 0414 Outp glbl Tokens,1K,100,0.008,0.8,USD",
  "A,s,11/20/2026,Foundry Models,Azure OpenAI GPT5,5.4 opt Gl 1M Tokens,1M,0.25,15,3.75,USD",
  "A,s,11/20/2026,Virtual Machines,Dv3 Series,D2 v3,1 Hour,24,0.1,2.4,USD",
].join("\r\n");

/** What Azure's cost analysis saves: no quantities. */
export const azureCostFile = [
  '"UsageDate","Meter","Cost","CostUSD","Currency"',
  '"2026-11-20","gpt-4o 1120 Inp glbl Tokens","17.5","2.5","CNY"',
  '"2026-11-20","gpt-4o 1120 Outp glbl Tokens","7","1","CNY"',
].join("\n");
