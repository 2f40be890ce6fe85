"use client";

import { Code, Plus } from "lucide-react";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import { useShell } from "../api/shell-facts";
import { useMessages } from "../i18n/provider";
import { Button, buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { copyText } from "../ui/copy-button";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import { callSnippet, type SnippetLanguage, snippetLanguages } from "./call-snippet";
import { withFileNames } from "./code-images";
import { turnsFor } from "./conversation";
import { asJson, asMarkdown } from "./conversation-text";
import { fragmentOf } from "./link-texts";
import { type CallSettings, callOf, type useConversation } from "./use-conversation";

/** A button of the head whose word only screen readers have on a phone. */
export const iconOnPhones = "max-sm:w-9 max-sm:px-0";

/** A new conversation, and what the present one, its next call and its settings are copied as. */
export function PlaygroundActions(props: {
  call: CallSettings;
  conversation: ReturnType<typeof useConversation>;
}) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const { publicUrl } = useShell();
  const { call, conversation } = props;
  async function copy(content: string, done = common.copied) {
    if (await copyText(content)) toast.done(done);
    else toast.failed(common.copyFailed);
  }
  function copyLink() {
    const fragment = fragmentOf(conversation.texts);
    const said =
      fragment === null ? text.linkTooLong : fragment === "" ? text.linkCopied : text.linkWithTexts;
    return copy(window.location.href.replace(/#.*/, "") + (fragment ?? ""), said);
  }
  function code(language: SnippetLanguage): string {
    const model = call.models[0] ?? "";
    const turns = turnsFor(model, conversation.exchanges);
    const asked = turns.at(-1)?.role === "assistant" ? turns.slice(0, -1) : turns;
    const body = bodyOf({
      ...callOf(call, model),
      turns: asked.length > 0 ? withFileNames(asked) : [{ role: "user", text: "Hello!", images: [] }],
    });
    return callSnippet(language, call.protocol, publicUrl, body);
  }
  const isEmpty = conversation.exchanges.length === 0;
  const markdown = () =>
    asMarkdown(conversation.exchanges, conversation.texts.system, { you: text.you, system: text.system });
  return (
    <>
      <Button className={iconOnPhones} title={text.clear} onClick={conversation.clear} disabled={isEmpty}>
        <Plus aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{text.clear}</span>
      </Button>
      <Menu
        label={text.copyAs}
        triggerClass={cn(buttonClass("secondary"), iconOnPhones)}
        trigger={
          <>
            <Code aria-hidden className="size-4" />
            <span className="max-sm:sr-only">{text.copyAs}</span>
          </>
        }
      >
        {snippetLanguages.map((language) => (
          <MenuItem key={language} onClick={() => void copy(code(language))}>
            {text.languages[language]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem disabled={isEmpty} onClick={() => void copy(markdown())}>
          {text.asMarkdown}
        </MenuItem>
        <MenuItem
          disabled={isEmpty}
          onClick={() => void copy(asJson(conversation.exchanges, conversation.texts.system))}
        >
          {text.asJson}
        </MenuItem>
        <MenuSeparator />
        <MenuItem onClick={() => void copyLink()}>{text.copyLink}</MenuItem>
      </Menu>
    </>
  );
}
