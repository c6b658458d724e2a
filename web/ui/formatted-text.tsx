import { lazy, type ReactNode, Suspense } from "react";
import { hasMarkup } from "../flow/markdown-text.ts";
import "./styles/prose.css";

interface FormattedTextProps {
  text: string;
  /** Renders the plain parts, for example to make citations clickable. */
  renderText?: ((text: string) => ReactNode) | undefined;
}

function PlainText({ text, renderText = (plain) => plain }: FormattedTextProps) {
  return <p className="prose-plain">{renderText(text)}</p>;
}

/** Without its chunk, offline or after an update of the service, the text stays as it is written. */
const Markdown = lazy(() =>
  import("./markdown.tsx").then(
    ({ Markdown: component }) => ({ default: component }),
    () => ({ default: PlainText }),
  ),
);

/** Markdown of a model, an external agent or a workflow: plain text until the parser is loaded, and without markup. */
export function FormattedText(props: FormattedTextProps) {
  const plain = <PlainText {...props} />;
  return (
    <div className="prose">
      {hasMarkup(props.text) ? (
        <Suspense fallback={plain}>
          <Markdown {...props} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
}
