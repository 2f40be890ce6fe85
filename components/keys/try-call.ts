import { promptFields } from "@/lib/protocols/kit/call-body";
import { protocolKits } from "@/lib/protocols/kit/kits";
import { headersOf, sendCall } from "../playground/calls";
import { wholeAnswer } from "../playground/read-answer";

const QUESTION = "Hello!";
const MAX_TOKENS = 256;

/** Makes one short call with a key. Returns the text of the answer. Throws: ApiError for a refusal. */
export async function tryCall(secret: string, model: string, signal: AbortSignal): Promise<string> {
  const response = await sendCall(protocolKits.chat.path, {
    method: "POST",
    headers: headersOf("chat", secret),
    body: { ...promptFields("chat", QUESTION, MAX_TOKENS), model },
    signal,
  });
  return wholeAnswer("chat", await response.json()).text;
}
