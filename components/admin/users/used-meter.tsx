import { usedShare } from "@/lib/shared/balance";
import type { AdminUser } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Meter } from "../../ui/meter";

/** How much of its quota an account has used; in words too, because what is left stands above it. */
export function UsedMeter({ user }: { user: AdminUser }) {
  const text = useMessages("adminUsers").page;
  const format = useFormat();
  const share = usedShare(user);
  return (
    <span className="flex items-center gap-2">
      <Meter
        share={share}
        label={text.used}
        text={fill(text.usedOf, format.spent(user.usedExact, user.quota))}
        className="min-w-12"
      />
      <span aria-hidden className="tabular shrink-0 text-xs text-muted">
        {fill(text.usedShare, { share: format.percent(share) })}
      </span>
    </span>
  );
}
