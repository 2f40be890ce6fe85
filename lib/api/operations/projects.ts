import { type PageRequest, wholeList } from "@/lib/accounts/page";
import { openProject, type ProjectCaller } from "@/lib/accounts/projects/access";
import { listMembers } from "@/lib/accounts/projects/members";
import { listProjects, type ProjectListFilter, viewProject } from "@/lib/accounts/projects/project-list";
import { userById } from "@/lib/admin/user-records";
import { listOf } from "@/lib/api/schemas/list-of";
import {
  addMemberRequest,
  projectMember,
  removeMemberQuery,
  updateMemberRequest,
} from "@/lib/api/schemas/project-members";
import { projectListed, projectRecord } from "@/lib/api/schemas/project-records";
import {
  adminProjectsQuery,
  createProjectOfUserRequest,
  createProjectRequest,
  projectsQuery,
  updateProjectRequest,
} from "@/lib/api/schemas/projects";
import { runtime } from "@/lib/gateway/runtime";
import { withBilled } from "@/lib/reports/project-sums";
import { defineOperation } from "../operation";
import { add, archive, change, create, remove, setRole } from "../project-changes";

const own = { tag: "Projects", caller: "account" } as const;
const any = { tag: "Admin: people", caller: "admin" } as const;

const project = { name: "Search team", costCentre: "4711" };
const member = { username: "bob", role: "member" } as const;
const archives = "It can only be read from then on, and its keys end at once.";
const removes =
  "The keys that it made in the project are disabled at once, unless an owner keeps them. A member may remove itself.";

const shown = { status: 200, description: "The project", schema: projectRecord } as const;
const shownList = {
  status: 200,
  description: "A page of projects, live ones first",
  schema: listOf(projectListed),
} as const;
const shownMembers = { status: 200, description: "All members", schema: listOf(projectMember) } as const;
const shownMember = { status: 200, description: "The member", schema: projectMember } as const;
const made = { ...shown, status: 201 } as const;
const madeMember = { ...shownMember, status: 201 } as const;
const archived = { status: 204, description: "Archived" } as const;
const removed = { status: 204, description: "Removed" } as const;
const changing = ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"] as const;
const ending = ["FORBIDDEN", "NOT_FOUND", "CONFLICT"] as const;

/** The projects of the caller. Source: docs/projects.md#roles. */
const ownProjectOperations = [
  defineOperation(
    {
      ...own,
      method: "get",
      path: "/api/user/projects",
      id: "listProjects",
      summary: "List your projects",
      query: projectsQuery,
      success: shownList,
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => pageOfProjects(user.id, user.id, query),
  ),
  defineOperation(
    {
      ...own,
      method: "post",
      path: "/api/user/projects",
      id: "createProject",
      summary: "Create a project",
      description: "Your account pays for its keys and is always an owner of it.",
      body: { schema: createProjectRequest, example: project },
      success: made,
      errors: ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"],
    },
    ({ user, actor, body }) => create(actor, user.id, user.id, body),
  ),
  defineOperation(
    {
      ...own,
      method: "get",
      path: "/api/user/projects/{id}",
      id: "getProject",
      summary: "Show a project",
      success: shown,
      errors: ["NOT_FOUND"],
    },
    ({ user, params }) => oneProject(user.id, params.id),
  ),
  defineOperation(
    {
      ...own,
      method: "patch",
      path: "/api/user/projects/{id}",
      id: "updateProject",
      summary: "Change a project",
      body: { schema: updateProjectRequest, example: { name: "Search" } },
      success: shown,
      errors: changing,
    },
    ({ user, actor, params, body }) => change(actor, user.id, params.id, body),
  ),
  defineOperation(
    {
      ...own,
      method: "delete",
      path: "/api/user/projects/{id}",
      id: "archiveProject",
      summary: "Archive a project",
      description: archives,
      success: archived,
      errors: ending,
    },
    async ({ user, actor, params }) => {
      await archive(actor, user.id, params.id);
    },
  ),
  defineOperation(
    {
      ...own,
      method: "get",
      path: "/api/user/projects/{id}/members",
      id: "listProjectMembers",
      summary: "List the members of a project",
      success: shownMembers,
      errors: ["NOT_FOUND"],
    },
    ({ user, params }) => membersOf(user.id, params.id),
  ),
  defineOperation(
    {
      ...own,
      method: "post",
      path: "/api/user/projects/{id}/members",
      id: "addProjectMember",
      summary: "Add a member to a project",
      description: "By its exact username.",
      body: { schema: addMemberRequest, example: member },
      success: madeMember,
      errors: changing,
    },
    ({ user, actor, params, body }) => add(actor, user.id, params.id, body),
  ),
  defineOperation(
    {
      ...own,
      method: "patch",
      path: "/api/user/projects/{id}/members/{userId}",
      id: "updateProjectMember",
      summary: "Change what a member of a project may do",
      body: { schema: updateMemberRequest, example: { role: "owner" } },
      success: shownMember,
      errors: changing,
    },
    ({ user, actor, params, body }) => setRole(actor, user.id, params, body.role),
  ),
  defineOperation(
    {
      ...own,
      method: "delete",
      path: "/api/user/projects/{id}/members/{userId}",
      id: "removeProjectMember",
      summary: "Remove a member from a project",
      description: removes,
      query: removeMemberQuery,
      success: removed,
      errors: changing,
    },
    async ({ user, actor, params, query }) => {
      await remove(actor, user.id, params, query.keys);
    },
  ),
];

/** All projects, for admins. Source: docs/projects.md#roles. */
const adminProjectOperations = [
  defineOperation(
    {
      ...any,
      reader: true,
      method: "get",
      path: "/api/admin/projects",
      id: "listAllProjects",
      summary: "List everybody's projects",
      query: adminProjectsQuery,
      success: shownList,
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => pageOfProjects(user.id, null, query),
  ),
  defineOperation(
    {
      ...any,
      method: "post",
      path: "/api/admin/projects",
      id: "createProjectOfUser",
      summary: "Create a project that an account pays",
      body: {
        schema: createProjectOfUserRequest,
        example: { ...project, userId: "7b0f8f9e-1111-4222-8333-444455556666" },
      },
      success: made,
      errors: ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, body: { userId, ...input } }) =>
      create(actor, null, (await userById(runtime().db.orm, userId)).id, input),
  ),
  defineOperation(
    {
      ...any,
      reader: true,
      method: "get",
      path: "/api/admin/projects/{id}",
      id: "getAnyProject",
      summary: "Show a project of anybody",
      success: shown,
      errors: ["NOT_FOUND"],
    },
    ({ params }) => oneProject(null, params.id),
  ),
  defineOperation(
    {
      ...any,
      method: "patch",
      path: "/api/admin/projects/{id}",
      id: "updateAnyProject",
      summary: "Change a project of anybody",
      body: { schema: updateProjectRequest, example: { costCentre: "4711" } },
      success: shown,
      errors: changing,
    },
    ({ actor, params, body }) => change(actor, null, params.id, body),
  ),
  defineOperation(
    {
      ...any,
      method: "delete",
      path: "/api/admin/projects/{id}",
      id: "archiveAnyProject",
      summary: "Archive a project of anybody",
      description: archives,
      success: archived,
      errors: ending,
    },
    async ({ actor, params }) => {
      await archive(actor, null, params.id);
    },
  ),
  defineOperation(
    {
      ...any,
      reader: true,
      method: "get",
      path: "/api/admin/projects/{id}/members",
      id: "listMembersOfAnyProject",
      summary: "List the members of a project of anybody",
      success: shownMembers,
      errors: ["NOT_FOUND"],
    },
    ({ params }) => membersOf(null, params.id),
  ),
  defineOperation(
    {
      ...any,
      method: "post",
      path: "/api/admin/projects/{id}/members",
      id: "addMemberToAnyProject",
      summary: "Add a member to a project of anybody",
      body: { schema: addMemberRequest, example: member },
      success: madeMember,
      errors: changing,
    },
    ({ actor, params, body }) => add(actor, null, params.id, body),
  ),
  defineOperation(
    {
      ...any,
      method: "patch",
      path: "/api/admin/projects/{id}/members/{userId}",
      id: "updateMemberOfAnyProject",
      summary: "Change what a member of anybody's project may do",
      body: { schema: updateMemberRequest, example: { role: "owner" } },
      success: shownMember,
      errors: changing,
    },
    ({ actor, params, body }) => setRole(actor, null, params, body.role),
  ),
  defineOperation(
    {
      ...any,
      method: "delete",
      path: "/api/admin/projects/{id}/members/{userId}",
      id: "removeMemberOfAnyProject",
      summary: "Remove a member from a project of anybody",
      description: removes,
      query: removeMemberQuery,
      success: removed,
      errors: changing,
    },
    async ({ actor, params, query }) => {
      await remove(actor, null, params, query.keys);
    },
  ),
];

/** Projects of the caller, and all for admins. Source: docs/projects.md#roles. */
export const projectOperations = [...ownProjectOperations, ...adminProjectOperations];

function pageOfProjects(accountId: string, caller: ProjectCaller, query: ProjectListFilter & PageRequest) {
  const { db, clock, reports, settings } = runtime();
  return reports.run(accountId, async () => {
    const { data, ...page } = await listProjects(db, caller, query, query);
    return { data: await withBilled(db, data, settings.reportTimezone, clock.date()), ...page };
  });
}

async function oneProject(caller: ProjectCaller, id: string) {
  const { orm } = runtime().db;
  const { project: row } = await openProject(orm, caller, id);
  return viewProject(orm, caller, row);
}

async function membersOf(caller: ProjectCaller, id: string) {
  const { orm } = runtime().db;
  const { project: row } = await openProject(orm, caller, id);
  return wholeList(await listMembers(orm, row));
}
