"use client";

import { FileLock2, FileX2 } from "lucide-react";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Note } from "../ui/states";

/** Marks a record in a list as managed by the configuration file. */
export function ManagedBadge() {
  const common = useMessages("common");
  return (
    <Badge tone="neutral" icon={FileLock2}>
      {common.managedByFile}
    </Badge>
  );
}

/** Explains that a record is read-only here, and where to change it. */
export function ManagedNote() {
  const common = useMessages("common");
  return (
    <Note tone="info" icon={FileLock2}>
      <span className="font-medium">{common.managedByFile}.</span> {common.managedByFileHint}
    </Note>
  );
}

/** Marks a record that the configuration file no longer declares. */
export function LeftFileBadge() {
  const common = useMessages("common");
  return (
    <Badge tone="warning" icon={FileX2}>
      {common.leftFile}
    </Badge>
  );
}

/** Explains what became of a record that the configuration file no longer declares. */
export function LeftFileNote(props: { since: string }) {
  const common = useMessages("common");
  const format = useFormat();
  return (
    <Note tone="warning" icon={FileX2}>
      <p className="font-medium">{common.leftFile}</p>
      <p>{fill(common.leftFileHint, { time: format.dateTime(props.since) })}</p>
    </Note>
  );
}
