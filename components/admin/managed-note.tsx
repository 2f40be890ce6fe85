"use client";

import { FileLock2 } from "lucide-react";
import { useMessages } from "../i18n/provider";
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
