import type { Protocol } from "@/lib/protocols/protocol";
import { chatFixtures } from "./chat-fixtures";
import { geminiFixtures } from "./gemini-fixtures";
import { messagesFixtures } from "./messages-fixtures";

/** One upstream stream, as its bytes. */
export interface StreamFixture {
  name: string;
  upstream: Exclude<Protocol, "responses">;
  sse: string;
}

/** Every stream that ends well. */
export const goodStreams: readonly StreamFixture[] = [
  ...Object.entries(chatFixtures).map(([name, sse]) => ({ name, upstream: "chat" as const, sse })),
  ...Object.entries(messagesFixtures).map(([name, sse]) => ({ name, upstream: "messages" as const, sse })),
  ...Object.entries(geminiFixtures).map(([name, sse]) => ({ name, upstream: "gemini" as const, sse })),
];
