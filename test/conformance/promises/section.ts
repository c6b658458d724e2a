/** One line of the register: what the service promises and the tests that fail when it is broken. */
export interface Promised {
  id: string;
  text: string;
  /** `file › title`. The title is written as in the test file, with `%s` and `$name` in place. */
  proofs: string[];
}

export interface Section {
  title: string;
  promises: Promised[];
  /** Numbers that are reserved but do not apply to this version. */
  notApplicable?: { id: string; reason: string }[];
}
