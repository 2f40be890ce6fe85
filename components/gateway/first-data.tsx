import { type DehydratedState, dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PageRead } from "../api/page-reads";
import { answerOfRender } from "./reads";

/** What these reads answer while a page is rendered. The browser asks for what they do not. */
export async function firstData(reads: readonly PageRead[]): Promise<DehydratedState> {
  const client = new QueryClient();
  await Promise.all(
    reads.map(async (read) => {
      client.setQueryData(read.queryKey, await answerOfRender(read));
    }),
  );
  return dehydrate(client);
}

/** Sends a page with its numbers. */
export async function FirstData(props: { reads: readonly PageRead[]; children: ReactNode }) {
  return <HydrationBoundary state={await firstData(props.reads)}>{props.children}</HydrationBoundary>;
}
