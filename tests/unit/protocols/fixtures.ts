import type { RecordedProtocol } from "@/tests/corpus/corpus";
import { chatFixtures } from "./chat-fixtures";
import { messagesFixtures } from "./messages-fixtures";

/** One upstream stream, as its bytes. */
export interface StreamFixture {
  name: string;
  upstream: RecordedProtocol;
  sse: string;
}

/** Every stream that ends well. */
export const goodStreams: readonly StreamFixture[] = [
  ...Object.entries(chatFixtures).map(([name, sse]) => ({ name, upstream: "chat" as const, sse })),
  ...Object.entries(messagesFixtures).map(([name, sse]) => ({ name, upstream: "messages" as const, sse })),
];
