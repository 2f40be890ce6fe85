"use client";

import { useState } from "react";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import type { PriceProblem } from "./price-check";
import { PriceProblems } from "./price-preview";

interface Doubt {
  /** What is asked about; null while nothing is. */
  open: PriceProblem[] | null;
  /** Whether what looks like a mistake is meant; without problems it is. */
  ask: (problems: PriceProblem[]) => boolean | Promise<boolean>;
  answer: (meant: boolean) => void;
}

/** Asks whether prices or costs that look like a mistake are meant. */
export function useDoubt(): Doubt {
  const [asked, setAsked] = useState<{ problems: PriceProblem[]; answer: (meant: boolean) => void } | null>(
    null,
  );
  return {
    open: asked?.problems ?? null,
    ask: (problems) =>
      problems.length === 0 || new Promise<boolean>((answer) => setAsked({ problems, answer })),
    answer: (meant) => {
      asked?.answer(meant);
      setAsked(null);
    },
  };
}

/** The question of `useDoubt`. */
export function PriceDoubt(props: { doubt: Doubt; of: "prices" | "costs"; name: string }) {
  const text = useMessages("adminModels").change;
  const { doubt } = props;
  const words = text.confirm[props.of];
  if (doubt.open === null) return null;
  return (
    <ConfirmDialog
      open
      onClose={() => doubt.answer(false)}
      onConfirm={() => doubt.answer(true)}
      title={fill(words.title, { name: props.name })}
      body={<PriceProblems title={text.confirmBody} problems={doubt.open} />}
      action={words.action}
    />
  );
}
