/** What a `LinkedSet` contains. The fields belong to the set: undefined outside, null at an end. */
export interface Linked<Member> {
  before?: Member | null | undefined;
  after?: Member | null | undefined;
}

/**
 * Members in order of arrival, for members that come and go with each request. A member is in one such set at most.
 * Unlike this one, a `Set` lets each of its outgrown tables refer to the next. Once such a table is in the old
 * generation, its members and those of all later tables stay in memory until a full collection.
 */
export class LinkedSet<Member extends Linked<Member>> {
  #first: Member | null = null;
  #last: Member | null = null;
  /** The member that `forEach` visits next. */
  #next: Member | null = null;

  /** True without members. */
  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** Adds a member; one that is in the set stays in its place. */
  add(member: Member): void {
    if (member.before !== undefined) return;
    member.before = this.#last;
    member.after = null;
    if (this.#last === null) this.#first = member;
    else this.#last.after = member;
    this.#last = member;
  }

  /** Removes a member; does nothing when it is not in the set. */
  delete(member: Member): void {
    const { before, after = null } = member;
    if (before === undefined) return;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    if (this.#next === member) this.#next = after;
    member.before = undefined;
    member.after = undefined;
  }

  /** Visits each member once; a visit may add and delete members. Visits must not overlap. */
  forEach(visit: (member: Member) => void): void {
    for (let member = this.#first; member !== null; member = this.#next) {
      this.#next = member.after ?? null;
      visit(member);
    }
  }
}
