import type { JsonObject } from "@/lib/kernel/json-object";
import type { ConceptTable, FieldTable } from "@/lib/protocols/generation/concepts";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import type { GenerationRequest } from "@/lib/protocols/generation/request";
import type { ExtraRules } from "@/lib/protocols/passes/extra-costs";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import type { AnswerReader } from "./answer-reader";
import type { LimitEnding } from "./decoder";
import type { DirectAdapter } from "./direct-adapter";
import type { NodeApi } from "./node-api";
import type { Rendered, Target } from "./rendered";

/**
 * The node half of a protocol: how nodes are asked and how their answers are read. Pure as `ClientAdapter` is.
 * Source: docs/architecture.md#s2.
 */
export interface NodeAdapter extends AnswerReader {
  readonly id: string;
  /** Where and how nodes are asked. */
  readonly api: NodeApi;
  /** For clients of the same protocol; absent: their requests and answers are converted too. */
  readonly direct?: DirectAdapter;

  /** What each top-level field of a body is about. */
  readonly fields: FieldTable;
  /** What becomes of each concept of a request. */
  readonly concepts: ConceptTable;
  /** What costs extra. */
  readonly extras: ExtraRules;
  /** The body of a request. Throws: INVALID_REQUEST for what this node cannot express. */
  render(request: GenerationRequest, target: Target): Rendered;
  /**
   * A body without the reasoning that only its maker can read, for a node that has refused it; null: there is none in
   * it. Source: docs/responses.md#s3-3.
   */
  withoutReasoning?(body: JsonObject): JsonObject | null;

  /** A whole answer as the frames of a stream, for a node that did not stream though it was asked. */
  framesOfWhole(body: unknown, choices: number): SseFrame[];
  /** Makes the end of a stream that is cut at its output limit. */
  limitEnding(choices: number): LimitEnding;
  /** Reads the JSON of a whole answer as far as the adapter needs it; absent: all of it. Throws: SyntaxError. */
  readonly parseWhole?: (json: string) => unknown;
  /** Bytes that a whole answer may have; absent: 32 MiB. */
  readonly maxWholeBytes?: number;
  /** Reads the error body of a refusal. Throws: nothing. */
  readFailure(status: number | null, body: string): UpstreamFailure;
}
