import { printJson } from "@/lib/kernel/exact-json";
import { isObject } from "@/lib/kernel/json-object";
import type { Passed } from "@/lib/protocols/adapters/passthrough";
import type { PartialUsage } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { ResponsesPassthrough, rewritten } from "./passthrough";

/** Reads the whole response from its stream, for a client that wants no stream. */
export class GatheredResponse extends ResponsesPassthrough {
  override push(frame: SseFrame): Passed {
    return { wire: "", events: super.push(frame).events };
  }

  override end(usage?: PartialUsage): string {
    const response = this.terminal?.payload.response;
    return isObject(response)
      ? rewritten(printJson(response), response, response, this.options, usage)
      : "{}";
  }
}
