"use client";

import { Fragment, type ReactNode } from "react";
import type { LoginRecord } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { useEndLogin, useLoginName } from "./use-logins";

/** Sign-ins or tokens, each with where and when, and the button that ends it. */
export function LoginList(props: { label: string; logins: LoginRecord[]; action: string }) {
  const text = useMessages("settings").logins;
  const nameOf = useLoginName();
  const end = useEndLogin();
  return (
    <ul aria-label={props.label} className="divide-y rounded-lg border">
      {props.logins.map((login) => (
        <li key={login.id} className="flex items-center gap-3 px-3 py-3">
          <div className="grid min-w-0 grow gap-0.5">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="text-sm font-medium wrap-anywhere" title={login.client || undefined}>
                {nameOf(login)}
              </span>
              {login.current && <Badge tone="success">{text.current}</Badge>}
            </div>
            <Facts of={login} />
          </div>
          {!login.current && (
            <Button
              size="sm"
              className="shrink-0"
              aria-label={fill(text.actionOn, { action: props.action, name: nameOf(login) })}
              disabled={end.isPending && end.variables.id === login.id}
              onClick={() => end.mutate(login)}
            >
              {props.action}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Address, since when, last use and, of a token, its end. */
function Facts({ of: login }: { of: LoginRecord }) {
  const text = useMessages("settings").logins;
  const format = useFormat();
  const { kind, ip, createdAt, lastUsedAt, expiresAt } = login;
  const isToken = kind === "token";
  const facts: [string, ReactNode][] = [
    ...(kind === "login" ? [["kind", text.byApi] satisfies [string, ReactNode]] : []),
    ...(ip === "" || isToken ? [] : [["ip", ip] satisfies [string, ReactNode]]),
    ["since", <At key="since" iso={createdAt} words={fill(text.since, { date: format.date(createdAt) })} />],
    [
      "used",
      lastUsedAt === null ? (
        text.unused
      ) : (
        <At key="used" iso={lastUsedAt} words={fill(text.lastUsed, { ago: format.relative(lastUsedAt) })} />
      ),
    ],
    ...(isToken
      ? [
          [
            "ends",
            <At key="ends" iso={expiresAt} words={fill(text.endsOn, { date: format.date(expiresAt) })} />,
          ] satisfies [string, ReactNode],
        ]
      : []),
  ];
  return (
    <p className="text-xs text-muted wrap-anywhere">
      {facts.map(([id, fact], index) => (
        <Fragment key={id}>
          {index > 0 && " · "}
          {fact}
        </Fragment>
      ))}
    </p>
  );
}

/** A moment in words, with the exact time in a tooltip. */
function At(props: { iso: string; words: string }) {
  const format = useFormat();
  return (
    <time dateTime={props.iso} title={format.dateTime(props.iso)}>
      {props.words}
    </time>
  );
}
