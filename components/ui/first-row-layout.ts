import { headers } from "next/headers";
import type { RowLayout } from "./row-layout";

/** How the server renders rows: for a phone as cards alone, which is half of the page; else the width is not known. */
export async function firstRowLayout(): Promise<RowLayout> {
  const sent = await headers();
  const isPhone = sent.get("sec-ch-ua-mobile") === "?1" || /\bMobi/.test(sent.get("user-agent") ?? "");
  return isPhone ? "cards" : "both";
}
