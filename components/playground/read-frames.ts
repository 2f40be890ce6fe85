import { createParser } from "eventsource-parser";

/** One server-sent event. */
export interface Frame {
  event: string | null;
  data: string;
}

const MAX_BUFFER = 1_048_576;

/** The events of a streamed body, as they come. Throws when a single event is larger than 1 MiB. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  const frames: Frame[] = [];
  const parser = createParser({
    maxBufferSize: MAX_BUFFER,
    onEvent: ({ event = null, data }) => frames.push({ event, data }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new Error("an event is too large");
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(value ?? "\n\n"); // an end ends the last event too
      yield* frames.splice(0);
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
