"use client";

import { ChartColumn, Download, Table2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";

/** A chart with its title, the actions beside it, and a sentence that says what it shows. */
export function FigureFrame(props: {
  title: string;
  /** Of a figure within a section that has a heading of its own: `h4`. */
  heading?: "h2" | "h4" | undefined;
  actions: ReactNode;
  sentence: string;
  children: ReactNode;
}) {
  const { heading: Heading = "h2" } = props;
  const id = useId();
  return (
    <figure
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-sentence`}
      className="grid min-w-0 gap-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Heading id={`${id}-title`} className="text-sm font-medium">
          {props.title}
        </Heading>
        {props.actions}
      </div>
      {props.children}
      <figcaption id={`${id}-sentence`} className="text-sm text-muted">
        {props.sentence}
      </figcaption>
    </figure>
  );
}

/** What a chart can be turned into: a table, and a file where there is one. */
export function FigureActions(props: { asTable: boolean; onToggle: () => void; onExport?: () => void }) {
  const text = useMessages("common");
  const Icon = props.asTable ? ChartColumn : Table2;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" variant="ghost" onClick={props.onToggle}>
        <Icon aria-hidden className="size-4" />
        {props.asTable ? text.asChart : text.asTable}
      </Button>
      {props.onExport && (
        <Button size="sm" variant="ghost" onClick={props.onExport}>
          <Download aria-hidden className="size-4" />
          {text.chartCsv}
        </Button>
      )}
    </div>
  );
}
