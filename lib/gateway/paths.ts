import type { Protocol } from "@/lib/protocols/protocol";

/** The protocol whose error words a path uses. Source: docs/protocols.md#s13-1. */
export function pathProtocol(path: string): Protocol {
  return path === "/v1/messages" || path.startsWith("/v1/messages/") ? "messages" : "chat";
}
