import { clientPaths } from "@/lib/protocols/protocol";
import { wholeAnswer } from "../playground/answer";
import { headersOf, promptFields, sendCall } from "../playground/calls";

const QUESTION = "Hello!";
const MAX_TOKENS = 256;

/** Makes one short call with a key. Returns the text of the answer. Throws: ApiError for a refusal. */
export async function tryCall(secret: string, model: string, signal: AbortSignal): Promise<string> {
  const response = await sendCall(clientPaths.chat, {
    method: "POST",
    headers: headersOf("chat", secret),
    body: { ...promptFields("chat", QUESTION, MAX_TOKENS), model },
    signal,
  });
  return wholeAnswer("chat", await response.json()).text;
}
