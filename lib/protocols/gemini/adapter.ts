import type { ProtocolAdapter } from "@/lib/protocols/adapters/protocol-adapter";
import { geminiClient } from "./client/adapter";
import { geminiDirect } from "./direct/adapter";
import { geminiNode } from "./node/adapter";

/**
 * Gemini: `generateContent` and its stream, whose chunks are partial answers. The model and the method are in the path.
 * Source: docs/gemini.md#answers.
 */
export const geminiAdapter: ProtocolAdapter = { ...geminiClient, ...geminiNode, direct: geminiDirect };
