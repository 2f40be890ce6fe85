import type { ProjectCaller, ProjectRole, ProjectRow } from "@/lib/accounts/projects/access";
import { archiveProject } from "@/lib/accounts/projects/archive";
import { addMember, changeRole, type ProjectMember, removeMember } from "@/lib/accounts/projects/members";
import { viewProject } from "@/lib/accounts/projects/project-list";
import { projectRecordOf } from "@/lib/accounts/projects/project-record";
import { changeProject, createProject, type ProjectInput } from "@/lib/accounts/projects/projects";
import { type Actor, type AuditEvent, recordAudit } from "@/lib/admin/audit";
import type { Orm } from "@/lib/db/database";
import { runtime } from "@/lib/gateway/runtime";
import { keyChanged } from "./announce-changes";

/** Creates a project that an account pays, with its entry of the audit. Throws: as `createProject`. */
export function create(actor: Actor, caller: ProjectCaller, payerId: string, input: ProjectInput) {
  return runtime().db.orm.transaction(async (tx) => {
    const made = await createProject(tx, payerId, input);
    await record(tx, actor, made, { action: "project.create", after: projectRecordOf(made) });
    return viewProject(tx, caller, made);
  });
}

/** Changes a project, with its entry of the audit. Throws: as `changeProject`; CONFLICT (changed since it was loaded). */
export function change(actor: Actor, caller: ProjectCaller, id: string, input: Partial<ProjectInput>) {
  return runtime().db.orm.transaction(async (tx) => {
    const { before, after } = await changeProject(tx, caller, id, input);
    const records = { before: projectRecordOf(before), after: projectRecordOf(after) };
    await record(tx, actor, after, { action: "project.update", ...records });
    return viewProject(tx, caller, after);
  });
}

/** Archives a project, with its entry of the audit; its keys end at once. Throws: as `archiveProject`. */
export async function archive(actor: Actor, caller: ProjectCaller, id: string): Promise<void> {
  const { db, clock } = runtime();
  const ended = await db.orm.transaction(async (tx) => {
    const { before, after, keyIds } = await archiveProject(tx, caller, id, clock.date());
    const records = {
      before: projectRecordOf(before),
      after: { ...projectRecordOf(after), deletedKeys: keyIds },
    };
    await record(tx, actor, after, { action: "project.archive", ...records });
    return keyIds;
  });
  ended.forEach(keyChanged);
}

/** Adds a member, with its entry of the audit. Throws: as `addMember`. */
export function add(
  actor: Actor,
  caller: ProjectCaller,
  projectId: string,
  input: { username: string; role: ProjectRole },
): Promise<ProjectMember> {
  return runtime().db.orm.transaction(async (tx) => {
    const { project, member } = await addMember(tx, caller, projectId, { ...input, addedBy: actor.id });
    await record(tx, actor, project, { action: "member.add", after: memberRecordOf(member) });
    return member;
  });
}

/** Changes what a member may do, with its entry of the audit. Throws: as `changeRole`. */
export function setRole(
  actor: Actor,
  caller: ProjectCaller,
  { id, userId }: { id: string; userId: string },
  role: ProjectRole,
): Promise<ProjectMember> {
  return runtime().db.orm.transaction(async (tx) => {
    const { project, before, after } = await changeRole(tx, caller, { projectId: id, userId, role });
    const records = { before: memberRecordOf(before), after: memberRecordOf(after) };
    await record(tx, actor, project, { action: "member.update", ...records });
    return after;
  });
}

/** Removes a member, with its entry of the audit; disabled keys end at once. Throws: as `removeMember`. */
export async function remove(
  actor: Actor,
  caller: ProjectCaller,
  { id, userId }: { id: string; userId: string },
  keys: "disable" | "keep",
): Promise<void> {
  const ended = await runtime().db.orm.transaction(async (tx) => {
    const { project, member, keyIds } = await removeMember(tx, caller, { projectId: id, userId, keys });
    const records = { before: memberRecordOf(member), after: { keys, disabledKeys: keyIds } };
    await record(tx, actor, project, { action: "member.remove", ...records });
    return keyIds;
  });
  ended.forEach(keyChanged);
}

function record(
  tx: Orm,
  actor: Actor,
  project: ProjectRow,
  event: Pick<AuditEvent, "action" | "before" | "after">,
): Promise<void> {
  return recordAudit(tx, actor, { targetType: "project", targetId: project.id, ...event });
}

function memberRecordOf({ id, username, role }: ProjectMember) {
  return { userId: id, username, role };
}
