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
  let buffer = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      buffer += value ?? "";
      const blocks = buffer.split(/\r?\n\r?\n/);
      buffer = done ? "" : (blocks.pop() ?? "");
      for (const block of blocks) {
        const frame = parseFrame(block);
        if (frame !== null) yield frame;
      }
      if (done) return;
      if (buffer.length > MAX_BUFFER) throw new Error("an event is too large");
    }
  } finally {
    await reader.cancel();
  }
}

function parseFrame(block: string): Frame | null {
  let event: string | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
