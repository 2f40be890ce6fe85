import type { Metadata } from "next";
import type { Messages } from "./messages";
import { serverMessages } from "./server";

/** A `generateMetadata` whose title is one of an area's messages. */
export function titled<Area extends keyof Messages>(
  area: Area,
  pick: (messages: Messages[Area]) => string,
): () => Promise<Metadata> {
  return async () => ({ title: pick(await serverMessages(area)) });
}
