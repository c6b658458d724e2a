import { type ReactNode, useState } from "react";
import { useTemplateMutation } from "../../api/templates.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface Texts {
  name: string;
  description: string;
}

interface TemplateTextsDialogProps {
  title: string;
  submit: string;
  texts: Texts;
  save: (texts: Texts) => Promise<unknown>;
  onSaved: (texts: Texts) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** The words by which a template is found. */
export function TemplateTextsDialog(props: TemplateTextsDialogProps) {
  const [name, setName] = useState(props.texts.name);
  const [description, setDescription] = useState(props.texts.description);
  const texts = { name: name.trim(), description: description.trim() };
  const save = useTemplateMutation(
    () => props.save(texts),
    () => {
      props.onClose();
      props.onSaved(texts);
    },
  );
  return (
    <FormDialog
      title={props.title}
      onClose={props.onClose}
      action={save}
      submit={props.submit}
      ready={texts.name !== ""}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} rows={3} />
      {props.children}
    </FormDialog>
  );
}
