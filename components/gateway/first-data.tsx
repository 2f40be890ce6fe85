import { dehydrate, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { GivenData } from "../api/given-data";
import type { PageRead } from "../api/page-reads";
import { answerOfRender } from "./reads";

/** Sends a page with its numbers: what these reads answer while it is rendered. The browser asks for what they do not. */
export async function FirstData(props: { reads: readonly PageRead[]; children: ReactNode }) {
  const client = new QueryClient();
  await Promise.all(
    props.reads.map(async (read) => {
      client.setQueryData(read.queryKey, await answerOfRender(read));
    }),
  );
  return <GivenData state={dehydrate(client)}>{props.children}</GivenData>;
}
