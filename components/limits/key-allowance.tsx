"use client";

import { fromScaled, toScaled } from "@/lib/shared/decimal";
import { withQuery } from "../api/client";
import type { KeyRecord } from "../api/types";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Facts } from "../ui/card";
import { TextLink } from "../ui/link";

const DAY = "24h";

/** What a key may do beside its speed, and how often its limits have refused it in the last 24 hours. */
export function KeyAllowance(props: { apiKey: KeyRecord }) {
  const text = useMessages("limits").allowance;
  const format = useFormat();
  const { apiKey } = props;
  const left = fromScaled(toScaled(apiKey.quota) - toScaled(apiKey.usedQuota));
  return (
    <Facts
      className="border-t pt-4"
      rows={[
        [
          text.left,
          <span key="left" className="tabular">
            {fill(text.leftOf, { left: format.left(left), quota: format.money(apiKey.quota) })}
          </span>,
        ],
        [
          text.models,
          apiKey.models === null ? text.allModels : plural(text.some, apiKey.models.length, format.locale),
        ],
        [text.expires, apiKey.expiresAt === null ? text.never : format.dateTime(apiKey.expiresAt)],
        [text.refused, <Refusals key="refused" tokenId={apiKey.id} />],
        [
          text.settings,
          <TextLink key="settings" href={`/console/keys?key=${apiKey.id}`}>
            {fill(text.open, { name: apiKey.name })}
          </TextLink>,
        ],
      ]}
    />
  );
}

function Refusals({ tokenId }: { tokenId: string }) {
  const text = useMessages("limits").allowance;
  const common = useMessages("common");
  const format = useFormat();
  const stats = useRead("GET /api/user/stats", {
    query: { period: DAY, tz: format.timeZone, tokenId, model: null },
  });
  if (stats.isError) return common.errors.generic;
  const count = stats.data?.totals.errors.RATE_LIMITED;
  if (stats.data === undefined) return "–";
  if (count === undefined || count === 0) return text.noRefusals;
  return (
    <TextLink href={withQuery("/console/logs", { key: tokenId, errorCode: "RATE_LIMITED", period: DAY })}>
      {plural(text.refusals, count, format.locale)}
    </TextLink>
  );
}
