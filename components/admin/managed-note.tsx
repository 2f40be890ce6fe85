"use client";

import { FileLock2 } from "lucide-react";
import { useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Note } from "../ui/states";

/** Says in a list that a record comes from the configuration file. */
export function ManagedBadge() {
  const common = useMessages("common");
  return (
    <Badge tone="neutral" icon={FileLock2}>
      {common.managedByFile}
    </Badge>
  );
}

/** Says in a record's own view that it is read-only here, and where to change it. */
export function ManagedNote() {
  const common = useMessages("common");
  return (
    <Note tone="info" icon={FileLock2}>
      <span className="font-medium">{common.managedByFile}.</span> {common.managedByFileHint}
    </Note>
  );
}
