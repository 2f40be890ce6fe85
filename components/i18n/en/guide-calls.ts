/** The guides for kinds of calls. */
export const callGuides = {
  streaming: {
    title: "Streaming",
    lead: "With `stream: true` the answer comes piece by piece, as events of the protocol that you called.",
    answer:
      "Each `data:` line is one piece of the text; the last lines have the end, the tokens and `[DONE]`:",
    rules: [
      "Until a node really answers, nothing is sent: an error before that is an ordinary error with its status, and another node may still take over.",
      "A stream of Messages ends with `message_stop`, one of Responses with `response.completed`, `response.incomplete` or `response.failed`, and then `[DONE]`.",
      "Chat Completions tell the tokens at the end only if you ask with `stream_options: {include_usage: true}`.",
      "During a silence of the model a comment or a `ping` event keeps the connection open, after 15 s and then every 10 s.",
      "If you leave early, what the provider had produced by then is billed, which may be more than had arrived. A stream that a node breaks off is not billed.",
      "The cost is known at the end: ask `GET /v1/usage/{requestId}` for it.",
    ],
    problems: [
      {
        what: "The stream ends without `[DONE]`",
        help: "It broke off, and the event before the end has the error, which SDKs raise. Nothing was billed. Send the request again.",
      },
      {
        what: "All pieces come at once",
        help: "A proxy between you and the gateway collects them. Switch its buffering off; the answers ask for it with `x-accel-buffering: no`.",
      },
      {
        what: "The answer stops in the middle of a sentence",
        help: "`finish_reason` is `length` (`max_tokens` of Messages): raise the output limit.",
      },
    ],
  },
  tools: {
    title: "Tools",
    lead: "Describe each tool with a JSON schema. The model answers with the calls that it wants; your program runs them, sends the results back, and the model goes on.",
    answer: "The model has not answered yet: it asks for a call. Send its result, and it goes on:",
    rules: [
      "Tools are converted between the protocols, so the same code works whatever protocol the model's node speaks.",
      "A request has at most 128 tools. A name has at most 128 characters.",
      "Send the model's own message back before the results, with every call that it holds and the same ids.",
      "`parallel_tool_calls: false` asks for one call at a time, `tool_choice` for a certain tool or for none.",
      "Tools that the provider runs, such as web search, work where the model's node has them. Some of them have a price per call.",
    ],
    problems: [
      {
        what: "400 about a call without a result",
        help: "Each `tool_calls` entry needs one message with the role `tool` and its `tool_call_id`; in Messages one `tool_result` with its `tool_use_id`.",
      },
      {
        what: "The model calls no tool",
        help: "Not every model knows tools: the models page shows which do. Otherwise say in `description` when the tool is of use, or ask for it with `tool_choice`.",
      },
      {
        what: "The arguments are no valid JSON",
        help: "The answer was cut: raise `max_tokens`. The gateway never repairs the arguments of an answer.",
      },
    ],
  },
  json: {
    title: "Answers as JSON",
    lead: "Give the JSON schema of the answer, and the model keeps to it: in `response_format` for Chat Completions, in `output_config.format` for Messages, in `text.format` for Responses.",
    answer: "The text of the answer is the JSON:",
    rules: [
      "A model that takes no schema is told it as an instruction instead, and `x-tollgate-warnings` says so.",
      "With `strict: true` most providers want every property in `required`, and `additionalProperties: false`.",
      "`x-tollgate-strict: 1` refuses a request whose schema could not be given to the model.",
    ],
    problems: [
      {
        what: "The JSON cannot be parsed",
        help: "An answer that reaches `max_tokens` is cut: look at `finish_reason` before you parse, and raise the limit.",
      },
      {
        what: "400 about the schema",
        help: "The provider takes only a part of JSON Schema. The message names what it refuses.",
      },
      {
        what: "The answer has other members than the schema",
        help: "The model was only told the schema. Choose one that the models page shows with “JSON by a schema”.",
      },
    ],
  },
  images: {
    title: "Images",
    lead: "Send an image as data within the message, beside the text about it: PNG, JPEG, WebP or GIF.",
    answer: "The answer is text, as of any other call:",
    rules: [
      "An `https` address works where the model's node fetches it; the gateway itself fetches nothing.",
      "The models page shows which models are known to read images.",
      "Images are billed as input tokens, as many as the provider counts.",
      "The whole request has at most 10 MiB, unless the administrator has set another size. Data in base64 is a third larger than the file.",
    ],
    problems: [
      {
        what: "400: the model reads no images",
        help: "Choose a model that does, or leave the image out. Nothing was billed.",
      },
      { what: "413 `PAYLOAD_TOO_LARGE`", help: "Make the image smaller, or send fewer at once." },
      {
        what: "400 about the address of an image",
        help: "This model's node takes data only. Send the image as data.",
      },
    ],
  },
  embeddings: {
    title: "Embeddings",
    lead: "An embedding is a list of numbers that tells what a text is about: texts with close numbers are close in meaning. Ask for many texts in one call.",
    answer: "There is a vector for each text, in the same order:",
    rules: [
      "Only models of the kind embedding take such calls; the models page has a filter for them.",
      "`input` is a text, a list of at most 2,048 texts, or the same as token ids. None of them may be empty.",
      "`dimensions` asks for shorter vectors where the model can, `encoding_format: base64` for a shorter answer.",
      "Only input tokens are billed.",
      "Vectors of different models cannot be compared. Another node takes over only with the same model.",
    ],
    problems: [
      {
        what: "400 that names another path",
        help: "The model generates texts, or this one embeds: each kind has its own path.",
      },
      { what: "400 with `input[3]`", help: "The fourth text is empty or has another form than the others." },
      {
        what: "There is no model to try",
        help: "This gateway serves no embedding model. Ask its administrator for one.",
      },
    ],
  },
};
