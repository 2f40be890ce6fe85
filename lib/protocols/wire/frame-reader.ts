import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import { SseDecoder, type SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { AwsFrameReader } from "./aws-frame-reader";

/** Converts the bytes of a streamed answer into the frames that decoders read. Throws: ProtocolError. */
export interface FrameReader {
  /** Handles the next bytes; returns the frames that they completed. */
  push(bytes: Buffer): SseFrame[];
  /** Handles the end of the bytes. */
  end(): SseFrame[];
  /** What ended the answer behind the frames that were returned; null: nothing. */
  readonly failure: UpstreamFailure | null;
}

const AWS_TYPE = "vnd.amazon.eventstream";

/** True for the content type of a stream. */
export function isStreamType(contentType: string): boolean {
  return contentType.includes("event-stream") || contentType.includes(AWS_TYPE);
}

/** The reader of a stream, by its content type. Source: docs/clouds.md#event-stream. */
export function frameReader(contentType: string): FrameReader {
  return contentType.includes(AWS_TYPE) ? new AwsFrameReader() : new SseDecoder();
}
