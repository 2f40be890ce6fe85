"use client";

import { useWatch } from "react-hook-form";
import { typedMoment, typedText } from "@/lib/shared/typed";
import { dateToZoned } from "@/lib/shared/zoned-time";
import { inLanguage } from "../../announcements/hidden-notices";
import { NoticeStrip } from "../../announcements/notice-strip";
import { NoticeText } from "../../announcements/notice-text";
import type { Announcement } from "../../api/admin/types";
import { AreaField, CheckField, MomentField, More, SelectField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useAdminCall } from "../use-admin-change";

const tones = ["info", "warning"] as const;

type Draft = ReturnType<typeof draftOf>;

/** The form of an announcement, new or stored, with what readers will see. */
export function AnnouncementForm(props: {
  announcement: Announcement | null;
  onSent: (saved: Announcement) => void | Promise<void>;
  onCancel: () => void;
}) {
  const text = useMessages("adminSettings").announcements;
  const common = useMessages("common");
  const { timeZone } = useFormat();
  const call = useAdminCall();
  const { announcement } = props;
  return (
    <RecordForm
      {...(announcement === null
        ? { operation: "POST /api/admin/announcements" as const }
        : {
            operation: "PATCH /api/admin/announcements/{id}" as const,
            params: { id: announcement.id },
            record: announcement,
          })}
      call={call}
      keep={{ name: `announcement ${announcement?.id ?? ""}` }}
      initial={draftOf(announcement, timeZone)}
      toBody={(draft) => bodyOf(draft, announcement, timeZone)}
      onSent={props.onSent}
      submitLabel={announcement === null ? text.publish : common.save}
      onCancel={props.onCancel}
    >
      <AnnouncementFields translated={announcement !== null && hasChinese(announcement)} />
      {announcement !== null && <p className="text-sm text-muted">{text.again}</p>}
    </RecordForm>
  );
}

function AnnouncementFields(props: { translated: boolean }) {
  const text = useMessages("adminSettings").announcements;
  const zone = useFormat().zoneLabel();
  const textHint = (typed: string) => fill(text.textHint, { count: [...typed].length });
  return (
    <>
      <TextField<Draft> name="title" label={text.name} />
      <AreaField<Draft> name="text" label={text.text} hint={textHint} optional />
      <More label={text.chinese} open={props.translated}>
        <TextField<Draft> name="titleZh" label={text.titleZh} hint={text.titleZhHint} optional />
        <AreaField<Draft> name="textZh" label={text.textZh} hint={textHint} optional />
      </More>
      <SelectField<Draft>
        name="tone"
        label={text.tone}
        hint={text.toneHint}
        options={tones.map((value) => ({ value, label: text.tones[value] }))}
      />
      <MomentField<Draft> name="from" label={fill(text.from, { zone })} hint={text.fromHint} optional />
      <MomentField<Draft> name="until" label={fill(text.until, { zone })} hint={text.untilHint} optional />
      <div className="grid gap-1">
        <CheckField<Draft> name="public" label={text.public} />
        <p className="prose-width text-xs text-muted">{text.publicHint}</p>
      </div>
      <Preview />
    </>
  );
}

function Preview() {
  const text = useMessages("adminSettings").announcements;
  const names = ["title", "text", "titleZh", "textZh", "tone"] as const;
  const [title, words, titleZh, textZh, tone] = useWatch<Draft, typeof names>({ name: names });
  if (title.trim() === "") return null;
  const notice = { title, text: words, titleZh: titleZh.trim(), textZh: textZh.trim(), tone };
  return (
    <div className="overflow-hidden rounded-md border border-b-0">
      <NoticeStrip notice={notice} label={text.preview} />
      <WholeText text={words} />
      {hasChinese(notice) && (
        <>
          <NoticeStrip notice={inLanguage(notice, "zh-CN")} label={text.previewZh} />
          <WholeText text={notice.textZh} />
        </>
      )}
    </div>
  );
}

/** A text of several lines as the page of all announcements shows it: the banner has its first line. */
function WholeText(props: { text: string }) {
  const words = useMessages("adminSettings").announcements;
  if (!props.text.trim().includes("\n")) return null;
  return (
    <div className="grid gap-2 border-b p-4 text-sm">
      <p className="text-xs text-muted">{words.onPage}</p>
      <NoticeText text={props.text} />
    </div>
  );
}

function hasChinese({ titleZh, textZh }: Pick<Announcement, "titleZh" | "textZh">): boolean {
  return titleZh !== "" || textZh !== "";
}

function draftOf(announcement: Announcement | null, timeZone: string) {
  const zoned = (moment: string | null) => (moment === null ? "" : dateToZoned(new Date(moment), timeZone));
  return {
    title: announcement?.title ?? "",
    text: announcement?.text ?? "",
    titleZh: announcement?.titleZh ?? "",
    textZh: announcement?.textZh ?? "",
    tone: announcement?.tone ?? "info",
    from: zoned(announcement?.from ?? null),
    until: zoned(announcement?.until ?? null),
    public: announcement?.public ?? false,
  };
}

function bodyOf(draft: Draft, announcement: Announcement | null, timeZone: string) {
  const atOnce = announcement === null ? undefined : new Date().toISOString();
  return {
    title: typedText(draft.title),
    text: draft.text.trim(),
    titleZh: draft.titleZh.trim(),
    textZh: draft.textZh.trim(),
    tone: draft.tone,
    public: draft.public,
    from: typedMoment(draft.from, timeZone) ?? atOnce,
    until: typedMoment(draft.until, timeZone) ?? null,
  };
}
