import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import type { JsonObject } from "@/lib/kernel/json-object";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { encodedChunk, encodedException } from "../unit/protocols/wire/aws-events";

/** A call as a host of Claude gets it. */
export interface HostCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

const AWS_TYPE = "application/vnd.amazon.eventstream";
const members: ReadonlySet<string> = new Set([
  "anthropic_beta",
  "anthropic_version",
  "max_tokens",
  "messages",
  "metadata",
  "output_config",
  "stop_sequences",
  "system",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_k",
  "top_p",
]);
const betas: ReadonlySet<string> = new Set([
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "effort-2025-11-24",
  "interleaved-thinking-2025-05-14",
]);
/** A member that one of these flags brings. */
const brought: ReadonlyMap<string, string> = new Map([
  ["context_management", "context-management-2025-06-27"],
]);

/** What breaks a stream of Bedrock: an exception of this type in place of a frame. */
export interface StreamException {
  type: string;
  /** How many frames come before it. */
  after: number;
}

/**
 * Answers calls in the forms of Bedrock's InvokeModel and of Vertex AI as these hosts do, with what an upstream that
 * speaks Messages says. Returns false for a call in another form.
 */
export function answerClaude(
  upstream: string,
  call: HostCall,
  response: ServerResponse,
  exception: StreamException | null,
): boolean {
  const path = decodeURIComponent(call.url.pathname);
  const invoked = /^\/model\/(.+)\/(invoke|invoke-with-response-stream|count-tokens)$/.exec(path);
  const predicted = /\/publishers\/anthropic\/models\/(.+):(rawPredict|streamRawPredict)$/.exec(path);
  if (invoked !== null) invoke(upstream, call, invoked, { response, exception });
  else if (predicted !== null) predict(upstream, call, predicted, response);
  else return listed(path, response);
  return true;
}

/** What an answer goes to, and what breaks it. */
interface Outlet {
  response: ServerResponse;
  exception: StreamException | null;
}

function invoke(upstream: string, call: HostCall, [, model, action]: string[], outlet: Outlet): void {
  const { response } = outlet;
  const sent: JsonObject = JSON.parse(call.body);
  if (action === "count-tokens") {
    count(upstream, model ?? "", sent, response);
    return;
  }
  const wrong = wrongOfInvoke(sent) ?? (call.headers["anthropic-version"] && "anthropic-version");
  if (wrong) {
    refuse(response, `Malformed input request: extraneous key [${wrong}] is not permitted`);
    return;
  }
  const { anthropic_version: _, anthropic_beta: __, ...body } = sent;
  const stream = action !== "invoke";
  ask(upstream, "/v1/messages", { ...body, model, stream }, (answer) =>
    stream && answer.statusCode === 200 ? wrapped(answer, outlet) : passed(answer, response),
  );
}

function wrongOfInvoke(body: JsonObject): string | undefined {
  if (body.anthropic_version !== "bedrock-2023-05-31") return "anthropic_version";
  const flags = Array.isArray(body.anthropic_beta) ? body.anthropic_beta : [];
  const isTaken = (name: string) => members.has(name) || flags.includes(brought.get(name) ?? "");
  return Object.keys(body).find((name) => !isTaken(name)) ?? flags.find((flag) => !betas.has(flag));
}

/** Bedrock counts for a model only, not for a profile, and only where a limit is given. */
function count(upstream: string, model: string, sent: JsonObject, response: ServerResponse): void {
  const { input } = sent as { input: { invokeModel: { body: string } } };
  const inner = JSON.parse(Buffer.from(input.invokeModel.body, "base64").toString());
  const wrong = wrongOfInvoke(inner) ?? (model.startsWith("us.") || inner.max_tokens === undefined);
  if (wrong) {
    refuse(response, `no count of ${wrong}`);
    return;
  }
  const { anthropic_version: _, max_tokens: __, ...body } = inner;
  ask(upstream, "/v1/messages/count_tokens", { ...body, model }, async (answer) => {
    const { input_tokens } = JSON.parse(await textOf(answer));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ inputTokens: input_tokens }));
  });
}

function predict(
  upstream: string,
  call: HostCall,
  [, model, method]: string[],
  response: ServerResponse,
): void {
  const { anthropic_version, ...body }: JsonObject = JSON.parse(call.body);
  const isCount = model === "count-tokens";
  const isRight = anthropic_version === "vertex-2023-10-16" && isCount === (body.model !== undefined);
  if (!isRight || (body.stream === true) !== (method === "streamRawPredict")) {
    const error = { code: 400, message: "Request contains an invalid argument.", status: "INVALID_ARGUMENT" };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify([{ error }]));
    return;
  }
  const path = isCount ? "/v1/messages/count_tokens" : "/v1/messages";
  ask(upstream, path, isCount ? body : { ...body, model }, (answer) => passed(answer, response));
}

function listed(path: string, response: ServerResponse): boolean {
  const models = { modelSummaries: [{ modelId: "anthropic.m", inferenceTypesSupported: ["ON_DEMAND"] }] };
  const profiles = {
    inferenceProfileSummaries: [{ inferenceProfileId: "us.anthropic.m", type: "SYSTEM_DEFINED" }],
  };
  const found = { "/foundation-models": models, "/inference-profiles": profiles }[path];
  if (found === undefined) return false;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
  return true;
}

function ask(
  upstream: string,
  path: string,
  body: unknown,
  then: (answer: IncomingMessage) => unknown,
): void {
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };
  httpRequest(`${upstream}${path}`, { method: "POST", headers }, (answer) => void then(answer)).end(
    JSON.stringify(body),
  );
}

function passed(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 0, answer.headers);
  answer.pipe(response);
}

/** Wraps the events of a stream in messages of AWS. */
function wrapped(answer: IncomingMessage, { response, exception }: Outlet): void {
  const sse = new SseDecoder();
  let frames = 0;
  response.writeHead(200, { "content-type": AWS_TYPE });
  answer.on("data", (bytes: Buffer) => {
    for (const { data } of sse.push(bytes)) {
      if (exception !== null && frames++ === exception.after)
        response.write(encodedException(exception.type, { message: "a canary text of the host" }));
      else response.write(encodedChunk(JSON.parse(data)));
    }
  });
  answer.on("end", () => response.end());
  answer.on("close", () => (answer.complete ? undefined : response.destroy()));
}

function refuse(response: ServerResponse, message: string): void {
  const type = "ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/";
  response.writeHead(400, { "content-type": "application/json", "x-amzn-errortype": type });
  response.end(JSON.stringify({ message }));
}
