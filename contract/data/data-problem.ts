/** A field of a data step that cannot be used. The message is the end of a sentence that begins with the field. */
export class DataProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The result would exceed the limit of a value; found before it is built. */
export class DataTooLarge extends Error {}
