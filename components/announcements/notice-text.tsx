import type { ReactNode } from "react";

/** Bold words, code, a named link, or an address; a link that is not https is shown as it was written. */
const MARKS =
  /(\*\*[^*\n]+\*\*|`[^`\n]+`|\[[^\]\n]+\]\(https:\/\/[^\s()<>"]+\)|https?:\/\/[^\s<>"'，。；！？）】》]+)/;
const NAMED_LINK = /^\[([^\]]+)\]\((https:\/\/[^)]+)\)$/;
const TRAILING = /[.,;:!?)\]]+$/;
const ITEM = /^\s*(?:[-*]|(\d{1,3})[.)])\s+(.*)$/;

interface Block {
  kind: "text" | "bullets" | "numbers";
  lines: string[];
}

/** A text of an admin: paragraphs, lists, bold words, code and links of Markdown, and nothing else of it. No script. */
export function NoticeText(props: { text: string }) {
  return <div className="grid gap-2">{blocksOf(props.text).map(blockView)}</div>;
}

/** The same in a line of other words: what follows the first line only where all of it is wanted. */
export function NoticeLine(props: { text: string; all?: boolean }) {
  const lines = props.text.split("\n").filter((line) => line.trim() !== "");
  const shown = props.all === true ? lines : lines.slice(0, 1).map((line) => ITEM.exec(line)?.[2] ?? line);
  return <span className="whitespace-pre-line">{inline(shown.join("\n"))}</span>;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let goesOn = false;
  for (const line of text.split("\n")) {
    const [, number, words] = ITEM.exec(line) ?? [];
    const kind = words === undefined ? "text" : number === undefined ? "bullets" : "numbers";
    const last = blocks.at(-1);
    const isEmpty = line.trim() === "";
    if (!isEmpty && goesOn && last?.kind === kind) last.lines.push(words ?? line);
    else if (!isEmpty) blocks.push({ kind, lines: [words ?? line] });
    goesOn = !isEmpty;
  }
  return blocks;
}

function blockView({ kind, lines }: Block, place: number): ReactNode {
  if (kind === "text")
    return (
      <p key={place} className="wrap-anywhere whitespace-pre-line">
        {inline(lines.join("\n"))}
      </p>
    );
  // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text keep their order
  const items = lines.map((line, index) => <li key={index}>{inline(line)}</li>);
  return kind === "bullets" ? (
    <ul key={place} className="grid list-disc gap-1 pl-5 wrap-anywhere">
      {items}
    </ul>
  ) : (
    <ol key={place} className="grid list-decimal gap-1 pl-5 wrap-anywhere">
      {items}
    </ol>
  );
}

function inline(text: string): ReactNode {
  return text.split(MARKS).map((part, index) => {
    if (index % 2 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    return <Mark key={index} part={part} />;
  });
}

function Mark({ part }: { part: string }) {
  if (part.startsWith("**")) return <strong className="font-semibold">{part.slice(2, -2)}</strong>;
  if (part.startsWith("`"))
    return <code className="rounded-sm bg-hover px-1 font-mono">{part.slice(1, -1)}</code>;
  const [, name, target] = NAMED_LINK.exec(part) ?? [];
  if (name !== undefined && target !== undefined) return <NoticeLink href={target}>{name}</NoticeLink>;
  const address = part.replace(TRAILING, "");
  return (
    <>
      <NoticeLink href={address}>{address}</NoticeLink>
      {part.slice(address.length)}
    </>
  );
}

function NoticeLink(props: { href: string; children: string }) {
  return (
    <a
      href={props.href}
      rel="noopener noreferrer"
      className="rounded-sm font-medium wrap-anywhere underline underline-offset-2 hover:no-underline"
    >
      {props.children}
    </a>
  );
}
