"use client";

import type { PriceProblem } from "@/lib/shared/prices/price-check";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { useQuestion } from "../../ui/use-question";
import { PriceProblems } from "./price-preview";

/** What is asked about, and when it comes into force; null: at once. Shape: ISO. */
interface Question {
  problems: PriceProblem[];
  from: string | null;
}

interface Doubt {
  /** Null while nothing is asked. */
  open: Question | null;
  /** Whether what looks like a mistake is meant; without problems it is. */
  ask: (problems: PriceProblem[], from?: string) => boolean | Promise<boolean>;
  answer: (meant: boolean) => void;
}

/** Asks whether prices or costs that look like a mistake are meant. */
export function useDoubt(): Doubt {
  const question = useQuestion<Question>();
  return {
    ...question,
    ask: (problems, from) => problems.length === 0 || question.ask({ problems, from: from ?? null }),
  };
}

/** The question of `useDoubt`. */
export function PriceDoubt(props: { doubt: Doubt; of: "prices" | "costs"; name: string }) {
  const text = useMessages("adminModels").change;
  const { doubt } = props;
  const format = useFormat();
  const words = text.confirm[props.of];
  if (doubt.open === null) return null;
  const { problems, from } = doubt.open;
  const { name } = props;
  const time = from === null ? null : format.dateTime(from);
  return (
    <ConfirmDialog
      open
      onClose={() => doubt.answer(false)}
      onConfirm={() => doubt.answer(true)}
      title={time === null ? fill(words.title, { name }) : fill(text.confirmFrom, { name, time })}
      body={<PriceProblems title={text.confirmBody} problems={problems} />}
      action={words.action}
    />
  );
}
