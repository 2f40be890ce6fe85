import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import type { CallInput, CallOptions } from "./call-input";
import { protocolKits } from "./kits";
import { numberOptionIds } from "./number-options";
import type { ProtocolKit } from "./protocol-kit";

/** The body of a call. */
export function bodyOf(input: CallInput): JsonObject {
  const kit = protocolKits[input.protocol];
  const { model, stop, stream, tools } = input;
  return nested({
    model,
    [kit.temperatureField ?? "temperature"]: Math.min(input.temperature, kit.highestTemperature),
    ...numberFields(kit, input),
    ...(kit.stopField === null || stop.length === 0 ? {} : { [kit.stopField]: stop }),
    stream,
    ...kit.answerForm(answerForm(kit, input)),
    ...kit.conversation(input),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => kit.tool(tool)) }),
  });
}

/** The body of fields whose names may have a dot: those are members of an object. */
function nested(fields: JsonObject): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    const [holder = name, member] = name.split(".");
    const before = body[holder];
    const added = member === undefined ? value : { [member]: value };
    body[holder] = isObject(before) && isObject(added) ? { ...before, ...added } : added;
  }
  return body;
}

/** The fields of a call with one question. Units: tokens. */
export function promptFields(protocol: ClientProtocol, question: string, maxTokens: number): JsonObject {
  return protocolKits[protocol].conversation({
    system: "",
    turns: [{ role: "user", text: question, images: [] }],
    maxTokens,
    stream: false,
  });
}

/** The fields of the set numbers that the protocol has. */
function numberFields(kit: ProtocolKit, options: CallOptions): JsonObject {
  const fields: JsonObject = {};
  for (const id of numberOptionIds) {
    const field = kit.numberFields[id];
    if (field !== undefined && options[id] !== null) fields[field] = options[id];
  }
  return fields;
}

/** Leaves out an effort that the protocol does not have. */
function answerForm(kit: ProtocolKit, { effort, json, schema }: CallInput) {
  return { effort: effort !== null && kit.efforts.includes(effort) ? effort : null, json, schema };
}
