"use client";

import { Download } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { withQuery } from "../api/client";
import { QueryRegion } from "../api/query-region";
import { useRead } from "../api/use-read";
import { MonthState } from "../billing/month-state";
import { Lines } from "../billing/statement-tables";
import { fill } from "../i18n/fill";
import { useMonthName } from "../i18n/month-name";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { Select } from "../ui/field";
import type { OpenedProject } from "./types";

/** A month of a project, for its owners. */
export function ProjectStatement({ project }: { project: OpenedProject }) {
  const months = useRead("GET /api/user/statements");
  const [wanted, setMonth] = useQueryState("month", parseAsString);
  return (
    <QueryRegion query={months}>
      {({ data }) => {
        const names = data.map(({ month }) => month);
        const month = names.find((one) => one === wanted) ?? names[0];
        if (month === undefined) return null;
        return (
          <div className="grid gap-6">
            <Actions project={project} months={names} month={month} onMonth={setMonth} />
            <Month project={project} month={month} />
          </div>
        );
      }}
    </QueryRegion>
  );
}

function Actions(props: {
  project: OpenedProject;
  months: string[];
  month: string;
  onMonth: (month: string) => void;
}) {
  const text = useMessages("statement");
  const common = useMessages("common");
  const nameOf = useMonthName();
  const { project, months, month, onMonth } = props;
  const query = { projectId: project.id, bom: true };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-44">
        <Select
          aria-label={text.month}
          value={month}
          options={months.map((value) => ({ value, label: nameOf(value) }))}
          onChange={({ target }) => onMonth(target.value)}
        />
      </div>
      <a className={buttonClass()} href={withQuery(`/api/user/statements/${month}/export`, query)} download>
        <Download aria-hidden className="size-4" />
        {common.downloadCsv}
      </a>
    </div>
  );
}

function Month({ project, month }: { project: OpenedProject; month: string }) {
  const text = useMessages("statement");
  const nameOf = useMonthName();
  const query = { projectId: project.id };
  const read = useRead(
    "GET /api/user/statements/{month}",
    { params: { month }, query },
    { placeholderData: undefined },
  );
  return (
    <QueryRegion query={read}>
      {(statement) => (
        <article aria-label={fill(text.of, { month: nameOf(month) })} className="grid gap-6">
          <h2 className="text-lg font-semibold">{fill(text.of, { month: nameOf(month) })}</h2>
          <MonthState statement={statement} at={read.dataUpdatedAt} />
          <Lines statement={statement} />
        </article>
      )}
    </QueryRegion>
  );
}
