import { chatToMessages } from "@/lib/convert/chat-to-messages";
import {
  type Conversion,
  openConversion,
  type PrepareContext,
  type PreparedRequest,
} from "@/lib/convert/conversion";
import { forwardChat } from "@/lib/convert/forward-chat";
import { forwardMessages } from "@/lib/convert/forward-messages";
import { messagesToChat } from "@/lib/convert/messages-to-chat";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";
import { isUnknownVersion } from "@/lib/protocols/generation/version";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";
import { dropRefusedFields } from "@/lib/protocols/passes/refused-fields";

export type { PrepareContext, PreparedRequest } from "@/lib/convert/conversion";

/**
 * The exact request for one node. Same protocol on both sides: touched only where it must be. Otherwise
 * converted. Pure: the same body and context give the same bytes. `body` must have passed `validateRequest`.
 * Throws: INVALID_REQUEST for what this node cannot express. Source: docs/protocols.md#s4, #s5, #s6, #s7, #s8.
 */
export function prepareRequest(body: JsonObject, context: PrepareContext): PreparedRequest {
  const conversion = openConversion(context);
  const prepared = prepare(body, conversion);
  const refused = dropRefusedFields(prepared.body, context.profile.refusedFields);
  if (refused.length === 0) return prepared;
  for (const field of refused) conversion.warnings.dropped(field);
  return { ...prepared, warnings: conversion.warnings.list() };
}

function prepare(body: JsonObject, conversion: Conversion): PreparedRequest {
  const { context, warnings } = conversion;
  if (context.clientProtocol === "chat") {
    const request = body as ChatRequest; // validateRequest has checked it against chatRequest
    return context.upstreamProtocol === "chat"
      ? forwardChat(request, conversion)
      : chatToMessages(request, conversion);
  }
  if (isUnknownVersion(context.version)) warnings.add("version:unknown");
  const request = body as MessagesRequest; // validateRequest has checked it against messagesRequest
  return context.upstreamProtocol === "messages"
    ? forwardMessages(request, conversion)
    : messagesToChat(request, conversion);
}
