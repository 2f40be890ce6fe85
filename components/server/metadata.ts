import type { Metadata } from "next";
import type { Messages } from "../i18n/messages";
import { serverMessages } from "./messages";

/** A `generateMetadata` whose title is one of an area's messages. */
export function titled<Area extends keyof Messages>(
  area: Area,
  pick: (messages: Messages[Area]) => string,
): () => Promise<Metadata> {
  return async () => ({ title: pick(await serverMessages(area)) });
}
