import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/components/api/client";
import { noAnswer } from "@/components/playground/answer";
import { type Exchange, emptyStep } from "@/components/playground/conversation";
import {
  beginKeeping,
  type KeptContent,
  keepConversation,
  keptConversations,
  readKept,
  removeKept,
  renameKept,
} from "@/components/playground/kept-conversations";

/** A storage whose entries are its own members, as those of browsers are, with room for so many characters. */
function storage(room: number): object {
  const entries: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => entries[name] ?? null,
    removeItem: (name: string) => delete entries[name],
    setItem: (name: string, text: string) => {
      const others = Object.entries(entries).filter(([other]) => other !== name);
      if (others.reduce((sum, [, other]) => sum + other.length, text.length) > room)
        throw new DOMException("full", "QuotaExceededError");
      entries[name] = text;
    },
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(entries, name, { value, enumerable: false });
  return entries;
}

function content(message: string, answer = "Yes"): KeptContent {
  const step = {
    ...emptyStep,
    running: false,
    cost: "1.5",
    answer: { ...noAnswer, text: answer },
  };
  const image = { id: "i", name: "cat.png", mediaType: "image/png", url: "data:image/png;base64,AAAA" };
  const exchange: Exchange = {
    id: message,
    message,
    images: [image],
    answers: [{ model: "m", protocol: "chat", steps: [step, step] }],
  };
  return { exchanges: [exchange], system: "Be brief", tools: "", stop: "", schema: "" };
}

const titles = () => keptConversations().map(({ title }) => title);

beforeEach(() => {
  vi.stubGlobal("localStorage", storage(10_000_000));
  vi.stubGlobal("window", new EventTarget());
  vi.useFakeTimers({ now: 0 });
  beginKeeping("ada");
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test("a conversation is kept with its texts and without its images, under the title that it was given", () => {
  const first = keepConversation("ada", null, content("One?"));
  expect(keptConversations()).toMatchObject([{ title: "One?", models: ["m"], cost: "3" }]);
  const id = first?.place.id ?? "";
  renameKept(id, "My title");
  keepConversation("ada", first?.place ?? null, content("One?", "No"));
  expect(titles()).toEqual(["My title"]);
  const found = readKept(id)?.content;
  expect(found).toMatchObject({
    system: "Be brief",
    exchanges: [{ images: [{ name: "cat.png", url: null }] }],
  });
  const putBack = removeKept([id]);
  expect([titles(), readKept(id)]).toEqual([[], null]);
  putBack();
  expect(titles()).toEqual(["My title"]);
});

test("the errors of a kept conversation are those that its calls had", () => {
  const refusal = {
    status: 402,
    code: "QUOTA_EXCEEDED",
    message: "Too little",
    requestId: "r",
    reason: "held",
  } as const;
  const errorKept = (error: unknown) => {
    const { exchanges, ...texts } = content("One?");
    const failed = exchanges.map((exchange) => ({
      ...exchange,
      answers: [{ model: "m", protocol: "chat" as const, steps: [{ ...emptyStep, running: false, error }] }],
    }));
    const place = keepConversation("ada", null, { exchanges: failed, ...texts })?.place;
    return readKept(place?.id ?? "")?.content.exchanges[0]?.answers[0]?.steps[0];
  };
  for (const error of [
    new ApiError({ ...refusal, retryAfterSeconds: 3 }),
    new ApiError({ status: 0, code: "NETWORK", message: "" }),
    new Error("broke off"),
  ]) {
    const step = errorKept(error);
    expect([step?.error, step?.answer.failure]).toEqual([error, null]);
    expect(step?.error).toBeInstanceOf(error.constructor);
  }
  const limited = errorKept(new ApiError({ ...refusal, status: 429, retryAfterSeconds: 3 }));
  expect(limited?.error, "a wait that has passed").toMatchObject({ status: 429, retryAfterSeconds: null });
});

test("what another tab has written since stays, and what this one has goes beside it", () => {
  const place = keepConversation("ada", null, content("One?"))?.place ?? null;
  keepConversation("ada", place, content("One?", "Of the other tab"));
  const own = keepConversation("ada", place, content("One?", "Of this tab"));
  expect(own?.place.id).not.toBe(place?.id);
  expect(titles()).toEqual(["One?", "One?"]);
});

test("the oldest make room, and who has signed out or is another account keeps nothing", () => {
  for (let number = 1; number <= 50; number += 1) {
    vi.setSystemTime(number);
    keepConversation("ada", null, content(`Old ${number}`));
  }
  vi.setSystemTime(51);
  const last = keepConversation("ada", null, content("New"));
  expect(last?.removed.map(({ title }) => title)).toEqual(["Old 1"]);
  expect(titles()).toHaveLength(50);
  expect(keepConversation("bob", null, content("Of Bob"))).toBeNull();
  beginKeeping("bob");
  expect(titles()).toEqual([]);
  expect(keepConversation("ada", null, content("Of Ada"))).toBeNull();
});

test("one that is too long loses its oldest part, and a browser without room says so", () => {
  const long = content("Long", "a".repeat(500_000));
  const both = { ...long, exchanges: [...long.exchanges, ...content("Short").exchanges] };
  const place = keepConversation("ada", null, both)?.place;
  expect(readKept(place?.id ?? "")?.content.exchanges.map(({ id }) => id)).toEqual(["Short"]);
  vi.stubGlobal("localStorage", storage(1_000));
  beginKeeping("ada");
  expect(keepConversation("ada", null, content("Long", "a".repeat(2_000)))).toMatchObject({ kept: false });
});
