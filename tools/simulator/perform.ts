import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Behaviour } from "./behaviour";
import { errorFrame, errorScript, type Script, statusScript } from "./simulate";

const HTML = "<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>";

/**
 * Sends a script, faults and pauses included.
 * `calls` counts the calls of this model, this one included.
 * Shape: true when the answer was sent to its end as a real success would be; false for faults and clients that left.
 */
export async function perform(script: Script, response: ServerResponse, calls: number): Promise<boolean> {
  const { behaviour } = script;
  if (script.plain) return sendWhole(response, script);
  if (behaviour.firstMs > 0) await pause(behaviour.firstMs);
  if (response.destroyed) return false;
  if (behaviour.status !== null && calls <= (behaviour.firstCalls ?? calls))
    return sendWhole(response, statusScript(script, behaviour.status));
  if (behaviour.fault !== null) return misbehave(script, behaviour.fault, response);
  if (!script.stream) return sendWholeOrCut(script, response);
  return sendFrames(script, response);
}

function sendWhole(response: ServerResponse, script: Script): boolean {
  response.writeHead(script.status, script.headers);
  response.end(script.text);
  return script.status < 400;
}

function sendWholeOrCut(script: Script, response: ServerResponse): boolean {
  const { cutAfter, eofAfter, stallAfter, errorAfter } = script.behaviour;
  if (errorAfter !== null) return sendWhole(response, errorScript(script.protocol, 500, "simulated failure"));
  if (cutAfter === null && eofAfter === null && stallAfter === null) return sendWhole(response, script);
  response.writeHead(script.status, script.headers);
  response.write(script.text.slice(0, script.text.length >> 1));
  if (stallAfter === null) response.socket?.destroySoon();
  return false;
}

function misbehave(
  script: Script,
  fault: NonNullable<Behaviour["fault"]>,
  response: ServerResponse,
): boolean {
  switch (fault) {
    case "hang":
      return false;
    case "reset":
      response.socket?.resetAndDestroy();
      return false;
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end(HTML);
      return false;
    case "empty":
      response.writeHead(200, { "content-type": contentType(script) }).end();
      return false;
    case "garbage":
      response.writeHead(200, { "content-type": contentType(script) });
      response.end(script.stream ? "data: {not json\n\n" : "{not json");
      return false;
    case "error-in-200":
      // Not with the script's own headers: they tell the length of the good answer.
      response
        .writeHead(200, { "content-type": contentType(script) })
        .end(script.stream ? errorFrame(script) : errorText(script));
      return false;
  }
}

function contentType(script: Script): string {
  return script.headers["content-type"] ?? "application/json";
}

function errorText(script: Script): string {
  return errorScript(script.protocol, 500, "simulated failure inside a 200").text;
}

async function sendFrames(script: Script, response: ServerResponse): Promise<boolean> {
  const { behaviour } = script;
  response.writeHead(script.status, script.headers);
  for (const [index, part] of script.parts.entries()) {
    if (index > 0 && behaviour.everyMs > 0) await pause(behaviour.everyMs);
    if (response.destroyed) return false;
    const broken = breakOff(script, index, response);
    if (broken) return false;
    if (!response.write(behaviour.stamp ? stamped(part) : part)) await writable(response);
  }
  response.end();
  return true;
}

/** Resolves when the reader takes bytes again, or has gone. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
  });
}

/** True when the stream is to go no further than its first `index` frames. */
function breakOff(script: Script, index: number, response: ServerResponse): boolean {
  const { cutAfter, eofAfter, stallAfter, errorAfter } = script.behaviour;
  if (cutAfter === index) response.socket?.destroySoon();
  else if (eofAfter === index) response.end();
  else if (errorAfter === index) response.end(errorFrame(script));
  else return stallAfter === index;
  return true;
}

/** The numbered words of `chunks-N` become the moment of sending. */
function stamped(part: string): string {
  return part.replace(/simulated\d+ /, () => `${(performance.timeOrigin + performance.now()).toFixed(3)} `);
}
