import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { ResponseResource } from "@/lib/protocols/responses/resource";

/** The stream of a response that is complete without any output and has used nothing. Source: docs/websocket.md#prepared. */
export function emptyResponse(options: EncoderOptions): string {
  const resource = new ResponseResource(options);
  const begun = resource.begunText();
  const ended = resource.endedText(
    { status: "completed", reason: null },
    { inputUncached: 0, output: 0 },
    "",
  );
  return [
    ["response.created", begun],
    ["response.in_progress", begun],
    ["response.completed", ended],
  ]
    .map(([type, response], index) => frame(`${type}`, index, `${response}`))
    .join("");
}

function frame(type: string, sequence: number, response: string): string {
  return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence},"response":${response}}\n\n`;
}
