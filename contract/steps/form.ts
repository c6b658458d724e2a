/**
 * How a form shows a field: the words beside its definition, so that a new step type needs no code in the page. What
 * a field accepts is its schema; this is only the presentation.
 */
export interface FieldForm {
  /** By default the name of the field in words: `responseFormat` → "Response format". */
  label?: string;
  /** The help of the label; by default the description of the field. */
  hint?: string;
  /** Grey text in the empty field; of a choice, its empty option. */
  example?: string;
  /** The values of a choice in words. */
  words?: Readonly<Record<string, string>>;
  /** The value of a choice that an empty field means. */
  fallback?: string;
  /**
   * `line` is one line of text, also for a list, `long` several, and `code` an editor for source text. A duration is typed as "30 s" and stored as a
   * number of that unit.
   */
  control?: "line" | "long" | "code" | "milliseconds" | "seconds";
  /** Shown from the start, although it is optional. Other optional fields are added on request. */
  common?: boolean;
  /** Shown in one row before this field. */
  before?: string;
  /** Shown in its own section, below the settings. */
  section?: "error" | "limits" | "lines";
  /** False while the values of other fields make this one meaningless. */
  applies?: (step: Readonly<Record<string, unknown>>) => boolean;
}

export type StepForm = Readonly<Record<string, FieldForm>>;
