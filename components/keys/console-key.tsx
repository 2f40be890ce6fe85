"use client";

import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Fold } from "../ui/fold";
import { TextLink } from "../ui/link";

/** The console's own key, folded below the list; nothing when it was never used. */
export function ConsoleKey() {
  const text = useMessages("keys").consoleKey;
  const format = useFormat();
  const key = useRead("GET /api/user/console-key").data?.apiKey ?? null;
  if (key === null) return null;
  const ended = key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now();
  return (
    <Fold
      className="mt-4 rounded-lg border px-4 py-2 text-sm"
      heading={text.title}
      headingClass="min-h-6 py-1 font-medium pointer-coarse:min-h-11"
    >
      <div className="grid gap-2 py-2">
        <p className="prose-width text-muted">{text.about}</p>
        <p>
          {fill(text.used, { prefix: key.keyPrefix, used: format.money(String(key.usedQuota)) })}
          {format.gap}
          {key.expiresAt !== null &&
            fill(ended ? text.ended : text.ends, { time: format.dateTime(key.expiresAt) })}
        </p>
        <p>
          <TextLink href={`/console/logs?key=${key.id}`}>{text.logs}</TextLink>
        </p>
      </div>
    </Fold>
  );
}
