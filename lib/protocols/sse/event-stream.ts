/** Content type of every stream of server-sent events. */
export const eventStreamType = "text/event-stream; charset=utf-8";

/** A keep-alive comment, which every client ignores. Source: docs/protocols.md#s12-6. */
export const commentPing = ": ping\n\n";
