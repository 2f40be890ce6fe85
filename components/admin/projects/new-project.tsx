"use client";

import { ApiError, callApi } from "../../api/client";
import { TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import { newProjectBody, ProjectFields } from "../../projects/project-form";
import { useProjectCall } from "../../projects/use-project-call";
import { Drawer } from "../../ui/drawer";
import { toast } from "../../ui/toast";

/** Makes a project that an account pays; the account is named by its username. */
export function NewProjectOfUser(props: { onClose: () => void }) {
  const text = useMessages("projects");
  const call = useProjectCall();
  const { onClose } = props;
  return (
    <Drawer onClose={onClose} title={text.createTitle}>
      <RecordForm
        operation="POST /api/admin/projects"
        keep={{ name: "project of account" }}
        initial={{ userId: "", name: "", costCentre: "" }}
        toBody={({ userId, ...draft }) => ({ ...newProjectBody(draft), userId: userId.trim() })}
        send={async ({ userId: username, ...body }) => {
          const userId = await accountOf(username, text.noPayer);
          return call("POST /api/admin/projects", { body: { ...body, userId } });
        }}
        onSent={({ name }) => {
          toast.done(fill(text.created, { name }));
          onClose();
        }}
        submitLabel={text.create}
        onCancel={onClose}
      >
        <TextField name="userId" label={text.payer} hint={text.payerHint} required />
        <ProjectFields />
      </RecordForm>
    </Drawer>
  );
}

/** The id of the account with this name. Throws: as the API does for a field that is wrong. */
async function accountOf(username: string, message: string): Promise<string> {
  const query = { search: username, pageSize: 100, status: "active" };
  const { data } = await callApi("GET /api/admin/users", { query });
  const found = data.find((user) => user.username.toLowerCase() === username.toLowerCase());
  if (found !== undefined) return found.id;
  throw new ApiError({ status: 400, code: "INVALID_REQUEST", message, fields: { userId: [message] } });
}
