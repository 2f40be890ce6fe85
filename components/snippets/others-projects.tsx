"use client";

import { useShell } from "../api/shell-facts";
import { useProjects } from "../api/use-projects";
import { useMessages } from "../i18n/provider";
import { TextLink } from "../ui/link";

/** Where the calls of an account are counted that works in projects of others; nothing for all others. */
export function OthersProjects() {
  const text = useMessages("common").projects;
  const { username } = useShell();
  const others = useProjects().filter(({ payer }) => payer.username !== username);
  if (others.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-sm">
      {text.elsewhere}
      {others.map(({ id, name }) => (
        <TextLink key={id} href={`/console/projects/${id}`}>
          {name}
        </TextLink>
      ))}
    </p>
  );
}
