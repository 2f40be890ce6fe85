import { expect, test } from "vitest";
import { type Linked, LinkedSet } from "@/lib/kernel/linked-set";

interface Named extends Linked<Named> {
  readonly name: string;
}

function setOf(...names: string[]): { set: LinkedSet<Named>; members: Named[] } {
  const set = new LinkedSet<Named>();
  const members = names.map((name): Named => ({ name }));
  for (const member of members) set.add(member);
  return { set, members };
}

function namesOf(set: LinkedSet<Named>): string {
  let names = "";
  set.forEach(({ name }) => {
    names += name;
  });
  return names;
}

test.each([
  [0, "bcd"],
  [1, "acd"],
  [3, "abc"],
])("a deleted member leaves the others in their order, and refers to none of them", (at, left) => {
  const { set, members } = setOf("a", "b", "c", "d");
  const member = members[at] ?? { name: "none" };
  set.delete(member);
  set.delete(member);
  expect(namesOf(set)).toBe(left);
  expect([member.before, member.after]).toEqual([undefined, undefined]);
  set.add(member);
  set.add(member);
  expect(namesOf(set)).toBe(`${left}${member.name}`);
});

test("the last member that goes leaves an empty set", () => {
  const { set, members } = setOf("a", "b");
  expect(set.isEmpty).toBe(false);
  for (const member of members) set.delete(member);
  expect(set.isEmpty).toBe(true);
  expect(namesOf(set)).toBe("");
});

test("a visit may delete the visited and the next member, and members that it adds are visited too", () => {
  const { set, members } = setOf("a", "b", "c");
  const [first, second] = members;
  const seen: string[] = [];
  set.forEach((member) => {
    seen.push(member.name);
    if (member !== first || second === undefined) return;
    set.delete(first);
    set.delete(second);
    set.add({ name: "d" });
  });
  expect(seen).toEqual(["a", "c", "d"]);
  expect(namesOf(set)).toBe("cd");
});
