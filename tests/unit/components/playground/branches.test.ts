import { expect, test } from "vitest";
import { noAnswer } from "@/components/playground/answer";
import { allExchanges, branched, shorter, switched } from "@/components/playground/branches";
import { type Exchange, emptyStep } from "@/components/playground/conversation";

function said(id: string, failure: string | null = null): Exchange {
  const step = { ...emptyStep, running: false, answer: { ...noAnswer, text: `To ${id}`, failure } };
  return { id, message: id, images: [], answers: [{ model: "m", protocol: "chat", steps: [step] }] };
}

const ids = (exchanges: readonly Exchange[]) => exchanges.map(({ id }) => id);

test("a message in place of another one keeps what came of that as a branch, to which one can return", () => {
  const [one, two, three] = [said("1"), said("2"), said("3")];
  const edited = [one, branched(said("2b"), [two, three]), said("3b")];
  expect(edited[1]?.branches).toMatchObject({ at: 1 });
  const first = switched(edited, "2b", 0);
  expect(ids(first)).toEqual(["1", "2", "3"]);
  const again = switched(first, "2", 1);
  expect(ids(again)).toEqual(["1", "2b", "3b"]);
  expect(again).toEqual(edited);
  const third = [one, branched(said("2c"), first.slice(1))];
  expect(third[1]?.branches?.all.map(ids)).toEqual([["2", "3"], ["2b", "3b"], []]);
  expect(ids(allExchanges(third)).sort()).toEqual(["1", "2", "2b", "2c", "3", "3b"]);
});

test("branches within branches stay", () => {
  const inner = [said("1"), branched(said("2b"), [said("2")])];
  const outer = [branched(said("1b"), inner)];
  const back = switched(outer, "1b", 0);
  expect(ids(back)).toEqual(["1", "2b"]);
  expect(ids(switched(back, "2b", 0))).toEqual(["1", "2"]);
});

test("a message whose call has failed is no branch", () => {
  expect(branched(said("1b"), [said("1", "refused")]).branches).toBeUndefined();
  expect(branched(said("1b"), [said("1")]).branches).toBeDefined();
});

test("what is too long loses its oldest branches, then its oldest exchange; a place that is none changes nothing", () => {
  const all = [branched(said("1b"), [said("1")]), said("2")];
  const alone = shorter(all);
  expect([ids(alone), alone[0]?.branches]).toEqual([["1b", "2"], undefined]);
  expect(ids(shorter(alone))).toEqual(["2"]);
  expect([switched(all, "1b", 7), switched(all, "2", 0), switched(all, "x", 0)]).toEqual([all, all, all]);
});
