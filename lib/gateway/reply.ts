/** What keeps a silent stream open. `text` is asked at the moment of writing, because it depends on the stream's state. */
export interface IdleFrame {
  afterMs: number;
  text(): string;
}

/** What the core answers: a whole body, or frames that are written as they come. Source: docs/architecture.md#s1-1. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A string is sent whole; an iterable is a stream that the adapter pulls, one write per item. */
  body: string | AsyncIterable<string>;
  idleFrame?: IdleFrame;
}

/** A JSON reply. */
export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(value),
  };
}
