"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inLanguage } from "../../announcements/hidden-notices";
import type { Announcement } from "../../api/admin/types";
import { keyOf } from "../../api/read";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useAsked, useKeptEdit } from "../../lists/use-creating";
import type { Column } from "../../ui/columns";
import { Drawer } from "../../ui/drawer";
import { MenuItem, MenuSeparator } from "../../ui/menu";
import { Status } from "../../ui/status";
import { rowNameClass } from "../../ui/table";
import { toast } from "../../ui/toast";
import { ConfirmedCall } from "../confirmed-call";
import { AnnouncementForm } from "./announcement-form";
import { RecordCard } from "./record-card";

/** The title in the reader's language. */
function useTitle(): (announcement: Announcement) => string {
  const { locale } = useFormat();
  return (announcement) => inLanguage(announcement, locale).title;
}

/** As the palette asks for a new one. */
const asked = ["announcement"] as const;

type Task = { kind: "create" } | { kind: "edit" | "delete"; announcement: Announcement };

/** What admins tell users and visitors. */
export function Announcements() {
  const text = useMessages("adminSettings").announcements;
  const common = useMessages("common");
  const announcements = useRead("GET /api/admin/announcements");
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  useAsked("create", asked, true, () => setTask({ kind: "create" }));
  useKeptEdit("announcement ", announcements.data?.data, (one) =>
    setTask({ kind: "edit", announcement: one }),
  );
  return (
    <RecordCard
      opens
      text={text}
      query={announcements}
      columns={useAnnouncementColumns((announcement) => setTask({ kind: "edit", announcement }))}
      nameOf={useTitle()}
      onEdit={(announcement) => setTask({ kind: "edit", announcement })}
      menu={(announcement) => (
        <>
          <MenuItem onClick={() => setTask({ kind: "edit", announcement })}>{common.edit}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onClick={() => setTask({ kind: "delete", announcement })}>
            {common.delete}
          </MenuItem>
        </>
      )}
      note={<p className="border-b p-4 text-sm text-muted">{text.incidents}</p>}
      onCreate={() => setTask({ kind: "create" })}
    >
      {(task?.kind === "create" || task?.kind === "edit") && (
        <AnnouncementSheet announcement={task.kind === "edit" ? task.announcement : null} onClose={close} />
      )}
      {task?.kind === "delete" && <DeleteAnnouncement announcement={task.announcement} onClose={close} />}
    </RecordCard>
  );
}

function useAnnouncementColumns(onOpen: (announcement: Announcement) => void): Column<Announcement>[] {
  const text = useMessages("adminSettings").announcements;
  const format = useFormat();
  const titleOf = useTitle();
  const { columns } = text;
  return [
    {
      id: "title",
      head: columns.title,
      cell: (announcement) => (
        <button
          type="button"
          aria-label={fill(text.editTitle, { name: titleOf(announcement) })}
          onClick={() => onOpen(announcement)}
          className={rowNameClass}
        >
          {titleOf(announcement)}
        </button>
      ),
    },
    { id: "state", head: columns.state, card: "plain", cell: (announcement) => <State of={announcement} /> },
    {
      id: "shownTo",
      head: columns.shownTo,
      cell: (announcement) => text.audiences[announcement.public ? "everybody" : "users"],
    },
    { id: "from", head: columns.from, cell: ({ from }) => format.minute(from) },
    {
      id: "until",
      head: columns.until,
      cell: ({ until }) => (until === null ? text.open : format.minute(until)),
    },
  ];
}

function State(props: { of: Announcement }) {
  const text = useMessages("adminSettings").announcements.states;
  const { from, until } = props.of;
  const now = new Date().toISOString();
  if (from > now) return <Status tone="off">{text.scheduled}</Status>;
  if (until !== null && until <= now) return <Status tone="off">{text.ended}</Status>;
  return <Status tone="normal">{text.current}</Status>;
}

/** What users see, here above the page as well, follows at once. */
function useAnnouncementsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf("/api/user/announcements") });
}

function AnnouncementSheet(props: { announcement: Announcement | null; onClose: () => void }) {
  const text = useMessages("adminSettings").announcements;
  const changed = useAnnouncementsChanged();
  const { announcement, onClose } = props;
  const titleOf = useTitle();
  const format = useFormat();
  async function done(saved: Announcement) {
    await changed();
    const isLater = Date.parse(saved.from) > format.now();
    const words = announcement !== null ? text.saved : isLater ? text.planned : text.published;
    toast.done(fill(words, { name: titleOf(saved), time: format.minute(saved.from) }));
    onClose();
  }
  const title =
    announcement === null ? text.createTitle : fill(text.editTitle, { name: titleOf(announcement) });
  return (
    <Drawer onClose={onClose} title={title}>
      <AnnouncementForm announcement={announcement} onSent={done} onCancel={onClose} />
    </Drawer>
  );
}

function DeleteAnnouncement(props: { announcement: Announcement; onClose: () => void }) {
  const text = useMessages("adminSettings").announcements;
  const { id } = props.announcement;
  const title = useTitle()(props.announcement);
  const changed = useAnnouncementsChanged();
  return (
    <ConfirmedCall
      title={fill(text.deleteTitle, { name: title })}
      body={text.deleteBody}
      action={text.deleteAction}
      send={(call) => call("DELETE /api/admin/announcements/{id}", { params: { id } }).then(changed)}
      done={fill(text.deleted, { name: title })}
      onClose={props.onClose}
    />
  );
}
