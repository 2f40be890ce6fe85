"use client";

import { CopyButton } from "../ui/copy-button";

/** Copies a page of the docs as Markdown, which is loaded when it is wanted. */
export function CopyPage(props: { href: string; label: string }) {
  return <CopyButton size="md" label={props.label} text={() => load(`${props.href}.md`)} />;
}

async function load(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.text();
}
