"use client";

import { useState } from "react";
import type { CallInput } from "@/lib/protocols/kit/call-input";
import { protocolKits } from "@/lib/protocols/kit/kits";
import { branched, switched } from "./branches";
import {
  type CallPlace,
  type Exchange,
  emptyAnswer,
  isRunning,
  turnsFor,
  type UserMessage,
  withChange,
  withResults,
} from "./conversation";
import type { KeptContent } from "./kept-conversations";
import { settled } from "./stored-playground";
import { noTexts, type PlaygroundTexts, textsOf } from "./texts";
import { useCalls } from "./use-calls";
import type { KeptConversation } from "./use-kept-conversation";
import { type MessageDraft, usePlaygroundStorage } from "./use-playground-storage";
import { ownParametersOf, type SharedSettings } from "./use-settings";
import { useTaken } from "./use-taken";

/** The settings of the next calls; each model gets the same, but for parameters of its own. */
export type CallSettings = Omit<CallInput, "turns" | "model"> & Pick<SharedSettings, "models" | "own">;

/** The conversation of this tab, which a reload keeps with the texts beside it, and the calls in flight. */
export function useConversation(getSecret: () => Promise<string>) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [texts, setTexts] = useState(noTexts);
  const running = exchanges.some(isRunning);
  const taking = useTaken(exchanges, setExchanges);
  const { taken, release } = taking;
  // What is being written anew is not lost before it is sent.
  const whole = taken?.act === "edited" ? taken.before : exchanges;
  function show(content: KeptContent) {
    setExchanges(content.exchanges);
    setTexts(textsOf(content));
  }
  const { draft, kept } = usePlaygroundStorage({ exchanges: whole, texts, running }, show);
  const { ask, stop, raw } = useCalls(getSecret, running, (place, change) =>
    setExchanges((before) => withChange(before, place, change)),
  );

  function send(settings: CallSettings, message: UserMessage, replaced = replacedBy(taken)): Promise<void> {
    const next = branched(exchangeOf(settings, message), replaced);
    const at = exchanges.findIndex(({ id }) => id === replaced[0]?.id);
    const all = [...(at < 0 ? exchanges : exchanges.slice(0, at)), next];
    setExchanges(all);
    release();
    return ask(
      settings.models.map((model) => ({
        place: { id: next.id, model, step: 0 },
        input: { ...callOf(settings, model), turns: turnsFor(model, all) },
      })),
    );
  }

  /** Sends what the tools gave that a model's answer asks for, in the protocol of that answer. */
  async function sendResults(
    settings: CallSettings,
    { id, model }: Pick<CallPlace, "id" | "model">,
    results: readonly string[],
  ): Promise<void> {
    const all = withResults(exchanges, id, model, results);
    const own = all.find((each) => each.id === id)?.answers.find((each) => each.model === model);
    if (own === undefined) return;
    setExchanges(all);
    const input = { ...callOf(settings, model), protocol: own.protocol, turns: turnsFor(model, all) };
    await ask([{ place: { id, model, step: own.steps.length - 1 }, input }]);
  }

  return {
    exchanges,
    texts,
    setTexts,
    running,
    draft,
    send,
    sendResults,
    stop,
    rawOf: raw.of,
    /** Sends the last message anew; its answers stay as another branch, unless the call has failed. */
    sendAgain: (settings: CallSettings, message: UserMessage) => send(settings, message, exchanges.slice(-1)),
    /** Shows another branch from a message on. */
    switchBranch: (id: string, to: number) => setExchanges(switched(exchanges, id, to)),
    ...movesOf({ exchanges, whole, texts, running, draft, kept, stop, forgetRaw: raw.forget, taking, show }),
    /** The id of the conversation in the list; null while it is not there. */
    keptId: kept.id,
    /** What was taken away last; null once the conversation has gone on. */
    taken,
  };
}

/** What leaves the present place of the conversation. */
function movesOf(page: {
  exchanges: readonly Exchange[];
  /** With what is being written anew. */
  whole: readonly Exchange[];
  texts: PlaygroundTexts;
  running: boolean;
  draft: MessageDraft;
  kept: KeptConversation;
  stop: () => void;
  forgetRaw: () => () => void;
  taking: ReturnType<typeof useTaken>;
  show: (content: KeptContent) => void;
}) {
  const { exchanges, draft, kept, texts } = page;
  const { take, release } = page.taking;
  /** Leaves the conversation, as it is, in the list. The result comes back to it. */
  function leave(): { before: readonly Exchange[]; putBack: () => void } {
    page.stop();
    const before = page.whole.map(settled);
    kept.save({ exchanges: before, ...texts });
    return { before, putBack: kept.begin() };
  }
  return {
    /** Takes a message back, with all after it, to be written anew, with the images that this page still has. */
    edit: (id: string) => {
      const at = exchanges.findIndex((exchange) => exchange.id === id);
      const edited = exchanges[at];
      if (edited === undefined || page.running) return;
      const written = draft.current();
      const putBack = () => draft.write(written);
      take("edited", { rest: exchanges.slice(0, at), before: exchanges, putBack });
      draft.write({ message: edited.message, images: edited.images.filter(({ url }) => url !== null) });
    },
    /** Begins anew. */
    clear: () => {
      const { before, putBack } = leave();
      const restoreRaw = page.forgetRaw();
      const undo = () => {
        putBack();
        restoreRaw();
      };
      take("cleared", { rest: [], before, putBack: undo });
    },
    /** Goes on with a kept conversation; the models that it asked last, none where it is no more. */
    open: (id: string): string[] => {
      const { putBack } = leave();
      const content = kept.open(id);
      if (content === null) {
        putBack();
        return [];
      }
      page.show(content);
      release();
      return content.exchanges.at(-1)?.answers.map(({ model }) => model) ?? [];
    },
    /** Empties the page, because the conversation was deleted from the list. */
    drop: () => {
      page.stop();
      kept.begin();
      page.show({ exchanges: [], ...texts });
      release();
    },
  };
}

/** The exchanges in whose place an edited message is sent. */
function replacedBy(taken: ReturnType<typeof useTaken>["taken"]): readonly Exchange[] {
  return taken?.act === "edited" ? taken.before.slice(taken.rest.length) : [];
}

/** A message before anything of its answers came. */
function exchangeOf(settings: CallSettings, message: UserMessage): Exchange {
  const { models } = settings;
  const json =
    settings.schema !== null || (settings.json && protocolKits[settings.protocol].jsonWithoutSchema);
  const answers = models.map((model) => ({
    ...emptyAnswer(model, settings.protocol, json),
    ...(models.length > 1 && { parameters: ownParametersOf(settings, model) }),
  }));
  return { id: crypto.randomUUID?.() ?? String(performance.now()), ...message, answers };
}

/** The call to one of the models. */
export function callOf(settings: CallSettings, model: string): Omit<CallInput, "turns"> {
  const { models: _models, own: _own, ...shared } = settings;
  return { ...shared, ...ownParametersOf(settings, model), model };
}
