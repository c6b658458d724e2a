import { CopyButton } from "../../ui/copy-button.tsx";
import { FormattedText } from "../../ui/formatted-text.tsx";

/** A text in Markdown. It is copied as it was written. */
export function TextValue({ text }: { text: string }) {
  return (
    <div className="text-value">
      <FormattedText text={text} />
      <CopyButton text={text} />
    </div>
  );
}
