import { dehydrate, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { GivenData } from "../api/given-data";
import { type Read, readKey } from "../api/read";
import { answerOfRender } from "./reads";
import type { PageProps } from "./viewer";

/**
 * Sends a page with its data: what these reads answer while it is rendered. The browser asks for what they do not; and
 * for all of it where the address narrows what the page shows or opens something on it (`search`): a drawer must not
 * open while the browser takes the page over, before the router knows its entry of the history.
 */
export async function FirstData(props: {
  reads: readonly Read[];
  search?: PageProps["searchParams"];
  children: ReactNode;
}) {
  const client = new QueryClient();
  const narrowed = Object.keys((await props.search) ?? {}).length > 0;
  await Promise.all(
    (narrowed ? [] : props.reads).map(async (read) => {
      client.setQueryData(readKey(read), await answerOfRender(read));
    }),
  );
  return <GivenData state={JSON.stringify(dehydrate(client))}>{props.children}</GivenData>;
}
