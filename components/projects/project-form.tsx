"use client";

import { typedText } from "@/lib/shared/typed";
import type { Project } from "../api/use-projects";
import { TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { useOpenPage } from "../shell/offline";
import { Drawer } from "../ui/drawer";
import { toast } from "../ui/toast";
import { useProjectCall } from "./use-project-call";

interface Draft {
  name: string;
  costCentre: string;
}

/** The form of a project of the Console, new or stored. */
export function ProjectSheet(props: {
  project: Pick<Project, "id" | "name" | "costCentre"> | null;
  onClose: () => void;
}) {
  const text = useMessages("projects");
  const { project, onClose } = props;
  return (
    <Drawer
      onClose={onClose}
      title={project === null ? text.createTitle : fill(text.editTitle, { name: project.name })}
    >
      {project === null ? (
        <NewProject onClose={onClose} />
      ) : (
        <StoredProject operation="PATCH /api/user/projects/{id}" project={project} onClose={onClose} />
      )}
    </Drawer>
  );
}

function NewProject(props: { onClose: () => void }) {
  const text = useMessages("projects");
  const openPage = useOpenPage();
  return (
    <RecordForm
      operation="POST /api/user/projects"
      call={useProjectCall()}
      keep={{ name: "project " }}
      initial={{ name: "", costCentre: "" }}
      toBody={newProjectBody}
      onSent={({ id, name }) => {
        toast.done(fill(text.created, { name }), {
          record: id,
          action: { label: text.open, onClick: () => openPage(`/console/projects/${id}`) },
        });
        props.onClose();
      }}
      submitLabel={text.create}
      onCancel={props.onClose}
    >
      <ProjectFields />
    </RecordForm>
  );
}

/** Changes a project of the Console or, with the operation of admins, of anybody. */
export function StoredProject(props: {
  operation: "PATCH /api/user/projects/{id}" | "PATCH /api/admin/projects/{id}";
  project: Pick<Project, "id" | "name" | "costCentre">;
  onClose: () => void;
}) {
  const text = useMessages("projects");
  const common = useMessages("common");
  const { operation, project, onClose } = props;
  return (
    <RecordForm
      operation={operation}
      params={{ id: project.id }}
      record={project}
      call={useProjectCall()}
      keep={{ name: `project ${project.id}` }}
      initial={{ name: project.name, costCentre: project.costCentre }}
      toBody={({ name, costCentre }: Draft) => ({ name: typedText(name), costCentre: costCentre.trim() })}
      onSent={({ name }) => {
        toast.done(fill(text.saved, { name }), { record: project.id });
        onClose();
      }}
      submitLabel={common.save}
      onCancel={onClose}
    >
      <ProjectFields />
    </RecordForm>
  );
}

/** The body of a new project. */
export function newProjectBody({ name, costCentre }: Draft) {
  return { name: typedText(name), costCentre: typedText(costCentre) };
}

/** Name and cost centre. */
export function ProjectFields() {
  const text = useMessages("projects");
  return (
    <>
      <TextField<Draft> name="name" label={text.name} maxLength={80} required />
      <TextField<Draft> name="costCentre" label={text.costCentre} hint={text.costCentreHint} optional />
    </>
  );
}
