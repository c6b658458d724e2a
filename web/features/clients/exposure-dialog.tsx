import { useState } from "react";
import { type Exposure, useChangeExposure } from "../../api/exposures.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

const NAME = /^[a-z0-9_-]{1,64}$/;

/** The name and the description that clients see. */
export function ExposureDialog({ exposure, onClose }: { exposure: Exposure; onClose: () => void }) {
  const [name, setName] = useState(exposure.name);
  const [description, setDescription] = useState(exposure.customDescription ?? "");
  const change = useChangeExposure(exposure, onClose);
  const isValid = NAME.test(name);
  return (
    <FormDialog
      title={exposure.title}
      onClose={onClose}
      action={{
        ...change,
        mutate: () =>
          change.mutate({
            // An unchanged suggestion stays one.
            ...(name !== exposure.name && { name }),
            description: description.trim() === "" ? null : description,
          }),
      }}
      submit="Save"
      ready={isValid}
    >
      <TextField
        label="Tool or model name"
        value={name}
        onChange={setName}
        mono
        hint="Clients that use the old name no longer find it."
        error={isValid ? undefined : "Use 1–64 lower-case letters, digits, - or _."}
      />
      <TextField
        label="Description for clients"
        value={description}
        onChange={setDescription}
        rows={4}
        placeholder={exposure.description === "" ? "What it does and when to use it" : exposure.description}
      />
    </FormDialog>
  );
}
