"use client";

import { FormFrame } from "@/components/forms/form-frame";
import { type FieldErrors, type ReadResult, useRecordForm } from "@/components/forms/use-record-form";
import { NoticeStrip } from "../../announcements/notice-strip";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { dateToZoned, zonedToDate } from "../../i18n/zoned";
import { DateInput } from "../../ui/date-input";
import { Checkbox, Field, Input, Select, TextArea } from "../../ui/field";
import type { Announcement } from "../types";

const MAX_TITLE = 100;
const MAX_TEXT = 500;
const tones = ["info", "warning"] as const;
const ends = ["from", "until"] as const;

interface Draft {
  title: string;
  text: string;
  tone: Announcement["tone"];
  /** Wall-clock times of the reader's zone; empty for none. */
  from: string;
  until: string;
  public: boolean;
}

/** The body of an announcement's form. */
export interface AnnouncementBody extends Pick<Announcement, "title" | "text" | "tone" | "public" | "until"> {
  from?: string;
}

type FormState = Pick<
  ReturnType<typeof useRecordForm<Draft, AnnouncementBody>>,
  "draft" | "change" | "errors"
>;

/** The form of an announcement, new or stored, with what readers will see. */
export function AnnouncementForm(props: {
  announcement: Announcement | null;
  onSend: (body: AnnouncementBody) => Promise<void>;
  onCancel: () => void;
}) {
  const text = useMessages("adminSettings").announcements;
  const common = useMessages("common");
  const { timeZone } = useFormat();
  const { announcement } = props;
  const form = useRecordForm<Draft, AnnouncementBody>({
    keep: { name: `announcement ${announcement?.id ?? ""}` },
    initial: draftOf(announcement, timeZone),
    read: (draft) => read(draft, timeZone, text),
    send: props.onSend,
  });
  const { draft } = form;
  return (
    <FormFrame
      form={form}
      shown={["title", "text", "tone", "from", "until", "public"]}
      stored={announcement !== null}
      submitLabel={announcement === null ? text.publish : common.save}
      onCancel={props.onCancel}
    >
      <WordFields form={form} />
      <TimeFields form={form} />
      <Checkbox
        label={text.public}
        checked={draft.public}
        onChange={(event) => form.change({ public: event.target.checked })}
      />
      {draft.title.trim() !== "" && (
        <div className="overflow-hidden rounded-md border border-b-0">
          <NoticeStrip notice={draft} label={text.preview} />
        </div>
      )}
      {announcement !== null && <p className="text-sm text-muted">{text.again}</p>}
    </FormFrame>
  );
}

function WordFields(props: { form: FormState }) {
  const text = useMessages("adminSettings").announcements;
  const common = useMessages("common");
  const { draft, change, errors } = props.form;
  return (
    <>
      <Field label={text.name} errors={errors.title}>
        {(control) => (
          <Input
            {...control}
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={text.text}
        hint={fill(text.textHint, { count: [...draft.text].length })}
        errors={errors.text}
        optional={common.optional}
      >
        {(control) => (
          <TextArea
            {...control}
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        )}
      </Field>
      <Field label={text.tone} errors={errors.tone}>
        {(control) => (
          <Select
            {...control}
            value={draft.tone}
            options={tones.map((value) => ({ value, label: text.tones[value] }))}
            onChange={(event) => change({ tone: event.target.value === "warning" ? "warning" : "info" })}
          />
        )}
      </Field>
    </>
  );
}

function TimeFields(props: { form: FormState }) {
  const text = useMessages("adminSettings").announcements;
  const common = useMessages("common");
  const { draft, change, errors } = props.form;
  return ends.map((end) => (
    <Field
      key={end}
      label={text[end]}
      hint={end === "from" ? text.fromHint : text.untilHint}
      errors={errors[end]}
      optional={common.optional}
    >
      {(control) => (
        <DateInput
          {...control}
          kind="moment"
          value={draft[end]}
          onChange={(value) => change({ [end]: value })}
        />
      )}
    </Field>
  ));
}

function draftOf(announcement: Announcement | null, timeZone: string): Draft {
  const zoned = (moment: string | null) => (moment === null ? "" : dateToZoned(new Date(moment), timeZone));
  return {
    title: announcement?.title ?? "",
    text: announcement?.text ?? "",
    tone: announcement?.tone ?? "info",
    from: zoned(announcement?.from ?? null),
    until: zoned(announcement?.until ?? null),
    public: announcement?.public ?? false,
  };
}

function read(
  draft: Draft,
  timeZone: string,
  text: Messages["adminSettings"]["announcements"],
): ReadResult<AnnouncementBody> {
  const errors: FieldErrors = {};
  const title = draft.title.trim();
  const [from, until] = ends.map((end) => {
    const moment = zonedToDate(draft[end], timeZone);
    if (draft[end] !== "" && moment === null) errors[end] = [text.moment];
    return moment;
  });
  if (title === "" || [...title].length > MAX_TITLE) errors.title = [text.nameBounds];
  if ([...draft.text].length > MAX_TEXT) errors.text = [text.textBounds];
  if (until && until <= (from ?? new Date())) errors.until = [text.order];
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return {
    ok: true,
    body: {
      title,
      text: draft.text.trim(),
      tone: draft.tone,
      public: draft.public,
      until: until?.toISOString() ?? null,
      ...(from && { from: from.toISOString() }),
    },
  };
}
