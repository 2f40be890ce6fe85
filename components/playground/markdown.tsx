"use client";

import { lexer, type Token, type Tokens } from "marked";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { useMessages } from "../i18n/provider";
import { CodeColors } from "../ui/code-colors";
import { CopyButton } from "../ui/copy-button";
import { ScrollBox } from "../ui/scroll-box";

/** Markdown of a model as elements. HTML in it is shown as text, and nothing is loaded from elsewhere. */
export function Markdown(props: { text: string }) {
  const text = useDeferredValue(props.text);
  const tokens = useMemo(() => tokensOf(text), [text]);
  return <div className="grid min-w-0 gap-3 leading-6">{blocks(tokens)}</div>;
}

/** The library calls itself for each nested block, and some thousand levels are more than a stack holds. */
function tokensOf(text: string): Token[] {
  try {
    return lexer(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ type: "text", raw: text, text }];
  }
}

function blocks(tokens: readonly Token[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
  return (tokens ?? []).map((token, index) => <Inline key={index} token={token} />);
}

/** The library's type of tokens is open, so that each case names what its kind has. */
function Block({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "code":
      return <Code token={token as Tokens.Code} />;
    case "heading":
      return <p className="font-semibold wrap-anywhere">{inline(token.tokens)}</p>;
    case "hr":
      return <hr />;
    case "blockquote":
      return (
        <blockquote className="grid gap-3 border-l-2 pl-3 text-muted">
          {blocks(token.tokens ?? [])}
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <TextTable token={token as Tokens.Table} />;
    case "text":
    case "paragraph":
      return (
        <p className="wrap-anywhere whitespace-pre-wrap">{token.tokens ? inline(token.tokens) : token.raw}</p>
      );
    default:
      return <p className="wrap-anywhere whitespace-pre-wrap">{token.raw}</p>;
  }
}

function Inline({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "br":
      return <br />;
    case "codespan":
      return <code className="rounded-sm bg-card px-1 py-0.5 font-mono">{token.text}</code>;
    case "link":
      return <SafeLink href={String(token.href)}>{inline(token.tokens)}</SafeLink>;
    case "image":
      return <SafeLink href={String(token.href)}>{token.text || token.href}</SafeLink>;
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? token.text : inline(token.tokens);
    default:
      return token.raw;
  }
}

function SafeLink(props: { href: string; children: ReactNode }) {
  if (!/^(https?:|mailto:)/i.test(props.href)) return <span>{props.children}</span>;
  return (
    <a href={props.href} target="_blank" rel="noreferrer noopener" className="text-primary underline">
      {props.children}
    </a>
  );
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <li key={index}>
      <div className="grid gap-2">{blocks(item.tokens)}</div>
    </li>
  ));
  if (!token.ordered) return <ul className="grid list-disc gap-1 pl-6">{items}</ul>;
  return (
    <ol className="grid list-decimal gap-1 pl-6" start={token.start === "" ? 1 : token.start}>
      {items}
    </ol>
  );
}

function TextTable({ token }: { token: Tokens.Table }) {
  const text = useMessages("playground");
  const cell = "border px-2 py-1 text-left align-top";
  return (
    <ScrollBox label={text.table}>
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {token.header.map((head, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
              <th key={index} scope="col" className={`${cell} font-semibold`}>
                {inline(head.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
            <tr key={line}>
              {row.map((each, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
                <td key={index} className={cell}>
                  {inline(each.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Code({ token }: { token: Tokens.Code }) {
  const text = useMessages("playground");
  return (
    <div className="min-w-0 overflow-hidden rounded-md border bg-card">
      <div className="flex min-h-8 items-center justify-between border-b pr-1 pl-3 text-xs text-muted">
        <span className="font-mono">{token.lang ?? ""}</span>
        <CopyButton text={token.text} label={text.copyCode} iconOnly variant="ghost" />
      </div>
      <ScrollBox label={text.code}>
        <pre className="w-max min-w-full p-3 font-mono text-xs leading-5">
          <code>
            <CodeColors code={token.text} />
          </code>
        </pre>
      </ScrollBox>
    </div>
  );
}
