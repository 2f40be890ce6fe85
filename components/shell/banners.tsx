"use client";

import { Info, TriangleAlert } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { DAY_MS } from "@/lib/kernel/durations";
import { fromScaled, ratio, toScaled } from "@/lib/shared/decimal";
import { AnnouncementBanner } from "../announcements/announcement-banner";
import { inLanguage } from "../announcements/hidden-notices";
import { timesOf } from "../announcements/times";
import type { AdminSettings } from "../api/admin/types";
import { firstKeys } from "../api/first-keys";
import { useShell } from "../api/shell-facts";
import type { KeyRecord, Profile, UserAnnouncement } from "../api/types";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { useFormat, useMessages } from "../i18n/provider";
import { Contact } from "../ui/contact";
import { TextLink } from "../ui/link";
import { Strip } from "../ui/strip";

const ALL_ANNOUNCEMENTS = "/console/announcements";
const WEEK_MS = 7 * DAY_MS;

interface Banner {
  /** What it is about: numbers in the message may change while it is hidden. */
  kind: string;
  tone: "danger" | "warning" | "info";
  message: string;
  link?: { href: string; label: string };
  /** Only an administrator can help. */
  needsAdmin?: boolean;
  closable: boolean;
}

/** The most important notice, and the most important announcement. */
export function Banners() {
  return (
    <>
      <OwnNotice />
      <Announcements />
    </>
  );
}

function Announcements() {
  const text = useMessages("shell").notices;
  const { hiddenNotices } = useShell();
  const format = useFormat();
  const announcements = useRead("GET /api/user/announcements").data?.data ?? [];
  if (usePathname() === ALL_ANNOUNCEMENTS) return null; // the page shows them itself
  return (
    <AnnouncementBanner
      announcements={[
        ...announcements.filter(({ current }) => current).map((one) => inLanguage(one, format.locale)),
        ...announcements
          .filter((one) => isSoon(one, format.now()))
          .map((one) => plannedText(inLanguage(one, format.locale), text, format)),
      ]}
      hidden={hiddenNotices}
      text={{ label: text.announcement, hide: text.hide }}
      more={
        <TextLink href={ALL_ANNOUNCEMENTS} className="text-inherit">
          {text.all}
        </TextLink>
      }
    />
  );
}

/** A warning that begins within a week. */
function isSoon({ tone, current, from }: UserAnnouncement, now: number): boolean {
  const startMs = Date.parse(from);
  return tone === "warning" && !current && startMs > now && startMs < now + WEEK_MS;
}

/** A planned announcement with its time before its text; put away, it is shown again when it begins. */
function plannedText(
  one: UserAnnouncement,
  words: Messages["shell"]["notices"],
  format: Format,
): UserAnnouncement & { planned: true } {
  const times = fill(words.planned, { times: timesOf(one, words, format) });
  return { ...one, text: `${times}\n\n${one.text}`, updatedAt: one.from, planned: true };
}

function OwnNotice() {
  const banner = useBanner();
  const text = useMessages("shell");
  const { contact } = useShell();
  const [hidden, setHidden] = useState<string | null>(null);
  if (banner === null || hidden === banner.kind) return null;
  const tones = {
    danger: "bg-danger-soft text-danger",
    warning: "bg-warning-soft text-warning",
    info: "bg-card text-muted",
  };
  return (
    <Strip
      icon={banner.tone === "info" ? Info : TriangleAlert}
      className={tones[banner.tone]}
      hide={banner.closable ? { label: text.banners.hide, onHide: () => setHidden(banner.kind) } : undefined}
    >
      {banner.message} {banner.needsAdmin && contact !== null && <ContactLine contact={contact} />}{" "}
      {banner.link !== undefined && <TextLink href={banner.link.href}>{banner.link.label}</TextLink>}
    </Strip>
  );
}

function ContactLine({ contact }: { contact: string }) {
  const [before, after] = useMessages("shell").banners.contact.split("{contact}");
  return (
    <>
      {before}
      <Contact contact={contact} />
      {after}
    </>
  );
}

function useBanner(): Banner | null {
  const text = useMessages("shell").banners;
  const format = useFormat();
  const { admin } = useShell();
  const self = useRead("GET /api/user/self").data;
  const keys = useRead("GET /api/user/tokens", firstKeys).data?.data ?? [];
  const openRegistration = useOpenRegistrationBanner(admin);
  const money = self === undefined ? null : moneyBanner(self);
  if (self?.status === "suspended")
    return { kind: "suspended", tone: "danger", message: text.suspended, needsAdmin: true, closable: false };
  if (openRegistration?.tone === "warning") return openRegistration;
  if (self !== undefined && money !== null) {
    const left = fromScaled(toScaled(self.quota) - toScaled(self.usedExact));
    const values = { left: format.left(left), ...format.spent(self.usedExact, self.quota) };
    return {
      kind: money,
      tone: money === "low" ? "warning" : "danger",
      message: fill(text[money], values),
      link: { href: "/console/billing", label: text.seeBilling },
      needsAdmin: money !== "low",
      closable: money === "low",
    };
  }
  const expiring = keys.filter(expiresSoon).length;
  if (expiring > 0) {
    return {
      kind: `${expiring} expiring`,
      tone: "warning",
      message: plural(text.expiring, expiring, format.locale),
      link: { href: "/console/keys", label: text.seeKeys },
      closable: true,
    };
  }
  return openRegistration;
}

type OpenRegistration = NonNullable<AdminSettings["openRegistration"]>;

/** Warns admins how much open registration lets anybody spend. */
function useOpenRegistrationBanner(admin: boolean): Banner | null {
  const text = useMessages("shell").banners;
  const format = useFormat();
  const open = useRead("GET /api/admin/settings", {}, { enabled: admin }).data?.openRegistration ?? null;
  if (open === null) return null;
  const free = open.centsPerHour === "0";
  return {
    kind: free ? "free registration" : "paid registration",
    tone: free ? "info" : "warning",
    message: free ? text.openRegistrationNoQuota : openRegistrationMessage(open, text, format),
    link: { href: "/admin/settings", label: text.changeRegistration },
    closable: true,
  };
}

function openRegistrationMessage(
  open: OpenRegistration,
  text: ReturnType<typeof useMessages<"shell">>["banners"],
  format: ReturnType<typeof useFormat>,
): string {
  const values = {
    perHour: format.money(open.centsPerHour),
    accounts: format.countFull(open.accountsPerHour),
    each: format.money(open.quotaCents + open.rewardCents),
    last: format.money(open.lastRequestCents),
  };
  const parts = [
    text.openRegistration,
    ...(open.lastRequestCents === "0" ? [] : [text.openRegistrationLast]),
  ];
  // Chinese sentences are joined without a space.
  return fill(parts.join(format.locale === "zh-CN" ? "" : " "), values);
}

function moneyBanner(self: Profile): "none" | "overdrawn" | "exhausted" | "low" | null {
  const left = toScaled(self.quota) - toScaled(self.usedExact);
  if (left < 0n) return "overdrawn";
  if (toScaled(self.quota) === 0n) return "none";
  if (left === 0n) return "exhausted";
  return ratio(self.usedExact, self.quota) > 0.8 ? "low" : null;
}

function expiresSoon(key: KeyRecord): boolean {
  if (key.expiresAt === null || key.status !== "active") return false;
  const expiresMs = new Date(key.expiresAt).getTime();
  // Keys with a lifetime of at most a day, like those of the playground, need no notice of their expiry.
  if (expiresMs - new Date(key.createdAt).getTime() <= DAY_MS) return false;
  const left = expiresMs - Date.now();
  return left > 0 && left < WEEK_MS;
}
