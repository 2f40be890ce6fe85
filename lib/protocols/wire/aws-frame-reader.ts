import { ProtocolError, type UpstreamFailure } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { readAwsEvent } from "./aws-event-frames";
import { AwsEventStreamReader } from "./aws-event-stream";

/**
 * Converts bytes of `application/vnd.amazon.eventstream` into the frames that its chunks wrap. An exception, and a
 * message that cannot be read, is the failure that ends the answer. Source: docs/clouds.md#event-stream.
 */
export class AwsFrameReader {
  failure: UpstreamFailure | null = null;
  readonly #messages = new AwsEventStreamReader();

  push(bytes: Buffer): SseFrame[] {
    const frames: SseFrame[] = [];
    try {
      for (const message of this.#messages.push(bytes)) {
        if (this.failure !== null) break;
        const event = readAwsEvent(message);
        if (event === null) continue;
        if ("failure" in event) this.failure = event.failure;
        else frames.push(event.frame);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.failure = error.failure;
    }
    this.#readFailure();
    return frames;
  }

  end(): SseFrame[] {
    this.#messages.end();
    this.#readFailure();
    return [];
  }

  #readFailure(): void {
    this.failure ??= this.#messages.failure?.failure ?? null;
  }
}
